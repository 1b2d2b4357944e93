"""What tests of archives share: a crawl in a folder of its own, and a site that changes."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60


class Archive(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def weft(self, *arguments, status=0):
        run = subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True, text=True,
                             timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout

    def demo_site(self, *arguments):
        process = subprocess.Popen([WEFT, "demo-site", "--port", "0", "--slow-delay", "0.01",
                                    *arguments], text=True, stdout=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]

    def end(self, process):
        process.kill()
        process.communicate()

    def crawl(self, *arguments, site=None, output="crawl", status=0):
        site = site or self.demo_site("--pages", "20")
        self.weft("crawl", "--wait", "0", "--max-per-host", "8", "--quiet", "--output", output,
                  *arguments, site, status=status)
        return self.path / output

    def pages(self, crawl):
        lines = (crawl / "pages/pages.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines[1:]]


class ChangingSite(Archive):
    """A site that changes between two crawls."""

    def setUp(self):
        super().setUp()
        self.site = self.path / "site"
        self.site.mkdir()
        self.page("index.html", "Home", "a.html", "b.html", "c.html", "d.html", "style.css")
        self.page("a.html", "A", "deep.html")
        for name in ["b", "c", "d", "deep"]:
            self.page(name + ".html", name)
        (self.site / "style.css").write_text("body { background: url(picture.png) }")
        (self.site / "picture.png").write_bytes(b"picture")
        process = subprocess.Popen([WEFT, "serve", "--port", "0", "--quiet", self.site],
                                   text=True, stdout=subprocess.PIPE)
        self.addCleanup(self.end, process)
        self.url = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]

    def page(self, name, title, *links):
        items = "".join(f'<a href="{link}">{link}</a>' for link in links if link.endswith("html"))
        styles = "".join(f'<link rel=stylesheet href="{link}">' for link in links
                         if link.endswith("css"))
        (self.site / name).write_text(f"<title>{title}</title>{styles}{items}")

    def recrawl(self, folder, output):
        return self.weft("recrawl", folder, "--output", output)

    def change(self):
        self.page("index.html", "Home", "a.html", "b.html", "c.html", "new.html", "style.css")
        self.page("b.html", "B, which has changed")
        self.page("new.html", "New")
        (self.site / "c.html").unlink()

    def kinds(self, crawl):
        file, = crawl.glob("archive/*")
        return {line.split()[-1][len(self.url) - 1:]: (line.split()[2], line.split()[3])
                for line in self.weft("warc", "ls", file).splitlines()
                if line.split()[2] in ("response", "revisit")}
