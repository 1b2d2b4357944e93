"""What the program says of a crawl is so: truth_test.py PATH_TO_WEFT. Only loopback is used."""

import csv
import http.server
import io
import json
import re
import threading
import time
import unittest

from program import Scratch


class Site(http.server.ThreadingHTTPServer):
    """Pages by path: a body of HTML, or a function of the handler. Others are 404."""

    daemon_threads = True

    def __init__(self, pages):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = pages
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def home(self):
        return "http://127.0.0.1:%d/" % self.server_port


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        page = self.server.pages.get(self.path)
        if callable(page):
            page(self)
        else:
            self.answer(404 if page is None else 200, page or "nothing")

    do_HEAD = do_GET

    def answer(self, status, body="", **headers):
        data = body.encode()
        self.send_response(status)
        headers = {"Content_Type": "text/html", **headers}
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_):
        pass


def busy_once(handler):
    """503 the first time, to be asked again after a second."""
    handler.server.busy_count = getattr(handler.server, "busy_count", 0) + 1
    if handler.server.busy_count == 1:
        handler.answer(503, Retry_After="1")
    else:
        handler.answer(200, "here")


def unchanged(body):
    def answer(handler):
        if handler.headers.get("If-None-Match") == '"a"':
            handler.answer(304, ETag='"a"')
        else:
            handler.answer(200, body, ETag='"a"')
    return answer


class Truth(Scratch):
    def serve(self, pages):
        site = Site({"/robots.txt": "", **pages})
        self.addCleanup(lambda: (site.shutdown(), site.server_close()))
        return site

    def crawl(self, site, *arguments, folder="kept", statuses=(0,)):
        run = self.weft("crawl", "--wait", "0", "--max-per-host", "8", "--no-sitemaps", "--quiet",
                        "--output", folder, *arguments, site.home)
        self.assertIn(run.returncode, statuses, run.stderr)

    def report(self, form, folder="kept"):
        run = self.weft("report", "--format", form, folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout


class Referrers(Truth):
    PAGES = {"/": "<a href=/a>a</a><a href=/b>b</a><a href=/gone>1</a><img src=/gone>",
             "/a": "<a href=/%67one>2</a>", "/b": "<a href=/>none</a>"}

    def test_a_number_that_is_not_known_is_not_given(self):
        # It said referrer_count 1, whatever the number.
        self.crawl(self.serve(self.PAGES))
        broken, = json.loads(self.report("json"))["broken"]
        self.assertEqual(len(broken["referrers"]), 1)
        self.assertNotIn("referrer_count", broken)
        row, = csv.DictReader(io.StringIO(self.report("csv")))
        self.assertEqual(row["referrers"], "")
        self.assertIn("crawl with --links to get all pages", self.report("text"))

    def test_with_links_each_page_counts_once_whatever_its_spelling(self):
        site = self.serve(self.PAGES)
        self.crawl(site, "--links")
        broken, = json.loads(self.report("json"))["broken"]
        self.assertEqual(broken["referrer_count"], 2)
        self.assertEqual(sorted(broken["referrers"]), [site.home, site.home + "a"])
        row, = csv.DictReader(io.StringIO(self.report("csv")))
        self.assertEqual(row["referrers"], "2")
        self.assertNotIn("--links", self.report("text"))

    def test_where_a_page_was_cut_there_are_at_least_so_many(self):
        self.crawl(self.serve({**self.PAGES, "/b": "<p>" + "x" * 5000}), "--links",
                   "--max-body-size", "2000")
        broken, = json.loads(self.report("json"))["broken"]
        self.assertNotIn("referrer_count", broken)
        self.assertEqual(broken["referrer_count_at_least"], 2)


class Report(Truth):
    def test_a_crawl_lasts_from_its_start_to_its_end(self):
        # Of one URL that was tried for a minute it said 1 ms: the last try.
        self.crawl(self.serve({"/": busy_once}), "--tries", "2")
        self.assertGreaterEqual(json.loads(self.report("json"))["seconds"], 1.0)
        self.assertRegex(self.report("text"), r"\A1 URL in [1-9][\d.]* s ")
        self.assertRegex(self.report("urls"), r"\nFinished 1 urls in [1-9][\d.]* secs")

    def test_what_is_left_out_has_a_command_that_shows_it(self):
        self.crawl(self.serve({"/": "".join(f"<a href=/gone{n}>x</a>" for n in range(30))}))
        command = re.search(r"\.\.\. and 10 more:  weft (report --format csv kept)\n",
                            self.report("text"))[1]
        rows = csv.DictReader(io.StringIO(self.weft(*command.split()).stdout))
        self.assertEqual(len(list(rows)), 30)

    def test_content_that_was_not_sent_again_is_not_counted_as_come(self):
        site = self.serve({"/": unchanged("<a href=/b>b</a>" + "x" * 3000), "/b": "new" * 100})
        self.crawl(site)
        run = self.weft("recrawl", "kept", "--output", "again")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"\A2 URLs in .*, 300 B of content; 2\.9\d KiB more is "
                                     r"unchanged and was not sent again\n")
        self.assertRegex(run.stdout, r"\n +1  of them unchanged since the earlier crawl\n")
        counts = json.loads(self.report("json", "again"))["counts"]
        self.assertEqual((counts["unchanged"], counts["unchanged_bytes"]), (1, 3016))
        self.assertEqual(counts["bytes"], 3316)


