"""The program as a user runs it: weft_test.py PATH_TO_WEFT. Only loopback is used."""

import http.client
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import PATIENCE_SECONDS, ROOT, WEFT, Scratch  # noqa: E402


class DemoSite(Scratch):
    def test_answers_as_its_truth_says(self):
        home = self.start_demo_site("--pages", "20", "--slow-delay", "0.01")
        with urllib.request.urlopen(f"{home}.well-known/weft-demo-truth.json") as answer:
            hosts = json.load(answer)["hosts"]
        self.assertEqual([host["host"] for host in hosts], [f"127.0.0.{n}" for n in range(1, 9)])

        for host in hosts:
            connection = http.client.HTTPConnection(host["host"], int(home.split(":")[2][:-1]))
            for page in host["urls"]:
                if "behaviour" in page:
                    continue
                connection.request("GET", page["url"][len(host["home"]) - 1:])
                answer = connection.getresponse()
                body = answer.read()
                self.assertEqual(answer.status, page["status"], page)
                self.assertEqual(answer.headers["Content-Type"], page["type"] or None, page)
                if not answer.headers["Content-Encoding"]:
                    self.assertEqual(len(body), page["size_bytes"], page)
            connection.close()

    def test_waits_as_long_as_it_is_told(self):
        home = self.start_demo_site("--delay", "0.3")

        start = time.monotonic()
        urllib.request.urlopen(home).read()

        self.assertGreaterEqual(time.monotonic() - start, 0.3)

    def test_another_seed_is_another_web(self):
        pages = [urllib.request.urlopen(self.start_demo_site(*options) + "looms/").read()
                 for options in [(), (), ("--seed", "2")]]

        strip = [re.sub(rb":\d+/", b"/", page) for page in pages]
        self.assertEqual(strip[0], strip[1])
        self.assertNotEqual(strip[0], strip[2])


class Demo(Scratch):
    def test_ends_in_a_good_report(self):
        run = self.weft("demo")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"\A358 URLs in ")
        self.assertIn("Broken links (14)", run.stdout)
        self.assertRegex(run.stdout, r"404  http://127\.0\.0\.1:\d+/lost/48\.html\n +on http://")

    def test_what_it_says_to_try_next_works(self):
        said = self.weft("demo").stdout

        command = re.search(r"About one URL: +\S+ (explain \S+ \S+)\n", said)[1]
        run = self.weft(*command.split())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("fetched: 404 Not Found", run.stdout)

    def test_keeps_archive_pages_and_report(self):
        self.weft("demo")

        crawl, = self.path.glob("weft-demo-*")
        text = (crawl / "pages/pages.jsonl").read_text()
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(len(lines), 1 + 358)
        self.assertEqual(len({line["url"] for line in lines[1:]}), 358)
        self.assertTrue((crawl / "reports/report.txt").read_text().startswith("358 URLs in "))
        archive, = crawl.glob("archive/*.warc.gz")
        positions = [(line["offset"], line["length"]) for line in lines if "offset" in line]
        content = archive.read_bytes()
        for offset, length in positions:
            self.assertEqual(content[offset:offset + 3], b"\x1f\x8b\x08")
            self.assertLessEqual(offset + length, len(content))


    def test_the_archive_is_valid_for_an_independent_reader(self):
        warcio = ROOT / "build/npm/node_modules/warcio/dist/cli.js"
        if not warcio.exists():
            self.skipTest("no warcio; ./test --all brings it")
        self.weft("demo")

        archive, = self.path.glob("weft-demo-*/archive/*.warc.gz")
        index = subprocess.run(["node", warcio, "index", archive], capture_output=True, text=True,
                               timeout=PATIENCE_SECONDS, check=True)
        types = [json.loads(line)["warc-type"] for line in index.stdout.splitlines()]
        self.assertEqual(types.count("warcinfo"), 1)
        answers = 355 + 1  # With robots.txt.
        self.assertEqual(types.count("response") + types.count("revisit"), answers)
        self.assertEqual(types.count("request"), answers)


