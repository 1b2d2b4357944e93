"""Crawls that an earlier weft left behind: old_folder_test.py PATH_TO_WEFT. Only loopback is used.

data/folder-0.1.0.tar.gz holds two folders of one crawl, made before the frontier's log knew the
clock: `ended` stopped at its limit of 14 URLs, `killed` by kill -9. Their site, http://old.test/,
was served as below, through a proxy, so that it is there again under its name at any port.
"""

import http.server
import shutil
import tarfile
import threading
import unittest

from program import ROOT, Scratch

PAGE_COUNT = 20
HOME = "http://old.test/"
ENDINGS = {"fetched": 25, "redirect": 1, "denied": 1}  # Of the whole site.
OTHERS = {
    "/robots.txt": ("text/plain",
                    f"User-agent: *\nDisallow: /private\nSitemap: {HOME}sitemap.xml\n"),
    "/sitemap.xml": ("application/xml",
                     '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                     f"<url><loc>{HOME}listed</loc></url></urlset>"),
    "/style.css": ("text/css", "body { color: black }"),
}


def links_of(path):
    """Nothing if there is no such page."""
    if path == "/":
        return [*(f"/page/{i}" for i in range(PAGE_COUNT)), "/old", "/private/x", "/gone",
                "/style.css"]
    if path in ("/listed", "/page/4", "/page/5"):
        return ["/"]
    number = path.removeprefix("/page/")
    if number.isdigit() and int(number) < PAGE_COUNT:
        return ["/", f"/page/{(int(number) * 7 + 3) % PAGE_COUNT}"]
    return []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = "/" + self.path.removeprefix(HOME)
        links = links_of(path)
        if path == "/old":
            self.answer(301, "text/html", "", Location="/page/1")
        elif path in OTHERS:
            self.answer(200, *OTHERS[path])
        elif not links:
            self.answer(404, "text/html", "<p>not here")
        else:
            title = "copy" if path in ("/page/4", "/page/5") else path
            self.answer(200, "text/html",
                        f"<title>{title}</title><p>The page {title} of an old site.</p>" +
                        "".join(f'<a href="{link}">{link}</a>' for link in links))

    def answer(self, status, kind, text, **headers):
        body = text.encode()
        self.send_response(status)
        headers |= {"Content-Type": kind, "Content-Length": len(body), "ETag": f'"{len(body)}"'}
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class OldFolder(Scratch):
    def setUp(self):
        super().setUp()
        with tarfile.open(ROOT / "tests/cli/data/folder-0.1.0.tar.gz") as data:
            data.extractall(self.path)
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        site.daemon_threads = True
        threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(lambda: (site.shutdown(), site.server_close()))
        self.proxy = f"http://127.0.0.1:{site.server_port}"

    def run_well(self, *arguments):
        run = self.weft(*arguments)
        self.assertEqual(run.returncode, 0, (arguments, run.stderr))
        return run.stdout

    def endings(self, folder):
        endings = [page["ending"] for page in self.pages(folder).values()]
        return {ending: endings.count(ending) for ending in endings}

    def verify(self, folder):
        self.assertIn(", 0 problems",
                      self.run_well("warc", "verify", *(self.path / folder).glob("archive/*")))

    def finish(self, folder):
        self.run_well("resume", "--quiet", "--wait", "0", "--limit", "1000", "--proxy", self.proxy,
                      folder)
        self.assertEqual(self.endings(folder), ENDINGS)
        self.verify(folder)

    def test_it_is_read(self):
        for folder, count in [("ended", 14), ("killed", 13)]:
            text = self.run_well("report", folder)
            self.assertIn(f"{count} URLs in", text)
            self.assertIn("13  not reached", text)
            self.assertIn("fetched: 200 OK", self.run_well("explain", folder, HOME + "page/1"))
            self.assertIn(f"{count - 1} pages",
                          self.run_well("wacz", folder, "-o", folder + ".wacz"))
            self.run_well("mirror", folder, folder + "-copy")
            self.verify(folder)

    def test_it_is_finished_and_crawled_again(self):
        for folder in ["ended", "killed"]:
            self.finish(folder)

            again = folder + "-again"
            self.run_well("recrawl", "--quiet", "--wait", "0", "--proxy", self.proxy, "--output",
                          again, folder)
            self.assertEqual(self.endings(again), ENDINGS)
            self.verify(again)

    def test_it_is_repaired(self):
        for folder in ["ended", "killed"]:
            self.assertIn("nothing to repair", self.run_well("repair", folder))
            shutil.rmtree(self.path / folder / "state/frontier")
            self.assertIn("the frontier is missing", self.run_well("repair", folder))
            self.finish(folder)


if __name__ == "__main__":
    unittest.main()
