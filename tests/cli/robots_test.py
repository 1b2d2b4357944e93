"""robots.txt in what a crawl says and keeps: robots_test.py PATH_TO_WEFT. Only loopback is used."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crawl_test  # noqa: E402

RULES = b"User-agent: *\nDisallow: /closed/\nCrawl-delay: 0\n"
TEXT = {"Content-Type": "text/plain; charset=utf-8"}


class Robots(crawl_test.Crawling):
    def lines(self, name="kept"):
        lines = (self.path / name / "pages/robots.jsonl").read_text().splitlines()
        self.assertEqual(json.loads(lines[0])["id"], "robots")
        return [json.loads(line) for line in lines[1:]]

    def files(self, name="kept"):
        return sorted((self.path / name / "archive").glob("*"))

    def good(self, *arguments, status=0):
        run = self.weft(*arguments)
        self.assertEqual(run.returncode, status, run.stderr + run.stdout)
        return run.stdout

    def check_archive(self, name="kept"):
        """Valid, and its index is what its files say; gives the addresses of its answers."""
        self.good("warc", "verify", *self.files(name))
        index = (self.path / name / "indexes/index.cdxj").read_text()
        self.assertEqual(index, self.good("warc", "index", *self.files(name)))
        return [json.loads(line[line.index("{"):])["url"] for line in index.splitlines()]


class Archived(Robots):
    def test_each_step_of_its_fetch_is_in_the_archive_and_in_no_page_list(self):
        server = self.serve({"/": crawl_test.page("/a", "/closed/b"),
                             "/a": crawl_test.page(),
                             "/robots.txt": (301, b"", {"Location": "/rules.txt"}),
                             "/rules.txt": (200, RULES, TEXT)})

        run = self.crawl("--wacz", "--limit", "3", server.url + "/")

        self.assertEqual(run.returncode, 0, run.stderr)
        pages = self.pages("kept")
        self.assertEqual({url.removeprefix(server.url): page["ending"]
                          for url, page in pages.items()},
                         {"/": "fetched", "/a": "fetched", "/closed/b": "denied"})
        self.assertEqual([(line["url"].removeprefix(server.url), line["status"], line["via"],
                           line.get("mime")) for line in self.lines()],
                         [("/robots.txt", 301, "robots", "text/html"),
                          ("/rules.txt", 200, "robots", "text/plain")])
        self.assertEqual(sorted(url.removeprefix(server.url) for url in self.check_archive()),
                         ["/", "/a", "/robots.txt", "/rules.txt"])
        stored = self.good("warc", "cat-url", server.url + "/rules.txt", *self.files())
        self.assertEqual(stored.encode(), RULES)
        listed = self.good("warc", "ls", *self.files())
        self.assertRegex(listed, r" request .* \S+/rules.txt\n")
        self.assertIn("2 pages", self.good("wacz", "kept", "--output", "again.wacz"))

    def test_without_an_archive_nothing_of_it_is_kept(self):
        server = self.serve({"/": crawl_test.page(), "/robots.txt": (200, RULES, TEXT)})

        self.crawl("--no-archive", server.url + "/")

        self.assertFalse((self.path / "kept/pages/robots.jsonl").exists())

    def test_a_crawl_that_may_fetch_nothing_keeps_why(self):
        server = self.serve({"/robots.txt": (200, b"User-agent: *\nDisallow: /\n", TEXT)})

        self.crawl(server.url + "/")
        self.weft("resume", "--quiet", "kept")

        self.assertEqual(self.check_archive(), [server.url + "/robots.txt"])

    def test_a_site_that_answers_all_alike_is_mirrored_all_the_same(self):
        same = (200, b'<title>Home</title><a href="/a">a</a>')
        server = self.serve({"/": same, "/a": same, "/robots.txt": same})

        self.crawl("--mirror", "copy", server.url + "/")

        self.assertEqual(len(self.check_archive()), 3)
        copies = [path for path in (self.path / "copy").rglob("*.html")
                  if b"<title>Home</title>" in path.read_bytes()]
        self.assertEqual(len(copies), 2, sorted((self.path / "copy").rglob("*")))
        self.assertNotIn("revisit", {line.get("mime") for line in self.lines()})

    def test_it_may_be_a_page_as_well(self):
        server = self.serve({"/": crawl_test.page("/robots.txt"),
                             "/robots.txt": (200, RULES, TEXT)})

        self.crawl(server.url + "/")

        self.assertEqual(self.pages("kept")[server.url + "/robots.txt"]["status"], 200)
        self.assertEqual(self.check_archive().count(server.url + "/robots.txt"), 2)

    def test_files_that_are_full_part_no_robots_txt_from_its_page(self):
        table = {"/": crawl_test.page(*[f"http://{name}.test:PORT/" for name in "abcdefgh"])}
        server = self.serve(table)
        port = server.url.rsplit(":", 1)[1]
        table["/"] = (200, table["/"][1].replace(b"PORT", port.encode()))
        table["/robots.txt"] = (200, RULES, TEXT)

        self.crawl("--resolve", f"*:{port}:127.0.0.1", "--scope", "any", "--allow-net",
                   "127.0.0.0/8", "--warc-max-size", "1", server.url + "/")

        addresses = self.check_archive()
        self.assertEqual(len([url for url in addresses if url.endswith("/robots.txt")]), 9)
        file_of = {line["url"]: line["file"] for line in self.lines()}
        for url, page in self.pages("kept").items():
            if "file" in page:
                self.assertEqual(page["file"], file_of[url + "robots.txt"])

    def test_a_recrawl_asks_for_it_anew(self):
        server = self.serve({"/": crawl_test.page(), "/robots.txt": (200, RULES, TEXT)})
        self.crawl(server.url + "/")

        self.good("recrawl", "kept", "--output", "next", "--quiet")

        self.assertEqual(len(self.lines("next")), 1)
        self.assertIn(server.url + "/robots.txt", self.check_archive("next"))


class Closed(Robots):
    def test_a_plain_line_says_what_is_waited_for(self):
        server = self.serve({"/robots.txt": (503, b"busy", {"Retry-After": "60"})})

        crawl = self.start("crawl", "--output", "kept", server.url + "/")

        self.assertRegex(crawl.stderr.readline(),
                         r", robots\.txt of 127\.0\.0\.1:\d+ answered 503; "
                         r"asked again in [45]\d(\.\d)? s \(1 URL\)$")

    def test_the_end_says_why_nothing_was_fetched(self):
        server = self.serve({"/robots.txt": (503, b"busy"), "/": crawl_test.page()})

        run = self.crawl(server.url + "/")

        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f"{server.url}/robots.txt answered 503", run.stdout + run.stderr)
        self.assertIn("its robots.txt could not be fetched, and is needed first",
                      run.stdout + run.stderr)
        self.assertEqual(self.asked(server), [])


class Repaired(Robots):
    def setUp(self):
        super().setUp()
        self.server = self.serve({"/": crawl_test.page("/a", "/closed/b"),
                                  "/a": crawl_test.page(), "/robots.txt": (200, RULES, TEXT)})
        self.crawl(self.server.url + "/")
        self.before = self.essence()
        self.kept = self.path / "kept"

    def essence(self):
        names = ["url", "status", "mime", "via", "file", "offset", "length", "payload"]
        return [[line.get(name) for name in names] for line in self.lines()]

    def check(self):
        self.good("repair", "kept")
        self.assertEqual(self.essence(), self.before)
        self.assertNotIn(self.server.url + "/robots.txt", self.pages("kept"))
        self.check_archive()
        self.good("resume", "--quiet", "kept")
        self.check_archive()
        self.assertEqual(len(self.pages("kept")), 3)

    def test_without_its_frontier_it_is_still_listed(self):
        for path in (self.kept / "state/frontier").iterdir():
            path.unlink()

        self.check()

    def test_without_its_list_it_is_found_in_the_archive(self):
        (self.kept / "pages/robots.jsonl").write_text("no list\nat all\n")
        for path in (self.kept / "state/frontier").iterdir():
            path.unlink()

        self.check()


class Explained(Robots):
    def explain(self, url):
        return self.good("explain", "kept", url)

    def told(self, url):
        """The line on robots.txt, in parts: what it does, and what is said."""
        line, = [line for line in self.explain(url).splitlines() if " robots.txt  " in line]
        mark, said = line.split(" robots.txt ", 1)
        return mark.strip(), said.strip()

    def test_what_waits_is_told_by_which_rule_of_which_group(self):
        rules = (b"User-agent: *\nDisallow: /\n\nUser-agent: weft\nUser-agent: other\n"
                 b"Disallow: /w/\nAllow: /w/open$\n")
        server = self.serve({"/": crawl_test.page("/w/a", "/w/open", "/other"),
                             "/robots.txt": (302, b"", {"Location": "/moved"}),
                             "/moved": (200, rules, TEXT)})
        self.assertEqual(self.crawl("--limit", "1", server.url + "/").returncode, 14)

        where = f"(for User-agent: weft) in {server.url}/moved"
        self.assertIn("waits to be fetched", self.explain("/w/a"))
        self.assertEqual(self.told("/w/a"), ("refuses", f"line 6: Disallow: /w/ {where}"))
        self.assertEqual(self.told("/w/open"), ("ok", f"line 7: Allow: /w/open$ {where}"))
        self.assertEqual(self.told("/other"), ("ok", f"no rule for it {where}"))

    def test_a_file_that_is_missing_or_says_nothing_to_us(self):
        server = self.serve({"/": crawl_test.page("/a")})
        self.crawl(server.url + "/")
        self.assertEqual(self.told("/a"), (
            "ok", f"{server.url}/robots.txt answered 404: there are no rules"))

    def test_a_host_that_it_closes_is_said_to_be_closed(self):
        server = self.serve({"/robots.txt": (503, b"busy")})
        self.crawl(server.url + "/")
        self.assertEqual(self.told("/"), (
            "refuses", f"{server.url}/robots.txt answered 503: no page of its host may be fetched "
                       "until it can be read"))

    def test_one_that_nobody_answers_for_is_said_to_be_so(self):
        self.crawl("http://127.0.0.1:1/")
        mark, said = self.told("http://127.0.0.1:1/")
        self.assertRegex(said, r"^http://127\.0\.0\.1:1/robots\.txt could not be fetched: .*refus")

    def test_what_the_file_says_is_no_command_to_a_terminal_H102(self):
        server = self.serve({"/": crawl_test.page("/a"), "/robots.txt": (
            200, b"User-agent: *\nDisallow: /a\x1b[2J\nDisallow: /a$\n", TEXT)})
        self.crawl(server.url + "/")

        text = self.explain("/a\x1b[2Jb")

        self.assertNotIn("\x1b", text)
        self.assertIn("Disallow: /a", text)

    def test_without_an_archive_it_says_what_it_knows(self):
        server = self.serve({"/": crawl_test.page("/a", "/closed/b"),
                             "/robots.txt": (200, RULES, TEXT)})
        self.crawl("--no-archive", server.url + "/")
        self.assertEqual(self.told("/a"), ("ok", "allows it"))
        self.assertEqual(self.told("/closed/b"),
                         ("refuses", "robots.txt line 2: Disallow: /closed/"))

    def test_with_robots_off_nothing_is_said_of_it(self):
        server = self.serve({"/": crawl_test.page("/a")})
        self.crawl("--robots", "off", server.url + "/")
        self.assertNotIn("robots.txt", self.explain("/a"))


if __name__ == "__main__":
    unittest.main()