class Traps(Truth):
    def test_the_first_lines_tell_of_links_that_were_cut_off(self):
        month = [f"/events/{2000 + i // 12}/{i % 12 + 1}" for i in range(300)]
        pages = {path: f"<p>No events. <a href={after}>next</a>"
                 for path, after in zip(month, month[1:])}
        self.crawl(self.serve({"/": f"<a href={month[0]}>calendar</a>", **pages}))
        head = self.report("text").split("By status")[0]
        self.assertIn("1  links cut off: they lead into a trap", head)


class ManyLinks(Truth):
    """A page of very many links, the last of which is broken."""

    def serve_links(self, count):
        site = self.path / "site"
        (site / "p").mkdir(parents=True)
        (site / "index.html").write_text(
            "".join(f'<a href="/p/{i}">{i}</a>\n' for i in range(count)))
        page = site / "p/0"
        page.write_text("a page")
        for i in range(1, count - 1):
            (site / f"p/{i}").hardlink_to(page)
        server = self.start("serve", "--port", "0", "--quiet", "site")
        return re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())[0]

    def test_those_that_are_not_fetched_are_counted(self):
        home = self.serve_links(60_000)
        run = self.weft("crawl", "--wait", "0", "--no-sitemaps", "--quiet", "--limit", "100",
                        "--output", "kept", home)
        self.assertEqual(run.returncode, 14, run.stderr)
        report = json.loads(self.report("json"))
        self.assertEqual(report["counts"]["fetched"], 100)
        self.assertEqual(report["counts"]["waiting"], 60_001 - 100)

    def test_a_check_finds_the_last(self):
        home = self.serve_links(20_000)
        run = self.weft("check", "--wait", "0", "--max-per-host", "16", "--format", "json",
                        home)
        self.assertEqual(run.returncode, 8, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual([each["url"] for each in report["broken"]],
                         [f"{home}p/19999"])
        self.assertEqual(report["counts"]["links"], 20_001)


class Folders(Truth):
    def test_crawls_begun_in_the_same_second_have_folders_of_their_own(self):
        # The second ended in "holds a crawl already".
        site = self.serve({"/": "here"})
        crawls = [self.start("crawl", "--no-sitemaps", "--wait", "0", site.home)
                  for _ in range(4)]
        for crawl in crawls:
            _, said = crawl.communicate(timeout=60)
            self.assertEqual(crawl.returncode, 0, said)
        names = sorted(path.name for path in self.path.iterdir())
        self.assertEqual(len(names), 4)
        for name in names:
            self.assertRegex(name, r"\Aweft-127\.0\.0\.1-\d{8}-\d{6}(-\d)?\Z")
            self.assertEqual(len(self.pages(name)), 1)

    def test_a_failure_is_told_without_words_about_tasks(self):
        (self.path / "file").write_text("")
        run = self.weft("crawl", "--output", "file/below", "http://127.0.0.1:1/")
        self.assertEqual(run.returncode, 3)
        self.assertNotIn("task", run.stderr)
        self.path.chmod(0o500)
        self.addCleanup(self.path.chmod, 0o700)
        run = self.weft("demo")
        self.assertNotRegex(run.stderr, "task|holds a crawl")


class Settings(Truth):
    PAGES = {"/": "".join(f"<a href=/p{n}>x</a>" for n in range(20)),
             **{f"/p{n}": str(n) for n in range(20)}}

    def test_what_resume_is_told_holds_from_then_on(self):
        site = self.serve(self.PAGES)
        self.crawl(site, "--limit", "5", statuses=(14,))
        self.assertEqual(self.weft("resume", "kept", "--limit", "0").returncode, 0)
        self.assertIn("limit = 0\n", self.weft("resume", "--dry-run", "kept").stdout)
        run = self.weft("recrawl", "kept", "--output", "again")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(self.pages("again")), 21)
        self.assertIn("0 new, 0 changed, 21 unchanged, 0 moved, 0 gone, 0 missing\n", run.stdout)

    def test_what_was_not_asked_for_is_not_missing(self):
        site = self.serve(self.PAGES)
        self.crawl(site)
        run = self.weft("recrawl", "kept", "--output", "again", "--limit", "5")
        self.assertEqual(run.returncode, 14, run.stderr)
        self.assertIn("5 unchanged, 0 moved, 0 gone, 0 missing, 16 unasked\n", run.stdout)
        run = self.weft("recrawl", "kept", "--output", "third", "--host-limit", "5")
        self.assertIn("5 unchanged, 0 moved, 0 gone, 0 missing, 16 unasked\n", run.stdout)
        lines = (self.path / "third/reports/changes.jsonl").read_text().splitlines()
        self.assertEqual({json.loads(line)["change"] for line in lines}, {"unasked"})

    def test_a_dry_run_shows_no_secret(self):
        for command in ["crawl"], ["check"], ["fetch"]:
            run = self.weft("--dry-run", *command, "--user", "me:s3cret-a", "--password",
                            "s3cret-b", "--oauth2-bearer", "s3cret-c", "--proxy",
                            "http://me:s3cret-d@127.0.0.1:1", "--header", "X-Api-Key: s3cret-e",
                            "--load-cookies", "id=s3cret-f", "http://me:s3cret-g@127.0.0.1:1/")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn("s3cret", run.stdout + run.stderr)
            self.assertIn("proxy = 'http://[removed]@127.0.0.1:1'\n", run.stdout)
            if command != ["fetch"]:  # Its URL is no option.
                self.assertIn("url = ['http://[removed]@127.0.0.1:1/']\n", run.stdout)

    def test_a_line_of_the_input_file_holds_a_url_and_no_more(self):
        for blank in " ", "\t", "   ":
            (self.path / "seeds").write_text(f"# list\nhttp://a.example/{blank}depth=1\n")
            for command in "crawl", "check":
                run = self.weft(command, "-i", "seeds")
                self.assertEqual(run.returncode, 2)
                self.assertIn("seeds:2: 'depth=1' behind the URL: a line holds one URL",
                              run.stderr)


