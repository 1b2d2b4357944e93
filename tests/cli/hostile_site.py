"""Hosts that try to fill a crawler's memory: each attack is a function from host and path to an
answer. Served on all of 127.0.0.0/8 by a process of its own, so that many fetches are answered at
once and the answers cost the server nothing: they are made once.
"""

import asyncio
import contextlib
import gzip
import multiprocessing
import os
import shutil
import socket
import subprocess
import zlib

MIB = 1 << 20


def answer(body=b"", kind="text/html", status="200 OK", headers=()):
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}",
            *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def packed(body, kind="text/html", headers=()):
    return answer(gzip.compress(body, 6), kind, headers=("Content-Encoding: gzip", *headers))


def zstd_packed(body, kind="text/html"):
    """With a window of 8 MiB, the most that a decoder takes."""
    if not shutil.which("zstd"):
        return packed(body, kind)
    coded = subprocess.run(["zstd", "-q", "-3", "--zstd=wlog=23", "--no-check", "-c"], input=body,
                           capture_output=True, check=True).stdout
    return answer(coded, kind, headers=("Content-Encoding: zstd",))


NOTHING = answer(status="404 Not Found")
ALLOW_ALL = answer(b"User-agent: *\nDisallow:\n", "text/plain")


def pages(*bodies):
    """Each host has these pages, one linking to the next by name."""
    answers = list(bodies)

    def site(_host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        name = path.split("?")[0].strip("/")
        number = int(name) if name.isdigit() else 0 if not name else None
        if number is None or number >= len(answers) or "?" in path:
            return NOTHING
        return answers[number]
    return site


def same_everywhere(body):
    return lambda _host, path: ALLOW_ALL if path == "/robots.txt" else body


def sitemap_bombs():
    """A few KiB on the wire are a sitemap of 50,000 long locations; robots.txt names ten."""
    tail = "a" * 900
    urls = "".join(f"<url><loc>/{number}/{tail}</loc></url>" for number in range(50_000))
    bomb = packed(f"<urlset>{urls}</urlset>".encode(), "application/xml")
    robots = answer("".join(f"Sitemap: /sitemap{number}.xml\n" for number in range(10)).encode(),
                    "text/plain")

    def site(_host, path):
        if path == "/robots.txt":
            return robots
        return bomb if path.startswith("/sitemap") else NOTHING
    return site


def wide_pages():
    """A page of 500,000 links."""
    links = "".join(f"<a href={number}>" for number in range(500_000))
    return pages(packed(f"<a href=/1></a>{links}".encode()),
                 packed(f"<a href=/0></a>{links}".encode()))


def long_base():
    """Each link of three bytes is a URL of 8,000."""
    links = "".join(f"<a href=?{number}>" for number in range(60_000))
    return pages(packed(f"<base href=/{'b' * 7_900}/>{links}".encode()))


def huge_attributes():
    """16 MiB of titles, ids, hrefs and texts, each of 60,000 bytes."""
    fill = "x" * 60_000
    rows = "".join(f"<a id='{n}{fill}' href='{n}{fill}' title='{fill}'>{fill[:2000]}</a>"
                   for n in range(80))
    return pages(packed(f"<title>{fill}</title>{rows}".encode()))


def many_ids():
    rows = "".join(f"<i id={n}></i>" for n in range(700_000))
    return pages(packed(f"{rows}".encode()))


def one_tag():
    """A tag that does not end: a mebibyte of it is held."""
    return pages(packed(b"<a " + b"x" * (15 * MIB)))


def large_pages():
    """8 MiB of text that packs well, in a coding with the largest window."""
    text = b"".join(b"<p>some words, and number %d</p>\n" % n for n in range(230_000))
    body = zstd_packed(text)
    return same_everywhere(body)


def plain_pages():
    """8 MiB that do not pack: they lie in memory as they came."""
    return same_everywhere(answer(os.urandom(8 * MIB), "application/octet-stream"))


def endless_robots():
    """512 KiB of rules and sitemaps, behind five redirects of 250 KiB each."""
    rules = "".join(f"Disallow: /{n}/{'r' * 20}\nSitemap: http://127.0.0.9/{n}\n"
                    for n in range(12_000))
    robots = packed(rules.encode(), "text/plain")
    filler = os.urandom(250_000)
    steps = [answer(filler, status="302 Found", headers=(f"Location: /robots{n + 1}.txt",))
             for n in range(5)]

    def site(_host, path):
        if path == "/robots.txt":
            return steps[0]
        if path.startswith("/robots"):
            number = int(path[7:-4])
            return steps[number] if number < 5 else robots
        return answer(b"<a href=/1>")
    return site


def large_heads():
    """A head of 250 KiB before each page, and the same again in a redirect."""
    fields = tuple(f"X-Field-{n}: {'h' * 8_000}" for n in range(30))

    def site(_host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        if path == "/":
            return answer(status="302 Found", headers=(*fields, "Location: /0"))
        number = int(path[1:]) if path[1:].isdigit() else 99
        if number > 5:
            return NOTHING
        return answer(f"<a href=/{number + 1}>".encode(), headers=fields)
    return site


def cookies():
    """50 cookies of 4,000 bytes in each answer."""
    def site(_host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        number = int(path[1:]) if path[1:].isdigit() else 0
        fields = tuple(f"Set-Cookie: c{number}-{n}={'c' * 3_900}" for n in range(50))
        return answer(f"<a href=/{number + 1}>".encode(), headers=fields)
    return site


def many_hosts(count):
    """The first host links to `count` others, each of one page."""
    def site(host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        if not host.startswith("127.1.0.1:"):
            return answer(b"<title>one page</title>")
        port = host.rpartition(":")[2]
        number = int(path[1:]) if path[1:].isdigit() else 0
        first = number * 5_000
        links = "".join(f"<a href=http://127.{16 + (n >> 16)}.{(n >> 8) & 255}.{n & 255}:{port}/>"
                        for n in range(first, min(first + 5_000, count)))
        if first + 5_000 < count:
            links += f"<a href=/{number + 1}>"
        return answer(links.encode())
    return site


def external_links():
    """Each page links to 20,000 URLs of other hosts, of 1,000 bytes each, and to the next page."""
    tail = "e" * 900

    def page(number):
        links = "".join(f"<a href=//e{n % 50}.invalid/{number}/{n}/{tail}>text</a>"
                        for n in range(20_000))
        return packed(f"<a href=/{number + 1}>{links}".encode())
    made = {}

    def site(_host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        number = int(path[1:]) if path[1:].isdigit() else 0
        if number not in made:
            made[number] = page(number)
        return made[number] if number < 30 else NOTHING
    return site


def new_links_forever():
    """Each page links to 5,000 new ones of its own host."""
    def site(_host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        seed = zlib.crc32(path.encode())
        links = "".join(f"<a href=/{seed:08x}/{n}/{'q' * 200}>" for n in range(5_000))
        return packed(links.encode())
    return site


class Cut(bytes):
    """An answer behind which the connection closes."""


def moody():
    """Hosts that link to each other, redirect to each other, say nothing, cut answers off, or ask
    for patience: a page's address decides."""
    broken = packed(b"x" * MIB)[:-9]

    def site(host, path):
        if path == "/robots.txt":
            return ALLOW_ALL
        port = host.rpartition(":")[2]
        mood = zlib.crc32((host + path).encode())
        others = [f"http://127.1.0.{(mood >> 8) % 40 + n + 1}:{port}/{(mood >> n) % 97}"
                  for n in range(20)]
        page = answer("".join(f"<a href={url}>" for url in others).encode())
        return {0: None, 1: Cut(page[:len(page) // 2]), 2: Cut(page[:20]),
                3: answer(status="302 Found", headers=(f"Location: {others[0]}",)),
                4: answer(status="503 Busy", headers=("Retry-After: 1",)),
                5: Cut(broken)}.get(mood % 12, page)
    return site


class Connection(asyncio.Protocol):
    site = None

    def connection_made(self, transport):
        self.transport = transport
        self.buffer = b""

    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            fields = dict(line.split(": ", 1) for line in lines[1:])
            body = type(self).site(fields.get("Host", ""), lines[0].split(" ")[1])
            if body is None:
                return self.transport.abort()
            if lines[0].startswith("HEAD"):
                body = body.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            self.transport.write(body)
            if isinstance(body, Cut):
                return self.transport.close()


def run_server(listener, make_site):
    async def serve():
        Connection.site = staticmethod(make_site())
        server = await asyncio.get_running_loop().create_server(Connection, sock=listener,
                                                                backlog=1024)
        await server.serve_forever()
    asyncio.run(serve())


@contextlib.contextmanager
def hostile(make_site):
    """Yields the port at which all of 127.0.0.0/8 answers, once the site is made."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", 0))
    listener.listen(1024)
    process = multiprocessing.get_context("fork").Process(target=run_server,
                                                          args=(listener, make_site), daemon=True)
    process.start()
    port = listener.getsockname()[1]
    listener.close()
    try:
        yield port
    finally:
        process.terminate()
        process.join()
