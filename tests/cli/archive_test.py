"""What a crawl leaves for archivists: archive_test.py PATH_TO_WEFT. Only loopback is used."""

import gzip
import hashlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import zipfile

sys.dont_write_bytecode = True

from archiving import PATIENCE_SECONDS, WEFT, Archive, ChangingSite  # noqa: E402


class Packing(Archive):
    def test_every_kind_of_packing_is_valid_and_holds_the_same(self):
        site = self.demo_site("--pages", "20")
        listed = {}
        for packing, extension in [("gzip", ".gz"), ("gzip:9", ".gz"), ("zstd", ".zst"),
                                   ("none", "")]:
            crawl = self.crawl("--compress", packing, site=site, output=packing)
            file, = crawl.glob("archive/*")
            self.assertTrue(file.name.endswith(".warc" + extension))
            verified = self.weft("warc", "verify", file)
            self.assertRegex(verified, r": \d+ records, \d+ digests right, \d+ unchecked, 0 prob")
            lines = self.weft("warc", "ls", file).splitlines()
            listed[packing] = sorted((line.split()[2], line.split()[-1]) for line in lines[1:])
            self.assertEqual({kind for kind, _ in listed[packing]},
                             {"response", "request", "metadata", "revisit"})
            self.assertEqual(self.weft("warc", "cat-url", site + "robots.txt.not", file, status=8),
                             "")
            self.assertIn("<title>", self.weft("warc", "cat-url", site, file))
        self.assertEqual(listed["gzip"], listed["gzip:9"])
        self.assertEqual(listed["gzip"], listed["zstd"])
        self.assertEqual(listed["gzip"], listed["none"])

    def test_a_crawl_goes_on_in_zstd(self):
        site = self.demo_site("--pages", "40")
        crawl = self.crawl("--compress", "zstd", "--limit", "60", site=site, status=14)
        first, = crawl.glob("archive/*")
        with first.open("ab") as file:
            file.write(b"a tail that is of no record")

        self.weft("resume", "--quiet", "--limit", "1000000", "crawl")

        self.assertEqual(len(list(crawl.glob("archive/*.warc.zst"))), 2)
        self.weft("warc", "verify", *crawl.glob("archive/*"))
        urls = [page["url"] for page in self.pages(crawl)]
        self.assertEqual(len(urls), len(set(urls)))
        self.assertGreater(len(urls), 60)


class Index(Archive):
    def test_the_index_of_a_crawl_is_that_of_its_files(self):
        crawl = self.crawl()

        lines = (crawl / "indexes/index.cdxj").read_text()

        self.assertEqual(lines, self.weft("warc", "index", *crawl.glob("archive/*")))
        self.assertEqual(lines.splitlines(), sorted(lines.splitlines()))
        archived = [page for page in self.pages(crawl) if "file" in page]
        self.assertEqual(len(lines.splitlines()), len(archived) + 1, "and robots.txt")
        self.assertIn('"mime":"warc/revisit"', lines)
        self.assertTrue(lines.startswith("1,0,0,127:"), lines[:20])

    def test_without_an_archive_there_is_none(self):
        crawl = self.crawl("--no-archive")

        self.assertFalse((crawl / "indexes").exists())