class Check(Truth):
    def check(self, site, *arguments, home=None):
        return self.weft("check", "--tries", "1", "--no-sitemaps", *arguments, home or site.home)

    def test_pictures_are_not_pages(self):
        site = self.serve({"/": "<a href=/a>a</a><img src=/i.png>", "/a": "text",
                           "/i.png": lambda handler: handler.answer(
                               200, "x", Content_Type="image/png")})
        self.assertRegex(self.check(site).stdout, r"\A3 links checked on 2 pages in ")
        counts = json.loads(self.check(site, "--format", "json").stdout)["counts"]
        self.assertEqual((counts["pages"], counts["urls"]), (2, 3))

    def test_links_that_were_not_reached_are_not_checked(self):
        site = self.serve({"/": "".join(f"<a href=/p{n}>x</a>" for n in range(20)),
                           **{f"/p{n}": str(n) for n in range(20)}})
        run = self.check(site, "--limit", "5", "--max-per-host", "1")
        self.assertEqual(run.returncode, 14)
        self.assertRegex(run.stdout, r"\A5 links checked on 5 pages in .*: 5 fine, 0 broken; "
                                     r"16 not reached\nNot finished: --limit was reached\n")
        report = json.loads(self.check(site, "--limit", "5", "--max-per-host", "1", "--format",
                                       "json").stdout)
        self.assertEqual(report["counts"]["links"], 5)
        self.assertEqual(report["counts"]["not_reached"], 16)
        self.assertEqual(len(report["not_reached"]), 16)

    def test_a_baseline_holds_under_another_name_of_the_site(self):
        site = self.serve({"/docs/": "<a href=gone>1</a><a href=/top>2</a><a href='http://'>3</a>"
                                     "<a href=/.//two>4</a>"})
        home = site.home + "docs/"
        known = ("--baseline", "known.txt")
        run = self.check(site, *known, "--write-baseline", home=home)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [line.split("\t")[0] for line in (self.path / "known.txt").read_text().splitlines()]
        self.assertEqual([line for line in lines if not line.startswith("#")],
                         ["http://", f"{site.home}/two", "./gone", "/top"])
        for name in home, home.replace("127.0.0.1", "localhost"):
            run = self.check(site, *known, home=name)
            self.assertEqual(run.returncode, 8 if "localhost" in name else 0, run.stdout)
            self.assertRegex(run.stdout, r" 4 broken \([34] known, [01] new\)")

    def test_a_baseline_of_whole_urls_is_still_read(self):
        site = self.serve({"/": "<a href=/gone>1</a>"})
        (self.path / "known.txt").write_text(f"{site.home}gone\t404 Not Found\n")
        run = self.check(site, "--baseline", "known.txt")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertNotIn("not broken now", run.stdout)

    def test_a_dry_run_shows_what_holds_on_this_machine(self):
        def shown(*arguments, url="http://127.0.0.1:1/"):
            text = self.weft("--dry-run", "check", *arguments, url).stdout
            return re.findall(r"^(?:# )?(?:wait|max-per-host) .*$", text, re.M)
        self.assertEqual(sorted(shown()), ["max-per-host = 8", "wait = 0"])
        self.assertEqual(sorted(shown("--max-per-host", "2")), ["max-per-host = 2", "wait = 0"])
        self.assertEqual(sorted(shown("--wait", "1")), ["max-per-host = 1", "wait = 1"])
        self.assertEqual(sorted(shown(url="https://example.com/")),
                         ["# wait is not set", "max-per-host = 1"])

    def test_a_site_that_goes_away_is_told_within_seconds(self):
        # After five failures its host was left alone for half a minute, while a build waited.
        def last_answer(handler):
            handler.close_connection = True
            handler.answer(200, "".join(f"<a href=/p{n}>x</a>" for n in range(12)))
            threading.Thread(target=lambda: (handler.server.shutdown(),
                                             handler.server.server_close())).start()
        site = Site({"/robots.txt": "", "/": last_answer})
        begun = time.monotonic()
        run = self.weft("check", "--no-sitemaps", site.home)
        self.assertEqual(run.returncode, 8, run.stdout)
        self.assertIn("connect refused", run.stdout)
        self.assertLess(time.monotonic() - begun, 25)


if __name__ == "__main__":
    unittest.main()