class Crawl(Scratch):
    def test_crawls_a_site_typed_by_the_user(self):
        home = self.start_demo_site("--pages", "20")

        run = self.weft("crawl", "--wait", "0", "--output", "kept", home)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((self.path / "kept/pages/pages.jsonl").exists())

    def pages_of(self, folder):
        lines = (self.path / folder / "pages/pages.jsonl").read_text().splitlines()[1:]
        return [json.loads(line) for line in lines]

    def test_finds_the_same_with_any_number_of_threads(self):
        home = self.start_demo_site("--pages", "60", "--slow-delay", "0.01")
        options = ["--wait", "0", "--scope", "any", "--allow-net", "127.0.0.0/8", "--robots", "off",
                   "--tries", "1", "--user-agent", "test (test@example.com)", "--quiet"]
        endings = []
        for threads in ["1", "2", "5"]:
            run = self.weft("crawl", "--threads", threads, *options, "--output", threads, home)
            self.assertEqual(run.returncode, 0, run.stderr)
            pages = self.pages_of(threads)
            endings.append({page["url"]: page["ending"] for page in pages})
            self.assertEqual(len(endings[-1]), len(pages))

        self.assertGreater(len(endings[0]), 100)
        self.assertEqual(endings[0], endings[1])
        self.assertEqual(endings[0], endings[2])

    def test_keeps_to_a_limit_with_any_number_of_threads_and_goes_on(self):
        home = self.start_demo_site("--pages", "60", "--slow-delay", "0.01")
        options = ["--wait", "0", "--scope", "any", "--allow-net", "127.0.0.0/8", "--robots", "off",
                   "--tries", "1", "--user-agent", "test (test@example.com)", "--quiet"]
        run = self.weft("crawl", "--threads", "4", "--limit", "40", *options, "-o", "kept", home)
        self.assertEqual(run.returncode, 14, run.stderr)
        asked = [page for page in self.pages_of("kept") if page["ending"] not in
                 ("denied", "skipped")]
        self.assertEqual(len(asked), 40)

        run = self.weft("resume", "kept", "--limit", "1000000", "--quiet")

        self.assertEqual(run.returncode, 0, run.stderr)
        urls = [page["url"] for page in self.pages_of("kept")]
        self.assertEqual(len(urls), len(set(urls)))
        self.assertGreater(len(urls), 100)

    def test_refuses_to_write_over_a_crawl(self):
        home = self.start_demo_site()
        self.weft("crawl", "--limit", "1", "--output", "kept", home)

        run = self.weft("crawl", "--limit", "1", "--output", "kept", home)

        self.assertEqual(run.returncode, 2)
        self.assertIn("kept holds a crawl already", run.stderr)

    def test_first_signal_ends_in_order_and_says_so(self):
        home = self.start_demo_site("--pages", "100000")
        crawl = self.start("crawl", "--wait", "0.01", "--output", "kept", home)
        while not list(self.path.glob("kept/archive/*.warc.gz")) and crawl.poll() is None:
            pass

        crawl.send_signal(signal.SIGINT)
        output, errors = crawl.communicate(timeout=PATIENCE_SECONDS)

        self.assertEqual(crawl.returncode, 11, errors)
        self.assertIn("Finishing what is under way", errors)
        self.assertRegex(output, r"^\d+ URLs?( in .*)?, .* of content")

    def test_h87_a_full_disk_ends_the_crawl_with_a_message(self):
        home = self.start_demo_site()
        crawl = subprocess.run(
            [WEFT, "crawl", "--wait", "0", "--output", "kept", home], cwd=self.path,
            capture_output=True, text=True, timeout=PATIENCE_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)))

        self.assertEqual(crawl.returncode, 3, crawl.stderr)
        self.assertRegex(crawl.stderr, r"weft: error: cannot write .*\.warc\.gz: File too large")
        self.assertGreater(len((self.path / "kept/pages/pages.jsonl").read_text().splitlines()), 1)

    def test_the_page_limit_has_its_own_exit_status(self):
        home = self.start_demo_site()

        run = self.weft("crawl", "--wait", "0", "--limit", "3", home)

        self.assertEqual(run.returncode, 14)
        self.assertIn("3 URLs in", run.stdout)

    def test_the_time_limit_holds_whoever_is_slow(self):
        home = self.start_demo_site("--delay", "40")
        begun = time.monotonic()

        run = self.weft("crawl", "--max-time", "0.5", "--output", "kept", home)

        self.assertEqual(run.returncode, 15, run.stderr)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertIn("To go on:  weft resume kept", run.stdout)

    def test_an_unreachable_seed_has_its_own_exit_status(self):
        run = self.weft("crawl", "--tries", "1", "http://127.0.0.1:1/")

        self.assertEqual(run.returncode, 4)
        self.assertIn("connect refused", run.stdout)
        self.assertRegex(run.stderr, r"weft: error: no seed could be reached: connect_refused; "
                                     r"is the server running, .*\n"
                                     r"To ask again:  weft resume weft-\S+ --retry-failed\n\Z")

    def test_bad_arguments_name_the_thing_and_the_way_out(self):
        for arguments, message in [
                (["http://"], "bad URL 'http://': no host"),
                (["mailto:a@b"], "not a web address; only http and https are crawled"),
                (["--allow-net", "10.0.0.0/99", "http://127.0.0.1/"], "write it like 10.0.0.0/8"),
                (["--robots", "maybe", "http://127.0.0.1/"],
                 "--robots takes on or off, not 'maybe'")]:
            run = self.weft("crawl", *arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(message, run.stderr)


class Warc(Scratch):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.weft("demo").returncode, 0)
        self.file = str(next(self.path.glob("weft-demo-*/archive/*.warc.gz")))

    def rows(self):
        return [line.split() for line in self.weft("warc", "ls", self.file).stdout.splitlines()]

    def test_ls_has_a_line_a_record(self):
        kinds = [row[2] for row in self.rows()]
        self.assertEqual(kinds[:3], ["warcinfo", "response", "request"])
        self.assertEqual(kinds.count("response") + kinds.count("revisit"), kinds.count("request"))
        self.assertGreater(kinds.count("revisit"), 0)

    def test_cat_shows_the_record_at_an_offset(self):
        offset = next(row[0] for row in self.rows() if row[2] == "response")
        text = self.weft("warc", "cat", "--offset", offset, self.file).stdout
        self.assertTrue(text.startswith("WARC/1.1"))
        self.assertEqual(text.count("WARC-Record-ID"), 1)
        self.assertIn("HTTP/1.1 200", text)

    def test_cat_url_gives_the_page_as_it_was(self):
        address = next(row[5] for row in self.rows()
                       if row[2] == "response" and row[5].endswith(".html"))
        run = self.weft("warc", "cat-url", address, self.file)
        self.assertTrue(run.stdout.startswith("<!DOCTYPE html>"), run.stdout[:80])
        run = self.weft("warc", "cat-url", "http://nowhere.example/", self.file)
        self.assertEqual(run.returncode, 8)
        self.assertIn("no answer for http://nowhere.example/", run.stderr)

    def test_h91_verify_finds_any_damage(self):
        run = self.weft("warc", "verify", self.file)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(" 0 problems", run.stdout)
        whole = pathlib.Path(self.file).read_bytes()
        damaged = self.path / "damaged.warc.gz"
        starts = [int(row[0]) for row in self.rows()]
        for where in range(400, len(whole), len(whole) // 7):
            if any(0 <= where - start < 10 for start in starts):
                where += 10  # The time and the system in a gzip head mean nothing to anybody.
            damaged.write_bytes(whole[:where] + bytes([whole[where] ^ 0x10]) + whole[where + 1:])
            run = self.weft("warc", "verify", "damaged.warc.gz")
            self.assertEqual(run.returncode, 3, where)
            self.assertIn("damaged.warc.gz: ", run.stderr)
        damaged.write_bytes(whole[:len(whole) - 10])
        self.assertEqual(self.weft("warc", "verify", "damaged.warc.gz").returncode, 3)


class Report(Scratch):
    def pages(self, *entries):
        folder = self.path / "crawl" / "pages"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}, *entries]
        (folder / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def report(self, form):
        run = self.weft("report", "crawl", "--format", form)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def page(self, path, **fields):
        return {"url": "http://a.example/" + path, "ts": "2026-03-01T12:00:00.000Z",
                "ending": "fetched", "status": 200, "mime": "text/html", "size": 10, **fields}

    def test_broken_links_name_the_pages_that_point_to_them(self):
        self.pages(self.page("", links=["http://a.example/gone"]),
                   self.page("two", links=["http://a.example/gone", "http://a.example/"]),
                   self.page("gone", status=404, referrer="http://a.example/"))
        report = json.loads(self.report("json"))
        self.assertEqual(report["broken"][0]["referrers"],
                         ["http://a.example/", "http://a.example/two"])
        self.assertEqual(report["counts"]["urls"], 3)
        self.assertIn("on http://a.example/two", self.report("text"))
        self.assertIn("| http://a.example/gone | 404 |", self.report("markdown"))

    def test_same_content_is_counted_and_shown(self):
        self.pages(self.page("a", digest="sha1:X"), self.page("b", digest="sha1:X"),
                   self.page("c", digest="sha1:Y"))
        report = json.loads(self.report("json"))
        self.assertEqual(report["counts"]["duplicates"], 1)
        self.assertEqual(report["duplicates"][0]["urls"],
                         ["http://a.example/a", "http://a.example/b"])

    def test_h103_no_cell_is_a_formula(self):
        for start in "=+-@\t\r":
            formula = start + "cmd|' /C calc'!A0"
            self.pages(self.page("x", ending="failed", status=0, reason=formula))
            cell = self.report("csv").splitlines()[1].split(",")[3]
            self.assertTrue(cell.startswith('"\''), cell)

    def test_h102_hostile_text_is_inert_in_every_form(self):
        evil = "</bdi><script>alert(1)</script>\x1b]0;x\x07\u202e|`*"
        self.pages(self.page("x", status=500, referrer="http://a.example/" + evil, mime=evil),
                   self.page("y" + evil, status=404),
                   self.page("z", ending="redirect", status=301, redirect="javascript:" + evil))
        for form in ["text", "json", "csv", "html", "markdown"]:
            text = self.report(form)
            self.assertNotIn("\x1b", text, form)
            if form in ("html", "markdown"):
                self.assertNotIn("<script>", text, form)
            if form != "json":
                self.assertNotIn("\u202e", text, form)

    def test_a_folder_without_a_crawl_is_named(self):
        run = self.weft("report", ".")
        self.assertEqual(run.returncode, 2)
        self.assertIn("holds no crawl", run.stderr)


class Settings(Scratch):
    def dry_run(self, *arguments, **environment):
        return self.weft("crawl", "http://localhost/", "--dry-run", *arguments,
                         XDG_CONFIG_HOME=str(self.path), **environment)

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def test_the_strongest_source_wins(self):
        self.write("weft/weft.toml", "tries = 4\ndepth = 4\nlimit = 4\nwait = 4\n"
                                     "[crawl]\nconcurrency = 4\n")
        named = self.write("named.toml", "depth = 5\nlimit = 5\nwait = 5\n")
        run = self.dry_run("--config", named, "--wait", "7", WEFT_LIMIT="6", WEFT_WAIT="6")
        self.assertEqual(run.returncode, 0, run.stderr)
        for line in ["concurrency = 4", "tries = 4", "depth = 5", "limit = 6", "wait = 7"]:
            self.assertIn(line + "\n", run.stdout)

    def test_what_dry_run_shows_is_a_configuration_file(self):
        shown = self.dry_run("--depth", "3", "--allow-net", "10.0.0.0/8", "--no-archive").stdout
        again = self.dry_run("--config", self.write("shown.toml", shown))
        self.assertEqual(again.stdout, shown, again.stderr)
        self.assertIn("no-archive = true", shown)

    def test_the_commands_own_table_wins_over_the_top(self):
        named = self.write("a.toml", "depth = 1\nport = 8081\n[crawl]\ndepth = 2\n")
        self.assertIn("depth = 2\n", self.dry_run("--config", named).stdout)

    def test_errors_name_file_line_and_the_nearest_option(self):
        for text, message in [
                ("\nconcurency = 3\n", ":2: no option 'concurency'; did you mean 'concurrency'?"),
                ("[crawl]\ndepth = [1, 2]\n", ":2: 'depth' takes one value, not a list"),
                ("[crawl]\ntries = 99\n", ":2: --tries takes a whole number"),
                ("[crwl]\ntries = 9\n", ":1: there is no command 'crwl'"),
                ("depth = \n", ":1: ")]:
            run = self.dry_run("--config", self.write("bad.toml", text))
            self.assertEqual(run.returncode, 2)
            self.assertIn("bad.toml" + message, run.stderr)
        run = self.dry_run("--config", "absent.toml")
        self.assertIn("--config absent.toml: there is no such file", run.stderr)
        run = self.dry_run(WEFT_TRIES="many")
        self.assertIn("$WEFT_TRIES: ", run.stderr)
        self.assertEqual(run.returncode, 2)


class Help(Scratch):
    def test_version_and_help_exit_well(self):
        self.assertRegex(self.weft("--version").stdout, r"\Aweft \d+\.\d+\.\d+\n")
        for command in ["crawl", "demo", "demo-site", "fetch", "report", "resume", "serve", "warc"]:
            self.assertIn(command, self.weft("--help").stdout)
            self.assertEqual(self.weft(command, "--help").returncode, 0)

    def test_no_command_is_a_usage_error(self):
        self.assertEqual(self.weft().returncode, 2)

    def test_options_named_in_the_readme_exist(self):
        known = self.weft("crawl", "--help").stdout
        readme = (ROOT / "README.md").read_text()
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", readme)):
            self.assertTrue(option in known or option in {"--all", "--help"}, option)


if __name__ == "__main__":
    unittest.main()