class Wacz(Archive):
    def test_a_crawl_says_where_it_is_and_where_the_copy_to_browse(self):
        said = self.weft("crawl", "--wait", "0", "--output", "crawl", "--wacz", "--mirror", "copy",
                         self.demo_site("--pages", "5"))

        self.assertTrue(said.endswith(
            "\nKept in crawl\nLonger lists:  weft report --format json crawl\n"
            "To replay: crawl/crawl.wacz\nTo browse: copy\n"), said[-200:])

    def test_another_program_finds_all_that_its_description_names(self):
        crawl = self.crawl("--wacz")
        path = crawl / "crawl.wacz"

        with zipfile.ZipFile(path) as wacz:
            self.assertIsNone(wacz.testzip())
            names = set(wacz.namelist())
            package = wacz.read("datapackage.json")
            digest = json.loads(wacz.read("datapackage-digest.json"))
            self.assertEqual(digest["hash"], "sha256:" + hashlib.sha256(package).hexdigest())
            description = json.loads(package)
            self.assertEqual(description["wacz_version"], "1.1.1")
            self.assertRegex(description["mainPageUrl"], r"^http://127\.0\.0\.1:\d+/$")
            for resource in description["resources"]:
                content = wacz.read(resource["path"])
                self.assertEqual(len(content), resource["bytes"])
                self.assertEqual("sha256:" + hashlib.sha256(content).hexdigest(), resource["hash"])
            self.assertEqual(names, {resource["path"] for resource in description["resources"]} |
                             {"datapackage.json", "datapackage-digest.json"})
            self.assertTrue(all(entry.compress_type == zipfile.ZIP_STORED
                                for entry in wacz.infolist()))

            index = gzip.decompress(wacz.read("indexes/index.cdx.gz")).decode()
            self.assertEqual(index, (crawl / "indexes/index.cdxj").read_text())
            self.check_block_index(wacz, index)
            self.check_pages(wacz, index)

    def check_block_index(self, wacz, index):
        meta, *blocks = wacz.read("indexes/index.idx").decode().splitlines()
        self.assertEqual(meta, '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}')
        packed = wacz.read("indexes/index.cdx.gz")
        lines = ""
        for block in blocks:
            key, place = block.split(" {")
            place = json.loads("{" + place)
            member = packed[place["offset"]:place["offset"] + place["length"]]
            self.assertEqual(place["digest"], "sha256:" + hashlib.sha256(member).hexdigest())
            part = gzip.decompress(member).decode()
            self.assertTrue(part.startswith(key + " {"))
            lines += part
        self.assertEqual(lines, index)

    def check_pages(self, wacz, index):
        head, *pages = map(json.loads, wacz.read("pages/pages.jsonl").decode().splitlines())
        self.assertEqual(head["format"], "json-pages-1.0")
        self.assertGreater(len(pages), 20)
        self.assertEqual(len({page["id"] for page in pages}), len(pages))
        self.assertEqual([page["url"] for page in pages if page.get("seed")], [pages[0]["url"]])
        for page in pages:
            self.assertIn(json.dumps(page["url"]), index)
            self.assertTrue(page["title"])

    def test_can_be_made_later_and_elsewhere(self):
        self.crawl()

        said = self.weft("wacz", "crawl", "--output", "site.wacz", "--title", "A <site>")

        self.assertRegex(said, r"^site\.wacz: \d+ pages, \d+ records, \d+\.\d MB\n$")
        with zipfile.ZipFile(self.path / "site.wacz") as wacz:
            self.assertEqual(json.loads(wacz.read("datapackage.json"))["title"], "A <site>")
        left_over = [path for path in self.path.rglob("*.new")]
        self.assertEqual(left_over, [])


class Recrawl(ChangingSite):
    def test_only_what_has_changed_comes_again(self):
        self.crawl(site=self.url, output="first")
        self.change()

        said = self.recrawl("first", "second")

        second = self.path / "second"
        pages = {page["url"][len(self.url) - 1:]: page for page in self.pages(second)}
        unchanged = {name for name, page in pages.items() if page.get("unchanged")}
        self.assertEqual(unchanged, {"/a.html", "/deep.html", "/style.css", "/picture.png"})
        self.assertEqual(pages["/a.html"]["status"], 304)
        self.assertEqual(pages["/a.html"]["title"], "A")
        kinds = self.kinds(second)
        self.assertEqual(kinds["/a.html"], ("revisit", "304"))
        self.assertEqual(kinds["/b.html"], ("response", "200"))
        self.weft("warc", "verify", *second.glob("archive/*"))
        self.assertIn("1 new, 2 changed, 4 unchanged, 0 moved, 1 gone, 1 missing", said)
        changes = [json.loads(line)
                   for line in (second / "reports/changes.jsonl").read_text().splitlines()]
        self.assertEqual([(change["url"][len(self.url) - 1:], change["change"])
                          for change in changes],
                         [("/", "changed"), ("/b.html", "changed"), ("/c.html", "gone"),
                          ("/d.html", "missing"), ("/new.html", "new")])

    def test_a_revisit_names_the_answer_that_it_stands_for(self):
        self.crawl(site=self.url, output="first")
        first = {page["url"]: page for page in self.pages(self.path / "first")}

        self.recrawl("first", "second")
        self.recrawl("second", "third")

        third = self.path / "third"
        self.assertTrue(all(page["status"] in (304, 404) for page in self.pages(third)))
        file, = third.glob("archive/*")
        records = self.weft("warc", "cat", file)
        url = self.url + "a.html"
        record = next(text for text in records.split("WARC/1.1\n")
                      if "WARC-Type: revisit" in text and f"WARC-Target-URI: {url}\n" in text)
        self.assertIn("WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified",
                      record)
        self.assertIn(f"WARC-Refers-To-Target-URI: {url}\n", record)
        self.assertIn(f"WARC-Refers-To-Date: {first[url]['ts'][:19]}Z\n", record)
        self.assertIn(first[url]["payload"], record)

    def test_without_the_earlier_archive_all_comes_again(self):
        crawl = self.crawl(site=self.url, output="first")
        for file in crawl.glob("archive/*"):
            file.unlink()

        self.recrawl("first", "second")

        self.assertFalse([page for page in self.pages(self.path / "second")
                          if page.get("unchanged")])


