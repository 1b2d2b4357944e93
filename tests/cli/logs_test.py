"""Logs and metrics of a crawl: logs_test.py PATH_TO_WEFT. Only loopback is used."""

import http.client
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60
COLUMNS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z +(-?\d+) +(\d+) (\S+) "
                     r"(-|\d*\+?[LREMI]) (\S+) (\S+) #000 \d{17}\+\d+ (\S+) - (\S+)")


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def start(self, *arguments):
        process = subprocess.Popen([WEFT, *arguments], cwd=self.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        return process

    def demo_site(self, *arguments):
        site = self.start("demo-site", "--port", "0", *arguments)
        return re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]

    def crawl(self, home, *arguments):
        run = subprocess.run([WEFT, "crawl", "--quiet", "--wait", "0", "--output", "kept",
                              *arguments, home], cwd=self.path, capture_output=True, text=True,
                             timeout=PATIENCE_SECONDS)
        self.assertIn(run.returncode, (0, 14), run.stderr)

    def lines(self, name):
        return (self.path / "kept" / name).read_text().splitlines()


class Logs(Scratch):
    def test_both_forms_have_a_line_for_each_url(self):
        self.crawl(self.demo_site("--pages", "20"), "--max-per-host", "8",
                   "--log-format", "heritrix,jsonl")
        pages = {page["url"]: page for page in map(json.loads, self.lines("pages/pages.jsonl")[1:])}
        rows = [COLUMNS.fullmatch(line) for line in self.lines("logs/crawl.log")]
        self.assertNotIn(None, rows)
        self.assertEqual({row[3] for row in rows}, set(pages))
        objects = [json.loads(line) for line in self.lines("logs/crawl.jsonl")]
        self.assertEqual({line["url"] for line in objects}, set(pages))
        for row in rows:
            page = pages[row[3]]
            if page["ending"] == "denied":
                self.assertEqual(row[1], "-9998")
            else:
                self.assertEqual(int(row[1]), page["status"])
            self.assertEqual(int(row[2]), page.get("size", 0))
            self.assertEqual(row[5], page.get("referrer", "-"))

    def test_a_resumed_crawl_goes_on_with_its_log(self):
        home = self.demo_site("--pages", "20")
        self.crawl(home, "--log-format", "heritrix", "--limit", "10")
        first = len(self.lines("logs/crawl.log"))
        subprocess.run([WEFT, "resume", "--quiet", "--limit", "30", "kept"], cwd=self.path,
                       timeout=PATIENCE_SECONDS)
        self.assertGreater(len(self.lines("logs/crawl.log")), first)

    def test_h102_what_a_server_says_stays_in_its_column(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/ht\x1bml\x9b \u202e x; charset=utf-8"
                                 .encode("utf-8").decode("latin-1"))
                self.end_headers()
                self.wfile.write(b"x")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(lambda: (server.shutdown(), server.server_close()))
        self.crawl("http://127.0.0.1:%d/" % server.server_port, "--log-format", "heritrix,jsonl",
                   "--no-sitemaps", "--tries", "1")
        for line in self.lines("logs/crawl.log"):
            self.assertTrue(COLUMNS.fullmatch(line), line)
            self.assertTrue(line.isprintable() and line.isascii(), line)
        for line in self.lines("logs/crawl.jsonl"):
            self.assertTrue(line.isprintable() and line.isascii(), line)
            json.loads(line)


class Pages(Scratch):
    """docs/reference/pages.md has the fields of pages.jsonl, all of them and no others."""

    TYPES = {"text": str, "number": int, "flag": bool, "object": dict, "list of text": list}

    def documented(self):
        text = (ROOT / "docs/reference/pages.md").read_text()
        return dict(re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", text, re.MULTILINE))

    def test_the_documented_fields_are_those_that_can_be_written(self):
        source = (ROOT / "src/archive/index/outcome.cpp").read_text()
        table = source[source.index("kMembers[]"):source.index("\n};", source.index("kMembers[]"))]
        self.assertEqual(list(self.documented()), re.findall(r'[({]"(\w+)"', table))

    def test_what_is_written_is_documented_with_its_type(self):
        self.crawl(self.demo_site("--pages", "60"), "--max-per-host", "8", "--text", "--links",
                   "--near-duplicates", "--scope", "domain")
        documented, seen = self.documented(), set()
        for line in self.lines("pages/pages.jsonl")[1:]:
            for name, value in json.loads(line).items():
                self.assertIs(type(value), self.TYPES[documented[name]], name)
                self.assertTrue(value or name == "offset", f"{name} is empty and not left out")
                seen.add(name)
        rare = {"failure", "reason", "attempts", "truncated", "unchanged", "charset", "canonical",
                "noindex", "nofollow", "nofollow_link", "duplicate", "near_duplicate_of",
                "skeleton", "revisit", "last_modified", "etag",
                "text"}
        self.assertLessEqual(set(documented) - rare, seen)


class Metrics(Scratch):
    LINE = re.compile(r'[a-z_]+(\{[a-z]+="[\w.+]+"\})? [\d.e+-]+')

    def test_a_crawl_serves_its_numbers(self):
        home = self.demo_site("--pages", "200", "--delay", "0.05")
        crawl = self.start("crawl", "--metrics", "0", "--wait", "0", "--output", "kept", home)
        place = re.search(r"Metrics at http://([\d.:]+)/metrics", crawl.stderr.readline())[1]
        values = {}
        while values.get('weft_urls_total{ending="fetched"}', 0) < 5:
            connection = http.client.HTTPConnection(place, timeout=PATIENCE_SECONDS)
            connection.request("GET", "/metrics")
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            rows = [line for line in text.splitlines() if not line.startswith("#")]
            for row in rows:
                self.assertRegex(row, self.LINE)
            values = {row.rsplit(" ", 1)[0]: float(row.rsplit(" ", 1)[1]) for row in rows}
        self.assertGreater(values["weft_urls_waiting"], 0)
        self.assertEqual(values["weft_hosts_active"], 1)
        self.assertEqual(values["weft_fetch_duration_seconds_count"],
                         values['weft_fetch_duration_seconds_bucket{le="+Inf"}'])
        documented = (pathlib.Path(__file__).parents[2] / "docs/reference/metrics.md").read_text()
        for name in {re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", key) for key in values}:
            self.assertIn(f"`{name}", documented)

    def test_another_name_and_another_path_are_refused(self):
        home = self.demo_site("--pages", "200", "--delay", "0.05")
        crawl = self.start("crawl", "--metrics", ":0", "--wait", "0", "--output", "kept", home)
        place = re.search(r"Metrics at http://([\d.:]+)/metrics", crawl.stderr.readline())[1]
        for path, host, status in [("/metrics", "evil.example", 403), ("/etc/passwd", place, 404)]:
            connection = http.client.HTTPConnection(place, timeout=PATIENCE_SECONDS)
            connection.putrequest("GET", path, skip_host=True)
            connection.putheader("Host", host)
            connection.endheaders()
            self.assertEqual(connection.getresponse().status, status)
            connection.close()

    def test_a_wrong_address_says_how_to_write_it(self):
        run = subprocess.run([WEFT, "crawl", "--metrics", "nowhere", "http://127.0.0.1:1/"],
                             cwd=self.path, capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("write it like 127.0.0.1:9090", run.stderr)


if __name__ == "__main__":
    unittest.main()
