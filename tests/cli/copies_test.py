"""Copies that leave the folder of a crawl, and output that leaves the program: WACZ files, mirrors,
`warc cat-url`. copies_test.py PATH_TO_WEFT. Only loopback is used."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
import zipfile

sys.dont_write_bytecode = True

from archiving import PATIENCE_SECONDS, WEFT, Archive, ChangingSite  # noqa: E402


class Snapshot(Archive):
    def test_what_no_replay_tool_reads_is_packed_anew(self):
        site = self.demo_site("--pages", "20")
        crawl = self.crawl("--compress", "zstd", "--wacz", site=site)
        path = crawl / "crawl.wacz"

        names = zipfile.ZipFile(path).namelist()
        self.assertFalse([name for name in names if name.endswith(".zst")])
        self.check_records(path)
        self.assertIn(" 0 problems", self.weft("warc", "verify", path))
        self.assertIn("<title>", self.weft("warc", "cat-url", site, path))

    def test_a_running_crawl_is_copied_as_far_as_it_is_committed(self):
        crawl, running = self.running_crawl()

        for i in range(3):
            said = self.weft("wacz", "crawl", "--output", f"{i}.wacz")
            self.assertIn("The crawl is running: this is what it had committed", said)
            self.assertGreater(self.check_records(self.path / f"{i}.wacz"), 20)
            self.weft("warc", "verify", "-q", f"{i}.wacz")
        said = self.weft("mirror", "crawl", "copy")
        self.assertIn("The crawl is running", said)
        self.assertGreater(len(list((self.path / "copy").rglob("*.html"))), 10)
        self.assertIsNone(running.poll(), "and the crawl goes on")

    def test_a_missing_or_short_file_is_named(self):
        crawl = self.crawl("--warc-max-size", "40000")
        first, *others = sorted(crawl.glob("archive/*"))
        self.assertTrue(others)
        for harm in (lambda: os.truncate(first, first.stat().st_size // 2), first.unlink):
            harm()
            for command in (["wacz", "crawl"], ["mirror", "crawl", "copy"]):
                run = subprocess.run([WEFT, *command], cwd=self.path, capture_output=True,
                                     text=True, timeout=PATIENCE_SECONDS)
                self.assertEqual(run.returncode, 3, run.stderr)
                self.assertIn(str(first.relative_to(self.path)), run.stderr)
                self.assertRegex(run.stderr, r"\d+ pages of the crawl are in it: put the file "
                                             r"back, or let `weft repair crawl`")
            self.assertFalse(list(self.path.rglob("*.wacz*")))
            self.assertFalse(list(self.path.rglob("copy/*/*")))

    def running_crawl(self):
        """A crawl that has some pages and goes on for long."""
        site = self.demo_site("--pages", "2000", "--delay", "0.02")
        crawl = self.path / "crawl"
        process = subprocess.Popen(
            [WEFT, "crawl", "--wait", "0", "--max-per-host", "4", "--quiet", "--output", crawl,
             site], cwd=self.path)
        self.addCleanup(self.end, process)
        pages = crawl / "pages/pages.jsonl"
        until = time.monotonic() + PATIENCE_SECONDS
        while not pages.exists() or pages.read_bytes().count(b'"file"') < 60:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        return crawl, process

    def check_records(self, path):
        """Every line of the index leads to a whole record of that address; gives their count."""
        with zipfile.ZipFile(path) as wacz:
            self.assertIsNone(wacz.testzip())
            lines = gzip.decompress(wacz.read("indexes/index.cdx.gz")).decode().splitlines()
            self.assertEqual(lines, sorted(lines))
            content = {name: wacz.read(name) for name in wacz.namelist() if "archive/" in name}
            for line in lines:
                entry = json.loads(line.split(" ", 2)[2])
                begin, length = int(entry["offset"]), int(entry["length"])
                member = content["archive/" + entry["filename"]][begin:begin + length]
                record = gzip.decompress(member)
                self.assertIn(f"WARC-Target-URI: {entry['url']}\r\n".encode(), record)
            return len(lines)


class Recrawl(ChangingSite):
    """What has not changed is stored in an earlier crawl."""

    def wacz_lines(self, path):
        with zipfile.ZipFile(self.path / path) as wacz:
            lines = gzip.decompress(wacz.read("indexes/index.cdx.gz")).decode().splitlines()
        return [json.loads(line.split(" ", 2)[2]) for line in lines]

    def three_crawls(self):
        self.crawl(site=self.url, output="first")
        self.recrawl("first", "second")
        self.change()
        self.recrawl("second", "third")

    def test_a_wacz_of_it_replays_without_the_earlier_crawls(self):
        self.three_crawls()

        said = self.weft("wacz", "third", "--output", "third.wacz")

        self.assertRegex(said, r"With \d records of earlier crawls, whose content has not changed")
        lines = self.wacz_lines("third.wacz")
        stored = {line["digest"] for line in lines if line["mime"] != "warc/revisit"}
        revisits = [line for line in lines if line["mime"] == "warc/revisit"]
        self.assertGreater(len(revisits), 3)
        for line in revisits:
            self.assertIn(line["digest"], stored, line["url"])
        self.weft("warc", "verify", "-q", "third.wacz")
        self.assertIn("<title>A<", self.weft("warc", "cat-url", self.url + "a.html", "third.wacz"))
        self.assertEqual(self.weft("warc", "cat-url", self.url + "picture.png", "third.wacz"),
                         "picture")

    def test_what_is_left_behind_is_counted(self):
        self.three_crawls()

        said = self.weft("wacz", "third", "--no-self-contained", "--output", "small.wacz")

        self.assertRegex(said, r"Pages that will not replay: 4; their content is in an "
                               "earlier crawl")
        self.assertFalse([line for line in self.wacz_lines("small.wacz")
                          if "originals" in line["filename"]])

    def test_crawls_that_were_moved_together_find_each_other(self):
        self.three_crawls()
        (self.path / "elsewhere").mkdir()
        for name in ("first", "second", "third"):
            (self.path / name).rename(self.path / "elsewhere" / name)

        self.weft("mirror", "elsewhere/third", "copy")
        self.weft("wacz", "elsewhere/third", "--output", "moved.wacz")

        self.assertIn("<title>A<", next((self.path / "copy").rglob("a.html")).read_text())

    def test_an_earlier_crawl_that_was_moved_away_is_named_and_can_be(self):
        self.three_crawls()
        (self.path / "far/away").mkdir(parents=True)
        (self.path / "first").rename(self.path / "far/away/old")

        for command in (["mirror", "third", "copy"], ["wacz", "third", "--output", "x.wacz"]):
            run = subprocess.run([WEFT, *command], cwd=self.path, capture_output=True, text=True,
                                 timeout=PATIENCE_SECONDS)
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertRegex(run.stderr, r"4\D.*in \S*/first, which is not there: "
                                         r"name the folder with --earlier")
            self.assertNotIn("verify", run.stderr)
        earlier = ["--earlier", "second", "--earlier", "far/away/old"]
        self.weft("mirror", "third", "copy2", *earlier)
        self.weft("wacz", "third", "--output", "x.wacz", *earlier)
        self.assertIn("<title>A<", next((self.path / "copy2").rglob("a.html")).read_text())

    def test_the_content_of_a_revisit_is_that_of_its_original(self):
        self.three_crawls()
        files = [file for name in ("first", "second", "third")
                 for file in (self.path / name).glob("archive/*")]
        url = self.url + "a.html"

        self.assertIn("<title>A<", self.weft("warc", "cat-url", url, *files))
        run = subprocess.run([WEFT, "warc", "cat-url", url, files[-1]], cwd=self.path,
                             capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, 8)
        self.assertIn("name the WARC files of the earlier crawl too", run.stderr)


class Digests(Archive):
    """A page whose bytes are no longer those that were archived."""

    def setUp(self):
        super().setUp()
        self.site = self.demo_site("--pages", "5")
        crawl = self.crawl("--compress", "none", site=self.site)
        self.file, = crawl.glob("archive/*")
        whole = self.file.read_bytes()
        page = next(page for page in self.pages(crawl) if page["url"] == self.site)
        at = whole.index(b"<title>", page["offset"])
        self.offset = page["offset"]
        self.file.write_bytes(whole[:at] + b"<TITLE>" + whole[at + 7:])

    def run_weft(self, *arguments):
        return subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)

    def test_cat_url_shows_it_only_if_told_to(self):
        run = self.run_weft("warc", "cat-url", self.site, self.file)

        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertIn(f"{self.file}: the response record at byte {self.offset} does not match "
                      "its digest; --ignore-digests", run.stderr)
        self.assertIn("<TITLE>", self.weft("warc", "cat-url", "--ignore-digests", self.site,
                                           self.file))

    def test_a_mirror_leaves_it_out_and_says_so(self):
        run = self.run_weft("mirror", "crawl", "copy")

        self.assertEqual(run.returncode, 3)
        self.assertIn(f"the record at byte {self.offset} does not match its digest", run.stderr)
        self.assertIn("the copy lacks damaged pages (1)", run.stderr)
        self.weft("mirror", "crawl", "copy2", "--ignore-digests")
        self.assertEqual(len(list(self.path.glob("copy/*/index.html"))), 0)
        self.assertEqual(len(list(self.path.glob("copy2/*/index.html"))), 1)


class Killed(Archive):
    @unittest.skipUnless(shutil.which("strace"), "no strace to kill with")
    def test_the_target_of_a_mirror_that_was_killed_is_taken_again(self):
        self.crawl()
        self.weft("mirror", "crawl", "whole")
        target = self.path / "copy"
        for stop in (1, 5, 30):
            # The process is ended when it makes the file of this number.
            subprocess.run(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=mkdirat",
                 "-e", f"inject=mkdirat:signal=KILL:when={stop}", WEFT, "mirror", "crawl", "copy"],
                cwd=self.path, capture_output=True, timeout=PATIENCE_SECONDS)
            self.assertTrue(list(target.iterdir()))
        self.weft("mirror", "crawl", "copy")

        content = {path.relative_to(self.path / "whole"): path.read_bytes()
                   for path in (self.path / "whole").rglob("*") if path.is_file()}
        self.assertEqual(content, {path.relative_to(target): path.read_bytes()
                                   for path in target.rglob("*") if path.is_file()})
        self.weft("mirror", "crawl", "copy", status=2)


class FullDevice(Archive):
    def test_no_command_ends_well_if_its_output_is_lost(self):
        site = self.demo_site("--pages", "5")
        crawl = self.crawl(site=site)
        file, = crawl.glob("archive/*")
        page = self.path / "page.html"
        page.write_text("x")
        commands = [
            ["--help"], ["--version"], ["crawl", "--help"], ["--generate", "man"],
            ["--generate", "complete-bash"], ["--dry-run", "crawl", site],
            ["report", "crawl"], ["report", "--format", "json", "crawl"],
            ["report", "--format", "csv", "crawl"], ["report", "--graph", "dot", "crawl"],
            ["explain", "crawl", site], ["explain", "crawl", site + "missing"],
            ["warc", "ls", file], ["warc", "cat", file], ["warc", "verify", file],
            ["warc", "index", file], ["warc", "cat-url", site, file],
            ["wacz", "crawl"], ["mirror", "crawl", "copy"], ["repair", "crawl"],
            ["fetch", site], ["fetch", "--json", site],
            ["check", site], ["crawl", "--wait", "0", "--output", "again", site],
            ["resume", "again"], ["recrawl", "crawl", "--output", "second"],
        ]
        for command in commands:
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                run = subprocess.run([WEFT, *command], cwd=self.path, stdout=full,
                                     stderr=subprocess.PIPE, text=True, timeout=PATIENCE_SECONDS)
                self.assertNotEqual(run.returncode, 0)
                self.assertGreater(run.returncode, 0, "a signal")
                self.assertRegex(run.stderr, "(?i)cannot write|no space left")

    def test_a_reader_that_leaves_is_no_error(self):
        crawl = self.crawl()
        for command in (["report", "crawl"], ["explain", "crawl", "http://x.test/"], ["--help"]):
            run = subprocess.run(f"set -o pipefail; '{WEFT}' {' '.join(command)} | true",
                                 shell=True, executable="/bin/bash", cwd=self.path,
                                 capture_output=True, text=True, timeout=PATIENCE_SECONDS)
            self.assertNotIn("cannot write", run.stderr)

    @unittest.skipUnless(shutil.which("strace"), "no strace to fill a disk with")
    def test_a_log_that_cannot_be_written_is_an_error_in_the_end(self):
        site = self.demo_site("--pages", "5")
        crawl = self.path / "crawl"

        run = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-P",
                              crawl / "logs/crawl.log", "-e", "trace=write,writev,pwrite64",
                              "-e", "inject=write,writev,pwrite64:error=ENOSPC", WEFT, "crawl",
                              "--wait", "0", "--max-per-host", "8", "--quiet", "--log-format",
                              "heritrix,jsonl", "--output", crawl, site],
                             cwd=self.path, capture_output=True, text=True,
                             timeout=PATIENCE_SECONDS)

        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertRegex(run.stderr, "logs/crawl.log.*[Nn]o space left.*the crawl itself is "
                                     "complete")
        self.assertEqual(len((crawl / "logs/crawl.jsonl").read_text().splitlines()),
                         len(self.pages(crawl)))


class Odd(ChangingSite):
    def sheets(self, count):
        (self.site / "index.html").write_text("<link rel=stylesheet href=/1.css>")
        for i in range(1, count):
            (self.site / f"{i}.css").write_text(f"@import '/{i + 1}.css'; @import '/1.css';")
        (self.site / f"{count}.css").write_text("a{background:url(/picture.png)}")

    def test_style_sheets_that_import_style_sheets_are_followed_to_the_end(self):
        self.sheets(20)

        crawl = self.crawl("--no-sitemaps", site=self.url)

        self.assertEqual(len(self.pages(crawl)), 22)

    def test_what_lies_deeper_than_the_limit_is_refused_by_its_own_name(self):
        self.sheets(40)
        for folder, options, depth in (("long", [], 31), ("short", ["--requisite-hops", "3"], 3)):

            crawl = self.crawl("--no-sitemaps", *options, site=self.url, output=folder)

            pages = {page["url"]: page for page in self.pages(crawl)}
            self.assertEqual(len(pages), 1 + depth)
            refused = pages[f"{self.url}{depth}.css"]["refused"]
            self.assertEqual(list(refused), ["requisite_hops"])

    def test_a_list_of_retries_that_was_tampered_with_ends_no_crawl(self):
        """A line whose address is no URL ended the program ("bad access to std::expected")."""
        crawl = self.crawl(site=self.url)
        head, line, *_ = (crawl / "pages/pages.jsonl").read_text().splitlines()
        bad = json.dumps({**json.loads(line), "url": "no URL at all", "ending": "failed"},
                         separators=(",", ":"))
        (crawl / "state/retry.jsonl").write_text(f"{head}\n{bad}\n")

        self.weft("resume", "crawl")

        self.assertFalse((crawl / "state/retry.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
