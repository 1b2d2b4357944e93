"""tools/compare-crawls: compare_test.py PATH_TO_WEFT. Two crawls of one site are the same, and
whatever is changed in one of them is found and named."""

import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import PATIENCE_SECONDS, ROOT, Scratch  # noqa: E402

HAS_ZSTD = shutil.which("zstd") is not None


class Compare(Scratch):
    def setUp(self):
        super().setUp()
        self.home = self.start_demo_site("--pages", "3")

    def crawl(self, folder, *options):
        run = self.weft("crawl", "--quiet", "--wait", "0", "--max-per-host", "8", *options, "-o",
                        folder, self.home)
        self.assertEqual(run.returncode, 0, run.stderr)

    def compare(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tools/compare-crawls", *arguments],
                              cwd=self.path, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)

    def assert_found(self, what, *arguments):
        run = self.compare("a", "b", *arguments)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, what)

    def change_lines(self, change, name="pages"):
        """`change` gets the lines of b's log, without the first."""
        path = self.path / f"b/pages/{name}.jsonl"
        first, *lines = path.read_text().splitlines()
        lines = change([json.loads(line) for line in lines])
        path.write_text("\n".join([first, *map(json.dumps, lines)]) + "\n")

    def archive(self):
        (path,) = (self.path / "b/archive").iterdir()
        return path

    def test_crawls_of_one_site_are_the_same_however_they_are_packed(self):
        self.crawl("a")
        for packing in ("gzip", "none", "zstd")[:3 if HAS_ZSTD else 2]:
            self.crawl(packing, "--compress", packing, "--max-per-host", "3")
            run = self.compare("a", packing)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("The two are the same.", run.stdout)

    def test_whatever_a_line_says_otherwise_is_named(self):
        self.crawl("a")
        self.crawl("b")
        whole = (self.path / "b/pages/pages.jsonl").read_bytes()
        for field, value in (("ending", "failed"), ("status", 500), ("size", 1),
                             ("digest", "xxh3:0"), ("payload", "sha1:A"), ("redirect", "x")):
            self.change_lines(lambda rows: [{**rows[0], field: value}, *rows[1:]])
            self.assert_found(rf"{self.home}: .*{value}")
            (self.path / "b/pages/pages.jsonl").write_bytes(whole)
        self.assertEqual(self.compare("a", "b").returncode, 0)

    def test_a_line_that_is_missing_or_there_twice_is_named(self):
        self.crawl("a")
        self.crawl("b")
        self.change_lines(lambda rows: rows[1:])
        self.assert_found(f"only in a: {self.home}")
        self.assert_found(f"{self.home}: 1 records, and lines for 0")
        self.change_lines(lambda rows: [*rows, rows[-1]])
        self.assert_found("has two lines in pages.jsonl")

    def test_damage_to_the_archive_is_named(self):
        self.crawl("a")
        self.crawl("b", "--compress", "none")
        whole = self.archive().read_bytes()
        place = whole.index(b"Front page")
        self.archive().write_bytes(whole[:place] + b"f" + whole[place + 1:])
        self.assert_found(f"{self.home}: its response record is damaged")
        self.archive().write_bytes(whole[:-100])
        self.assert_found("archive/.*: it ends in the middle of a record")
        self.archive().unlink()
        self.assert_found("archive/.*: is missing; 106 lines name it")

    def test_damage_to_a_packed_archive_is_named(self):
        self.crawl("a")
        self.crawl("b")
        whole = self.archive().read_bytes()
        self.archive().write_bytes(whole[:-10])
        self.assert_found("archive/.*: it ends in the middle of a record")
        middle = len(whole) // 2
        self.archive().write_bytes(whole[:middle] + bytes(20) + whole[middle + 20:])
        self.assert_found("archive/")

    def test_urls_can_be_left_out(self):
        self.crawl("a")
        self.crawl("b")
        self.change_lines(lambda rows: [{**row, "status": 500} if row["url"].endswith("about.html")
                                        else row for row in rows])
        self.assert_found("about.html: status 200 / 500")
        self.assertEqual(self.compare("a", "b", "--except", "about.html").returncode, 0)

    def test_what_is_no_crawl_is_an_error_of_its_own(self):
        (self.path / "empty").mkdir()
        for folder in ("empty", "nowhere"):
            run = self.compare(folder, folder)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn(f"{folder} is not the folder of a crawl", run.stderr)
        self.assertEqual(self.compare("--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