class Repair(Archive):
    """A crawl that stopped half way, and what can happen to its folder (H90, H91)."""

    def setUp(self):
        super().setUp()
        self.site = self.demo_site("--pages", "40")
        self.whole = {page["url"]: page["ending"]
                      for page in self.pages(self.crawl(site=self.site, output="whole"))}
        self.half = self.crawl("--limit", "100", site=self.site, status=14)
        self.before = {page["url"]: page for page in self.pages(self.half)}
        self.file, = self.half.glob("archive/*")

    def resume(self):
        """The crawl ends as if nothing had happened."""
        self.weft("resume", "--quiet", "--limit", "1000000", "crawl")
        urls = [page["url"] for page in self.pages(self.half)]
        self.assertEqual(len(urls), len(set(urls)))
        self.assertEqual({page["url"]: page["ending"] for page in self.pages(self.half)},
                         self.whole)
        self.weft("warc", "verify", *self.half.glob("archive/*"))

    def check_places(self):
        content = {path.name: path.read_bytes() for path in self.half.glob("archive/*")}
        for page in self.pages(self.half):
            if "file" in page:
                self.assertEqual(content[page["file"]][page["offset"]:page["offset"] + 2],
                                 b"\x1f\x8b", page)
        lines = (self.half / "indexes/index.cdxj").read_text()
        self.assertEqual(lines, self.weft("warc", "index", *self.half.glob("archive/*")))

    def aside(self):
        return {path.name: path for path in self.half.glob("repair/*/*")}

    def test_a_whole_crawl_is_left_as_it_is_H90(self):
        content = {path: path.read_bytes() for path in self.half.rglob("*.*")}

        self.assertIn("nothing to repair", self.weft("repair", "crawl"))

        self.assertEqual(content, {path: path.read_bytes() for path in self.half.rglob("*.*")})
        self.resume()

    def test_a_torn_tail_is_kept_aside_H91(self):
        with self.file.open("ab") as file:
            file.write(b"\x1f\x8b\x08 torn")

        self.weft("repair", "crawl")

        kept, = self.aside().values()
        self.assertEqual(kept.read_bytes(), b"\x1f\x8b\x08 torn")
        self.weft("warc", "verify", self.file)
        self.resume()

    def test_a_file_that_lost_its_end_takes_no_later_one_with_it_H90(self):
        shutil.rmtree(self.half)
        self.crawl("--limit", "100", "--warc-max-size", "40000", site=self.site, status=14)
        first, *others = sorted(self.half.glob("archive/*"))
        self.assertGreater(len(others), 1)
        content = {path: path.read_bytes() for path in others}
        os.truncate(first, first.stat().st_size - 1)

        said = self.weft("repair", "crawl")

        self.assertIn(f"{first.name} has lost its end", said)
        self.assertEqual(content, {path: path.read_bytes() for path in others})
        self.check_places()
        self.resume()

    def test_a_lost_frontier_is_built_anew_H90(self):
        shutil.rmtree(self.half / "state/frontier")

        said = self.weft("repair", "crawl")

        self.assertIn("the frontier is missing", said)
        self.assertEqual({url: page["ending"] for url, page in self.before.items()},
                         {page["url"]: page["ending"] for page in self.pages(self.half)})
        self.check_places()
        self.resume()

    def test_a_frontier_that_lost_its_end_loses_no_page_H90(self):
        for path in (self.half / "state/frontier").glob("log-*"):
            path.write_bytes(path.read_bytes()[:100])

        said = self.weft("repair", "crawl")

        self.assertIn("the frontier has lost its end", said)
        self.assertEqual({url: page["ending"] for url, page in self.before.items()},
                         {page["url"]: page["ending"] for page in self.pages(self.half)})
        self.check_places()
        self.resume()

    def test_a_frontier_with_flipped_bits_is_built_anew_H90(self):
        for path in (self.half / "state/frontier").iterdir():
            if path.name != "lock":
                content = bytearray(path.read_bytes())
                for at in range(len(content) // 2, len(content), 97):
                    content[at] ^= 0x55
                path.write_bytes(content)

        self.weft("repair", "crawl")

        self.check_places()
        self.resume()

    def test_a_lost_page_log_is_read_from_the_archive_H90(self):
        (self.half / "pages/pages.jsonl").unlink()
        shutil.rmtree(self.half / "state/frontier")

        said = self.weft("repair", "crawl")

        archived = {url: page for url, page in self.before.items() if "file" in page}
        self.assertIn(f"{len(archived)} pages known from the archive alone", said)
        after = {page["url"]: page for page in self.pages(self.half)}
        self.assertEqual(set(after), set(archived))
        for url, page in after.items():
            for name in ["status", "ending", "mime", "payload", "depth", "referrer", "via", "file",
                         "offset", "length", "revisit", "redirect"]:
                self.assertEqual(page.get(name), archived[url].get(name), (url, name))
        self.check_places()
        self.resume()

    # It said "is whole: there is nothing to repair" although it had just restored the page log.
    def test_a_page_log_restored_from_the_frontier_is_named_H90(self):
        (self.half / "pages/pages.jsonl").unlink()

        said = self.weft("repair", "crawl")

        self.assertIn("pages/pages.jsonl was missing; it is restored", said)
        self.assertEqual({page["url"] for page in self.pages(self.half)}, set(self.before))
        self.check_places()
        self.resume()

    def test_damage_in_the_middle_costs_only_what_it_hit_H90(self):
        content = bytearray(self.file.read_bytes())
        hit = sorted((page["offset"], page["length"]) for page in self.before.values()
                     if "file" in page)[30]
        content[hit[0] + hit[1] // 2] ^= 0xFF
        self.file.write_bytes(content)
        self.weft("warc", "verify", self.file, status=3)

        said = self.weft("repair", "crawl")

        self.assertIn("1 page without good records", said)
        kept = self.aside()[f"{self.file.name}.damaged"].read_bytes()
        self.assertEqual(kept, bytes(content))
        self.weft("warc", "verify", self.file)
        self.assertEqual(len(self.pages(self.half)), len(self.before) - 1)
        self.check_places()
        self.resume()

    def test_another_process_at_work_is_not_disturbed_H92(self):
        slow = self.demo_site("--pages", "40", "--delay", "0.2")
        running = subprocess.Popen([WEFT, "crawl", "--quiet", "--output", "busy", slow],
                                   cwd=self.path)
        self.addCleanup(self.end, running)
        while not (self.path / "busy/state/crawl.toml").exists():
            time.sleep(0.01)

        self.weft("repair", "busy", status=2)


def links_of(page):
    """Those that lead to files."""
    links = []
    parser = html.parser.HTMLParser()
    parser.handle_starttag = lambda tag, attributes: links.extend(
        value.split("#")[0] for name, value in attributes if name in ("href", "src") and value)
    parser.feed(page)
    return [link for link in links if link and ":" not in link]


class Mirror(Archive):
    def test_every_page_and_what_it_needs_is_there_and_linked(self):
        crawl = self.crawl("--mirror", "copy")

        copy = self.path / "copy"
        good = [page for page in self.pages(crawl) if page.get("status") == 200]
        files = [path for path in copy.rglob("*") if path.is_file()]
        self.assertEqual(len(files), len(good))
        home, = copy.glob("127.0.0.1_*/index.html")
        found, queue = {home}, [home]
        while queue:
            page = queue.pop()
            if page.name == "not-links.html":  # They only look like links to a simple reader.
                continue
            for link in links_of(page.read_text(encoding="utf-8-sig")):
                target = (page.parent / urllib.parse.unquote(link)).resolve()
                self.assertTrue(target.is_file(), (page, link))
                if target not in found:
                    found.add(target)
                    if target.name.endswith(".html"):
                        queue.append(target)
        self.assertGreater(len(found), len(good) // 2)

    def test_nothing_that_is_there_is_replaced_H94(self):
        (self.path / "copy").mkdir()
        (self.path / "copy/mine").write_text("mine")

        self.weft("crawl", "--mirror", "copy", "http://127.0.0.1:1/", status=2)

        self.assertEqual((self.path / "copy/mine").read_text(), "mine")

    def test_it_can_be_made_later_from_any_packing(self):
        self.crawl("--compress", "zstd")

        said = self.weft("mirror", "crawl", "copy")

        self.assertRegex(said, r"^copy: \d+ files, \d+\.\d MB\n$")


if __name__ == "__main__":
    unittest.main(verbosity=0)
