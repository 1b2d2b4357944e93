"""Reports of a crawl in every form, of hostile sites too: report_test.py PATH_TO_WEFT."""

import base64
import csv
import hashlib
import html.parser
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import xml.etree.ElementTree as xml

import browser

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60

SEEDS_OF_EVIL = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'",
    "</title><script>alert(1)</script>", "</svg><svg onload=alert(1)>", "javascript:alert(1)",
    "<style>*{display:none}</style>", "<iframe src=//evil.example>", "{{7*7}}", "${7*7}",
    "\x1b]0;owned\x07", "\x1b[2J\x1b[31m", "\u202egnp.exe", "\u2066hidden\u2069",
    "=cmd|' /C calc'!A0", "+1+1", "-1-1", "@SUM(A1)", "]]><!--", "<!--", "-->",
    "&lt;script&gt;", "%3Cscript%3E",
    "<base href=//evil.example>", "<meta http-equiv=refresh content=0>", "onmouseover=alert(1)",
    "<a href=javascript:alert(1)>x</a>", "\x00", "\r\nSet-Cookie: a=b", "\u2028\u2029",
    "<math><mtext></math>", "<plaintext>", "`", "\\\"", "<svg/onload=alert(1)>", "|x|y|", "\ufeff",
    "<form action=//evil.example><input>", "<object data=x>", "<link rel=stylesheet href=//evil>",
    "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">",
    "</bdi></title></style><svg onload=document.title='owned'>",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
]


