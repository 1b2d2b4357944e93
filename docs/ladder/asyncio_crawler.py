"""The ladder's crawler in Python, to be measured beside it: asyncio_crawler.py [--aiohttp] URL [N].

On asyncio's own streams it does what step 5 does, a connection a page; with --aiohttp what step 6
does, on connections that are kept.
"""

import asyncio
import re
import sys
import time
from urllib.parse import urlsplit

HREF = re.compile(rb'href="(/[^"#]*)')


async def fetch_by_streams(site, path, _):
    reader, writer = await asyncio.open_connection(site.hostname, site.port)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {site.hostname}\r\n\r\n".encode())
        await writer.drain()
        return await reader.read()
    finally:
        writer.close()


async def fetch_by_aiohttp(site, path, session):
    async with session.get(f"http://{site.netloc}{path}") as response:
        return await response.read()


async def work(fetch, site, session, queue, seen):
    while True:
        path = await queue.get()
        for link in HREF.findall(await fetch(site, path, session)):
            link = link.decode()
            if link not in seen:
                seen.add(link)
                queue.put_nowait(link)
        queue.task_done()


async def crawl(url, count, session=None):
    site = urlsplit(url)
    queue = asyncio.Queue()
    seen = {"/"}
    queue.put_nowait("/")
    fetch = fetch_by_aiohttp if session else fetch_by_streams
    workers = [asyncio.create_task(work(fetch, site, session, queue, seen)) for _ in range(count)]
    await queue.join()
    for worker in workers:
        worker.cancel()
    return len(seen)


async def crawl_by_aiohttp(url, count):
    import aiohttp  # Only where it is asked for.
    connector = aiohttp.TCPConnector(limit=count)
    async with aiohttp.ClientSession(connector=connector) as session:
        return await crawl(url, count, session)


def main():
    words = sys.argv[1:]
    run = crawl_by_aiohttp if "--aiohttp" in words else crawl
    url, count = ([word for word in words if word != "--aiohttp"] + ["16"])[:2]
    began = time.monotonic()
    pages = asyncio.run(run(url, int(count)))
    seconds = time.monotonic() - began
    print(f"{pages} pages in {seconds:.3f} s, {pages / seconds:.0f} a second")


if __name__ == "__main__":
    main()
