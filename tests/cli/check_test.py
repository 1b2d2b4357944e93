"""`weft check` as a build runs it: check_test.py PATH_TO_WEFT. Only loopback is used."""

import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as xml

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60


class Site(http.server.ThreadingHTTPServer):
    """A table of path and (status, type, body); a status may be a list, one for each request."""

    daemon_threads = True

    def __init__(self, address="127.0.0.1"):
        super().__init__((address, 0), Handler)
        self.pages = {}
        self.requests = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def home(self):
        return "http://%s:%d/" % self.server_address

    def page(self, path, body="", status=200, kind="text/html", **headers):
        self.pages[path] = (status, kind, body, headers)

    def close(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.requests.append(f"{self.command} {self.path}")
        status, kind, body, headers = self.server.pages.get(
            self.path, (404, "text/html", "nothing", {}))
        if isinstance(status, dict):
            status = status[self.command]
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.site = Site()
        self.addCleanup(self.site.close)
        self.other = Site("127.0.0.2")
        self.addCleanup(self.other.close)

    def check(self, *arguments):
        tries = () if "--tries" in arguments else ("--tries", "1")
        return subprocess.run(
            [WEFT, "check", "--allow-net", "127.0.0.0/8", *tries, *arguments, self.site.home],
            cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)

    def broken(self, *arguments):
        run = self.check("--format", "json", *arguments)
        report = json.loads(run.stdout)
        return {link["url"].replace(self.site.home, "/"): link for link in report["broken"]}


class Links(Check):
    def test_a_sound_site_is_fine(self):
        self.site.page("/", "<a href=/a>A</a><img src=/i.png>")
        self.site.page("/a", "<a href=/>home</a>")
        self.site.page("/i.png", "x", kind="image/png")
        run = self.check()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"\A3 links checked on \d pages in .*: 3 fine, 0 broken\n")
        self.assertEqual(list(self.path.iterdir()), [], "nothing is kept")

    def test_a_broken_link_names_the_pages_and_what_the_link_says(self):
        self.site.page("/", "<a href=/gone>Old <b>news</b></a><a href=/a>A</a>")
        self.site.page("/a", "<a href=/gone></a>")
        run = self.check()
        self.assertEqual(run.returncode, 8)
        self.assertIn("1 broken", run.stdout)
        self.assertRegex(run.stdout, r"/gone\n +404 Not Found\n"
                                     r" +on http://127\.0\.0\.1:\d+/  \"Old news\"\n"
                                     r" +on http://127\.0\.0\.1:\d+/a\n")

    def test_images_scripts_styles_and_what_styles_name_count(self):
        self.site.page("/", "<img src=/i.png><script src=/s.js></script><link rel=stylesheet "
                       "href=/good.css><link rel=stylesheet href=/bad.css>"
                       "<p style='background:url(/back.png)'>")
        self.site.page("/good.css", "p { background: url(deep.png) }", kind="text/css")
        self.assertEqual(sorted(self.broken()),
                         ["/back.png", "/bad.css", "/deep.png", "/i.png", "/s.js"])

    def test_what_is_no_url_is_broken(self):
        self.site.page("/", "<a href='http://'>x</a><a href='mailto:a@b'>m</a>"
                       "<img src='data:image/png;base64," + "A" * 20000 + "'>")
        found = self.broken()
        self.assertEqual(list(found), ["http://"])
        self.assertIn("not a URL", found["http://"]["reason"])

    def test_a_redirect_is_as_good_as_its_end(self):
        self.site.page("/", "<a href=/old>1</a><a href=/lost>2</a><a href=/circle>3</a>")
        self.site.page("/old", status=301, Location="/new")
        self.site.page("/new", "here")
        self.site.page("/lost", status=302, Location="/gone")
        self.site.page("/circle", status=302, Location="/circle")
        found = self.broken()
        self.assertEqual(sorted(found), ["/circle", "/lost"])
        self.assertIn("/gone", found["/lost"]["end_url"])

    def test_a_hundred_pages_are_named_and_all_are_counted(self):
        self.site.page("/", "".join(f"<a href=/p{n}>{n}</a>" for n in range(120)))
        for n in range(120):
            self.site.page(f"/p{n}", "<a href=/gone>gone</a>")
        link = self.broken()["/gone"]
        self.assertEqual(link["source_count"], 120)
        self.assertEqual(len(link["sources"]), 100)

    def test_an_unreachable_start_has_its_own_exit_status(self):
        run = subprocess.run([WEFT, "check", "--tries", "1", "http://127.0.0.1:1/"],
                             capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, 4)
        self.assertIn("given as a seed", run.stdout)


