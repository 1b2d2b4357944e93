"""The program as a user runs it: weft_test.py PATH_TO_WEFT. Only loopback is used."""

import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def weft(self, *arguments):
        return subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)

    def start(self, *arguments):
        process = subprocess.Popen([WEFT, *arguments], cwd=self.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def start_demo_site(self, *arguments):
        site = self.start("demo-site", "--port", "0", *arguments)
        return re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]


class Demo(Scratch):
    def test_ends_in_a_good_report(self):
        run = self.weft("demo")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"\A353 URLs in ")
        self.assertIn("Broken links (14)", run.stdout)
        self.assertRegex(run.stdout, r"404  http://127\.0\.0\.1:\d+/lost/48\.html\n +on http://")

    def test_keeps_archive_pages_and_report(self):
        self.weft("demo")

        crawl, = self.path.glob("weft-demo-*")
        text = (crawl / "pages/pages.jsonl").read_text()
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(len(lines), 1 + 353)
        self.assertEqual(len({line["url"] for line in lines[1:]}), 353)
        self.assertTrue((crawl / "reports/report.txt").read_text().startswith("353 URLs in "))
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
        self.assertEqual(types.count("response"), 350)
        self.assertEqual(types.count("request"), 350)


class Crawl(Scratch):
    def test_crawls_a_site_typed_by_the_user(self):
        home = self.start_demo_site("--pages", "20")

        run = self.weft("crawl", "--wait", "0", "--output", "kept", home)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((self.path / "kept/pages/pages.jsonl").exists())

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
        self.assertRegex(output, r"URLs in ")

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

    def test_an_unreachable_seed_has_its_own_exit_status(self):
        run = self.weft("crawl", "--tries", "1", "http://127.0.0.1:1/")

        self.assertEqual(run.returncode, 4)
        self.assertIn("connect refused", run.stdout)

    def test_bad_arguments_name_the_thing_and_the_way_out(self):
        for arguments, message in [
                (["example.com"], "bad URL 'example.com': no scheme"),
                (["mailto:a@b"], "only http and https"),
                (["--allow-net", "10.0.0.0/99", "http://127.0.0.1/"], "write it like 10.0.0.0/8"),
                (["--robots", "maybe", "http://127.0.0.1/"], "--robots takes on or off")]:
            run = self.weft("crawl", *arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(message, run.stderr)


class Help(Scratch):
    def test_version_and_help_exit_well(self):
        self.assertRegex(self.weft("--version").stdout, r"\Aweft \d+\.\d+\.\d+\n")
        for command in ["crawl", "demo", "demo-site", "fetch"]:
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