def hostile_texts(count):
    for number in range(count):
        evil = SEEDS_OF_EVIL[number % len(SEEDS_OF_EVIL)]
        yield [evil, evil * 3, f"a{evil}b", f"{evil}{number}", evil.upper()][number % 5]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        pages = self.server.pages
        status, kind, body = pages.get(self.path, (404, "text/html", "gone"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode("utf-8", "surrogatepass"))

    def log_message(self, *_):
        pass


class Reading(html.parser.HTMLParser):
    """What a browser would see that could do something."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.links, self.texts = set(), set(), [], []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            self.attributes.add(name)
            if name in ("href", "src"):
                self.links.append(value)

    def handle_data(self, data):
        self.texts.append(data)


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def weft(self, *arguments):
        return subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True,
                              encoding="utf-8", timeout=PATIENCE_SECONDS)

    def report(self, *arguments):
        run = self.weft("report", "kept", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def crawl_demo(self, *arguments):
        site = subprocess.Popen([WEFT, "demo-site", "--port", "0", "--pages", "40"], text=True,
                                stdout=subprocess.PIPE)
        self.addCleanup(lambda: (site.kill(), site.communicate()))
        self.home = re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]
        run = self.weft("crawl", "--quiet", "--wait", "0", "--max-per-host", "8", "--output",
                        "kept", *arguments, self.home)
        self.assertEqual(run.returncode, 0, run.stderr)


class HostileSite(Scratch):
    def setUp(self):
        super().setUp()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(lambda: (server.shutdown(), server.server_close()))
        home = "http://127.0.0.1:%d/" % server.server_port
        texts = list(hostile_texts(200))
        links, server.pages = [], {}
        for number, text in enumerate(texts):
            path = "/%d/%s" % (number, urllib.parse.quote(text, safe="'()*!;:@&=+$,"))
            links.append(f"<a href='{path.replace(chr(39), '%27')}'>x</a>")
            escaped = text.replace("&", "&amp;").replace("<", "&lt;")
            # Every other page is broken, so that its URL is in the list of broken links.
            server.pages[path.replace("'", "%27")] = (
                (404 if number % 2 else 200), "text/html; charset=utf-8",
                f"<meta charset=utf-8><title>{escaped}</title>{number}")
        server.pages["/"] = (200, "text/html; charset=utf-8", "".join(links))
        run = self.weft("crawl", "--quiet", "--wait", "0", "--max-per-host", "8", "--no-sitemaps",
                        "--links", "--output", "kept", home)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = (self.path / "kept/pages/pages.jsonl").read_text("utf-8").splitlines()
        self.assertEqual(len(lines), 1 + 201)

    def assert_inert(self, text):
        for bad in "\x1b", "\x07", "\x00", "\u202e", "\u2066", "\u2028", "\ufeff":
            self.assertNotIn(bad, text)
        page = Reading()
        page.feed(text)
        self.assertLessEqual(page.tags, {
            "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "div", "b", "span",
            "nav", "a", "section", "svg", "rect", "line", "circle", "table", "tr", "th", "td",
            "bdi", "br", "tbody"})
        self.assertLessEqual(page.attributes, {
            "lang", "charset", "http-equiv", "content", "name", "class", "href", "rel", "id",
            "viewbox", "role", "aria-label", "width", "height", "rx", "x1", "x2", "y1", "y2", "cx",
            "cy", "r"})
        for link in page.links:
            self.assertRegex(link, r"\A(http://127\.0\.0\.1:\d+/|#[a-z]+\Z)")


class Hostile(HostileSite):
    def test_h102_the_html_report_of_two_hundred_hostile_pages_does_nothing(self):
        text = self.report("--format", "html")
        self.assert_inert(text)
        self.assertIn("100", text)

    def test_h102_a_small_hostile_site_is_drawn_and_does_nothing(self):
        lines = (self.path / "kept/pages/pages.jsonl").read_text("utf-8").splitlines(True)
        (self.path / "kept/pages/pages.jsonl").write_text("".join(lines[:120]), "utf-8")
        text = self.report("--format", "html")
        self.assertIn("<circle", text)
        self.assert_inert(text)

    def test_h102_h103_nor_do_the_other_forms(self):
        for form in "text", "json", "csv", "markdown", "urls":
            text = self.report("--format", form)
            for bad in "\x1b", "\x07", "\x00", "\u202e", "\u2066":
                self.assertNotIn(bad, text, form)
        json.loads(self.report("--format", "json"))
        for row in csv.reader(io.StringIO(self.report("--format", "csv"))):
            for cell in row:
                self.assertNotIn(cell[:1], list("=+@\t\r"))

    def test_h102_graphs_are_whole_whatever_pages_are_called(self):
        tree = xml.fromstring(self.report("--graph", "graphml"))
        space = "{http://graphml.graphdrawing.org/xmlns}"
        self.assertEqual(len(tree.findall(f".//{space}node")), 201)
        self.assertEqual(len(tree.findall(f".//{space}edge")), 200)
        dot = self.report("--graph", "dot")
        line = re.compile(r'  n\d+ \[label="([^"\\]|\\.)*", status=\d+, mime="[^"]*", depth=\d+\];|'
                          r"  n\d+ -> n\d+ \[kind=link\];|digraph weft \{|  node \[shape=box\];|\}")
        for each in dot.splitlines():
            self.assertTrue(line.fullmatch(each), each)


@unittest.skipUnless(browser.CHROMIUM, "no chromium to look at it with")
class Browser(HostileSite):
    def dom(self, page):
        return browser.dom(page.resolve().as_uri(), self.path / "profile", "--timeout=2000")

    def test_h102_a_browser_runs_nothing_of_two_hundred_hostile_pages(self):
        report = self.path / "kept/reports/report.html"
        canary = self.path / "canary.html"
        canary.write_text("<title>x</title>" + "".join(
            text for text in SEEDS_OF_EVIL if "owned'" in text))

        self.assertIn("<title>owned</title>", self.dom(canary), "it could tell")
        seen = self.dom(report)

        self.assertIn("<title>Crawl report</title>", seen)
        self.assertGreater(seen.count("owned"), 10)
        self.assert_inert(seen)


class Demo(Scratch):
    def test_the_page_allows_itself_one_style_and_no_more(self):
        self.crawl_demo()
        text = self.report("--format", "html")
        policy = re.search(r'Security-Policy" content="([^"]*)"', text)[1]
        style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self.assertEqual(policy, f"default-src 'none'; style-src 'sha256-{digest}'; "
                                 "base-uri 'none'; form-action 'none'")
        self.assertNotRegex(text, r"<script|style=|\son\w+=|src=|@import|url\(")
        self.assertIn("prefers-color-scheme: dark", text)

    def test_the_text_has_all_that_an_owner_asks_for(self):
        self.crawl_demo()
        text = self.report()
        for title in ("By status", "By type", "Links not followed, by rule", "Slowest", "Largest",
                      "The same content under several URLs", "Redirects", "Kept out by robots.txt",
                      "Broken links"):
            self.assertIn(f"\n{title}", text)

    def test_people_read_why_links_were_not_followed_and_machines_the_rule(self):
        self.crawl_demo()
        for form in ("text", "html"):
            text = self.report("--format", form)
            self.assertRegex(text, "not on a seed(&#39;|')s host")
            self.assertNotIn("other_host", text)
        self.assertIn("other_host", json.loads(self.report("--format", "json"))["by_refusal"])

    def test_json_agrees_with_the_pages(self):
        self.crawl_demo()
        lines = (self.path / "kept/pages/pages.jsonl").read_text().splitlines()[1:]
        pages = [json.loads(line) for line in lines]
        report = json.loads(self.report("--format", "json"))
        fetched = [page for page in pages if page["ending"] == "fetched"]
        self.assertEqual(report["counts"]["urls"], len(pages))
        self.assertEqual(sum(row["count"] for row in report["by_depth"]), len(fetched))
        self.assertEqual(sum(row["count"] for row in report["by_time"]), len(fetched))
        self.assertEqual(report["largest"][0]["size"], max(page.get("size", 0) for page in fetched))
        self.assertEqual(report["counts"]["waiting"], 0)

    def test_f16_f17_f18_the_form_of_the_reference(self):
        self.crawl_demo()
        lines = self.report("--format", "urls").splitlines()
        self.assertEqual(lines[0], "*** Report ***")
        end = next(i for i, line in enumerate(lines) if line.startswith("Finished "))
        rows = lines[1:end]
        self.assertEqual(rows, sorted(rows, key=lambda row: row.split()[0]))
        self.assertRegex(rows[0], rf"^{self.home} 200 text/html UTF-8 \d+ \d+/\d+$")
        self.assertTrue(any(re.search(r" 30\d redirect http://", row) for row in rows))
        self.assertTrue(any(re.search(r" 200 image/png None \d+$", row) for row in rows))
        self.assertRegex(lines[end], r"^Finished %d urls in [\d.]+ secs \(max_tasks=256\) "
                                     r"\([\d.]+ urls/sec/task\)$" % len(rows))
        counters = {}
        for line in lines[end + 1:-3]:
            self.assertRegex(line, r"^ *\d+ \w+$")
            self.assertEqual(len(line.rsplit(" ", 1)[0]), 10)
            counters[line.split()[1]] = int(line.split()[0])
        self.assertEqual(list(counters), sorted(counters))
        self.assertEqual(counters["status_404"],
                         sum(1 for row in rows if row.split()[1] == "404"))
        self.assertEqual(counters["redirect"], sum(1 for row in rows if " redirect " in row))
        self.assertEqual(lines[-3:-1], ["Todo: 0", f"Done: {len(rows)}"])
        self.assertRegex(lines[-1], r"^Date: \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} local time$")

    def test_a_running_crawl_has_a_report(self):
        site = subprocess.Popen([WEFT, "demo-site", "--port", "0", "--pages", "300"], text=True,
                                stdout=subprocess.PIPE)
        self.addCleanup(lambda: (site.kill(), site.communicate()))
        home = re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]
        crawl = subprocess.Popen([WEFT, "crawl", "--quiet", "--wait", "0.02", "--output", "kept",
                                  home], cwd=self.path)
        self.addCleanup(lambda: (crawl.kill(), crawl.wait()))
        end = time.monotonic() + PATIENCE_SECONDS
        report = {"counts": {"urls": 0}}
        while time.monotonic() < end and report["counts"]["urls"] < 5:
            time.sleep(0.1)
            run = self.weft("report", "--format", "json", "kept")
            if run.returncode == 0:
                report = json.loads(run.stdout)
        self.assertIsNone(crawl.poll(), "it runs")
        self.assertGreaterEqual(report["counts"]["urls"], 5)
        self.assertGreater(report["counts"]["waiting"], 0)

    def test_a_graph_without_kept_links_is_the_tree_of_finds(self):
        self.crawl_demo()
        tree = xml.fromstring(self.report("--graph", "graphml"))
        space = "{http://graphml.graphdrawing.org/xmlns}"
        kinds = {edge.find(f"{space}data").text for edge in tree.iter(f"{space}edge")}
        self.assertEqual(kinds, {"found", "redirect"})
        nodes = {node.get("id") for node in tree.iter(f"{space}node")}
        for edge in tree.iter(f"{space}edge"):
            self.assertIn(edge.get("source"), nodes)
            self.assertIn(edge.get("target"), nodes)


if __name__ == "__main__":
    unittest.main()