class Leaving(Check):
    def test_each_link_that_leaves_is_asked_for_once_by_head(self):
        self.site.page("/", f"<a href={self.other.home}a>a</a><img src={self.other.home}i.png>"
                       "<a href=/second>2</a>")
        self.site.page("/second", f"<a href={self.other.home}a>a</a>")
        self.other.page("/a", "<a href=/deeper>never asked for</a>")
        found = self.broken()
        self.assertEqual([url.split("/")[-1] for url in found], ["i.png"])
        self.assertEqual(sorted(self.other.requests), ["GET /i.png", "HEAD /a", "HEAD /i.png"])

    def test_who_knows_no_head_is_asked_by_get(self):
        for status in 403, 405, 501, 404:
            self.other.page(f"/{status}", "here", status={"HEAD": status, "GET": 200})
        self.site.page("/", "".join(f"<a href={self.other.home}{status}>x</a>"
                                    for status in [403, 405, 501, 404]))
        self.assertEqual(self.check().returncode, 0)
        self.assertEqual(len(self.other.requests), 8)

    def test_busy_servers_and_private_addresses_are_not_called_broken(self):
        self.other.page("/busy", status=429)
        self.site.page("/", f"<a href={self.other.home}busy>x</a><a href=http://10.0.0.1/>y</a>")
        run = self.check()
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("2 not verified", run.stdout)

    def test_a_start_that_nobody_serves_is_told_soon(self):
        begun = time.monotonic()
        run = subprocess.run([WEFT, "check", "http://127.0.0.1:1/"], capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 4)
        self.assertIn("connect refused", run.stdout)
        self.assertLess(time.monotonic() - begun, 15)  # Of a crawl's own pauses: 25 and more.

    def test_statuses_can_be_accepted_and_links_excluded(self):
        self.other.page("/login", status=403)
        self.site.page("/", f"<a href={self.other.home}login>x</a>"
                       f"<a href={self.other.home}secret>y</a>")
        self.assertEqual(self.check().returncode, 8)
        self.other.requests.clear()
        self.assertEqual(self.check("--accept", "403,401", "--exclude", "/secret").returncode, 0)
        self.assertNotIn("HEAD /secret", self.other.requests)

    def test_a_link_nobody_answers_to_does_not_keep_a_build_waiting(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.2", 0))
            link = "http://127.0.0.2:%d/" % nobody.getsockname()[1]
            self.site.page("/", f"<a href={link}>x</a>")
            start = time.monotonic()
            self.assertIn(link, self.broken("--tries", "3"))
        self.assertLess(time.monotonic() - start, 10)

    def test_internal_only_asks_nobody_else(self):
        self.site.page("/", f"<a href={self.other.home}gone>x</a>")
        self.assertEqual(self.check("--internal-only").returncode, 0)
        self.assertEqual(self.other.requests, [])

    def test_links_beyond_the_depth_are_looked_at_but_not_read(self):
        self.site.page("/", "<a href=/a>A</a>")
        self.site.page("/a", "<a href=/b>B</a><a href=/gone>G</a>")
        self.site.page("/b", "<a href=/never>N</a>")
        self.assertEqual(list(self.broken("--depth", "1")), ["/gone"])
        self.assertIn("HEAD /b", self.site.requests)


class Fragments(Check):
    def test_anchors_are_ids_and_names(self):
        self.site.page("/", "<a href=/p#id>1</a><a href=/p#name>2</a><a href=/p#none>3</a>"
                       "<a href=#top>4</a><a href=/p#caf%C3%A9>5</a><a href=#!/app>6</a>"
                       "<a href=/p#:~:text=words>7</a><a href=#here>8</a>")
        self.site.page("/p", "<meta charset=utf-8><p id=id><a name=name></a><p id='café'>")
        self.assertEqual(self.broken(), {})
        found = self.broken("--fragments")
        self.assertEqual(sorted(found), ["/#here", "/p#none"])
        self.assertEqual(found["/p#none"]["reason"], "the page has no part named 'none'")

    def test_a_fragment_survives_a_redirect(self):
        self.site.page("/", "<a href=/old#there>1</a><a href=/old#not>2</a>")
        self.site.page("/old", status=301, Location="/new")
        self.site.page("/new", "<p id=there>")
        self.assertEqual(sorted(self.broken("--fragments")), ["/old#not"])


class Forms(Check):
    def setUp(self):
        super().setUp()
        self.site.page("/", "<a href=/gone>\x1b]0;t\x07 ::error:: | ]]&gt; &lt;script&gt; "
                       "\u202e \ufffe %0A</a>")

    def test_h102_nothing_from_outside_gets_out_of_its_place(self):
        for form in "text", "json", "junit", "markdown", "github":
            run = self.check("--format", form)
            self.assertEqual(run.returncode, 8)
            for bad in "\x1b", "\x07", "\u202e":
                self.assertNotIn(bad, run.stdout, form)
        self.assertNotIn("<script", self.check("--format", "markdown").stdout)

    def test_junit_is_xml_with_a_case_for_each_link(self):
        self.site.page("/", self.site.pages["/"][2] + "<a href=/>home</a>")
        suite = xml.fromstring(self.check("--format", "junit").stdout).find("testsuite")
        self.assertEqual(len(suite.findall("testcase")), int(suite.get("tests")))
        self.assertEqual(suite.get("failures"), "1")
        case, = [each for each in suite if each.find("failure") is not None]
        self.assertTrue(case.get("name").endswith("/gone"))
        self.assertEqual(case.find("failure").get("message"), "404 Not Found")
        self.assertIn(self.site.home, case.find("failure").text)

    def test_github_annotations_are_one_line_each(self):
        lines = self.check("--format", "github").stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0],
                         r"^::error title=Broken link::http://\S+/gone 404 Not Found, on ")
        self.assertIn("%250A", lines[0])

    def test_markdown_is_a_table(self):
        lines = self.check("--format", "markdown").stdout.splitlines()
        self.assertEqual(lines[0], "## Links: 1 broken")
        row, = [line for line in lines if "/gone" in line]
        self.assertEqual(row.replace("\\|", "").count("|"), 4)


    def test_quiet_still_writes_the_form_that_was_asked_for(self):
        self.assertIn("/gone", self.check("--quiet", "--format", "junit").stdout)
        self.assertEqual(self.check("--quiet").stdout, "")
        self.assertEqual(self.check("--quiet", "--format", "json", "--output", "x").stdout, "")


class Unreached(Check):
    def test_links_not_reached_are_counted_and_the_first_are_listed(self):
        for count in (1000, 1001):
            self.site.page("/", "".join(f"<a href=/{n:04}>x</a>" for n in range(count)))
            report = json.loads(self.check("--limit", "1", "--format", "json").stdout)
            self.assertEqual(report["counts"]["not_reached"], count)
            listed = [link["url"] for link in report["not_reached"]]
            self.assertEqual(listed, [f"{self.site.home}{n:04}" for n in range(1000)])


class MadeCi(Check):
    """A build with a step that checks links, and a site that changes between builds."""

    STEP = """set -eu
"$WEFT" check --baseline known-links.txt --format junit --output links.xml "$SITE"
echo deployed
"""

    def build(self):
        run = subprocess.run(["sh", "-c", self.STEP], cwd=self.path, capture_output=True,
                             text=True, timeout=PATIENCE_SECONDS,
                             env={**os.environ, "WEFT": str(WEFT), "SITE": self.site.home})
        return run

    def test_it_fails_only_on_what_is_newly_broken(self):
        self.site.page("/", "<a href=/old-sin>1</a><a href=/fine>2</a>")
        self.site.page("/fine", "here")

        run = self.build()
        self.assertEqual(run.returncode, 2)
        self.assertIn("--write-baseline makes it", run.stderr)

        run = self.check("--baseline", "known-links.txt", "--write-baseline")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex((self.path / "known-links.txt").read_text(),
                         r"\n\./old-sin\t404 Not Found\n")

        run = self.build()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("deployed", run.stdout)
        self.assertIn("1 broken (1 known, 0 new)", run.stdout)

        self.site.page("/fine", "<a href=/new-sin>oops</a>")
        run = self.build()
        self.assertEqual(run.returncode, 8)
        self.assertNotIn("deployed", run.stdout)
        self.assertIn("/new-sin", run.stdout)
        suite = xml.parse(self.path / "links.xml").getroot().find("testsuite")
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        self.assertEqual(failed, [self.site.home + "new-sin"])

        self.site.page("/fine", "here")
        self.site.page("/old-sin", "forgiven")
        run = self.build()
        self.assertEqual(run.returncode, 0)
        self.assertIn("In the baseline, but not broken now (1)", run.stdout)


if __name__ == "__main__":
    unittest.main()
