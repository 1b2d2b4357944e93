"""`weft explain` on crawls that ended, run, or were killed: explain_test.py PATH_TO_WEFT."""

import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        site = subprocess.Popen([WEFT, "demo-site", "--port", "0", "--pages", "60"], text=True,
                                stdout=subprocess.PIPE)
        self.addCleanup(lambda: (site.kill(), site.communicate()))
        self.home = re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]

    def weft(self, *arguments):
        return subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)

    def crawl(self, *arguments):
        run = self.weft("crawl", "--quiet", "--wait", "0", "--max-per-host", "8", "--output",
                        "kept", *arguments, self.home)
        self.assertIn(run.returncode, (0, 14), run.stderr)

    def explain(self, url):
        run = self.weft("explain", "--json", "kept", url)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def pages(self):
        lines = (self.path / "kept/pages/pages.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines[1:]]

    def refusals(self, explanation):
        return [rule["name"] for rule in explanation["rules"] if rule["refuses"]]


class Known(Explain):
    def test_every_page_is_found_with_its_line_and_its_rules_agree(self):
        self.crawl()
        pages = self.pages()
        self.assertEqual(len(pages), (self.path / "kept/pages/pages.idx").stat().st_size // 16)
        for page in pages[::7]:
            answer = self.explain(page["url"])
            self.assertEqual(answer["state"], page["ending"])
            self.assertEqual(answer["page"], page)
            self.assertEqual(answer["referrer"], page.get("referrer", ""))
            self.assertEqual(self.refusals(answer),
                             ["robots"] if page["ending"] == "denied" else [], page)

    def test_it_reads_well(self):
        self.crawl()
        page = next(page for page in self.pages() if page.get("status") == 404)
        text = self.weft("explain", "kept", page["url"]).stdout
        self.assertRegex(text, r"\Ahttp://\S+\n  fetched: 404 Not Found")
        self.assertRegex(text, r"Found\n  on http://\S+\n"
                               r"  as an? \w[\w ]*, \d+ steps? from a seed\n")
        self.assertRegex(text, r"  ok +scope +host\n")
        self.assertRegex(text, r"Fetched\n  at 20\S+Z from 127\.0\.0\.1:\d+\n")
        self.assertRegex(text, r"  in all +[\d.]+ ms\n")
        command = re.search(r"  (weft warc cat --offset \d+ \S+)\n", text)[1]
        record = self.weft(*command.split()[1:]).stdout
        self.assertIn(f"WARC-Target-URI: {page['url']}", record)

    def test_a_path_is_one_of_the_first_start(self):
        self.crawl()
        self.assertEqual(self.explain("/about.html"), self.explain(self.home + "about.html"))

    def test_what_robots_txt_keeps_out_says_so(self):
        self.crawl()
        text = self.weft("explain", "kept", "/private/diary.html").stdout
        self.assertRegex(text, r"\Ahttp://\S+\n  kept out\n  why: robots\.txt line \d+: Disallow: ")
        self.assertRegex(text, r"  refuses +robots\.txt +line \d+: Disallow: /private/ "
                               rf"\(for User-agent: \*\) in {self.home}robots\.txt\n")
        robots = self.explain("/private/diary.html")["robots"]
        self.assertRegex(robots.pop("fetched"), r"^20\S+Z$")
        self.assertGreater(robots.pop("line"), 0)
        self.assertEqual(robots, {"url": self.home + "robots.txt", "status": 200, "allows": False,
                                  "agent": "*", "rule": "Disallow: /private/"})

    def test_what_nobody_answered_was_tried_and_has_no_body(self):
        self.weft("crawl", "--quiet", "--tries", "1", "--output", "kept", "http://127.0.0.1:1/")
        text = self.weft("explain", "kept", "http://127.0.0.1:1/").stdout
        self.assertRegex(text, r"\A\S+\n  failed\n  why: .*refused")
        self.assertRegex(text, r"Tried\n  at 20\S+Z\n")
        self.assertNotIn("body", text)

    def test_another_spelling_of_a_url_is_the_same_page(self):
        self.crawl()
        page = next(page["url"] for page in self.pages() if page["url"].endswith(".html"))
        spelled = page.replace(".html", ".%68tml#part")
        self.assertEqual(self.explain(spelled)["page"]["url"], page)

    def test_what_waits_says_where_it_was_found_and_resume_fetches_it(self):
        self.crawl("--limit", "60")
        done = {page["url"] for page in self.pages()}
        log, = (self.path / "kept/state/frontier").glob("log-*")
        known = re.findall(rb"http://127\.0\.0\.1:\d+/[a-z/-]*\d*\.html", log.read_bytes())
        waiting = sorted({url.decode() for url in known} - done)
        self.assertTrue(waiting)
        states = {url: self.explain(url) for url in waiting[:10]}
        found = [answer for answer in states.values() if answer["state"] == "waiting"]
        self.assertTrue(found)
        for answer in found:
            self.assertIn(answer["referrer"], done)
            self.assertGreater(answer["waiting"]["host_waiting"], 0)
        text = self.weft("explain", "kept", found[0]["url"]).stdout
        self.assertIn("waits to be fetched", text)
        self.assertIn("weft resume kept", text)

        self.assertEqual(self.weft("resume", "--quiet", "--limit", "10000", "kept").returncode, 0)
        self.assertIn(self.explain(found[0]["url"])["state"], ("fetched", "redirect", "denied"))

    def test_a_running_and_a_killed_crawl_can_be_asked(self):
        crawl = subprocess.Popen([WEFT, "crawl", "--quiet", "--wait", "0.02", "--output", "kept",
                                  self.home], cwd=self.path)
        self.addCleanup(lambda: (crawl.kill(), crawl.wait()))
        end = time.monotonic() + PATIENCE_SECONDS
        log = self.path / "kept/pages/pages.jsonl"
        while time.monotonic() < end and not (log.exists() and len(log.read_bytes()) > 8000):
            time.sleep(0.05)
        self.assertEqual(self.explain(self.home)["state"], "fetched")
        crawl.send_signal(signal.SIGKILL)
        crawl.wait()
        for page in self.pages()[::5]:
            self.assertEqual(self.explain(page["url"])["state"], page["ending"])
        self.assertEqual(self.weft("resume", "--quiet", "--wait", "0", "kept").returncode, 0)
        for page in self.pages()[::20]:
            self.assertEqual(self.explain(page["url"])["page"], page)

    def test_without_its_index_all_is_found_as_well(self):
        self.crawl("--limit", "30")
        (self.path / "kept/pages/pages.idx").unlink()
        for page in self.pages()[::5]:
            self.assertEqual(self.explain(page["url"])["page"], page)


class LinkedFrom(Explain):
    def test_user_and_password_are_no_part_of_a_pages_name(self):
        self.crawl("--limit", "5")
        secret = self.home.replace("://", "://user:s3cret@")
        for form in ["--json"], []:
            run = self.weft("explain", *form, "kept", secret)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn("s3cret", run.stdout + run.stderr)
            self.assertEqual(run.stdout, self.weft("explain", *form, "kept", self.home).stdout)

    def test_no_message_about_a_url_shows_its_password(self):
        self.crawl("--limit", "1")
        for command in ["explain", "kept"], ["fetch"], ["crawl"], ["check"]:
            for url in ["ftp://user:s3cret@a.example/", "http://user:s3cret@a.example:x/",
                        "user:s3cret@a.example", "http://user:s3/cret@a.example/",
                        "http:user:s3cret@:0:/", "gopher:user:s3cret@a.example"]:
                run = self.weft(*command, url)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertNotRegex(run.stdout + run.stderr, "s3", url)

    def test_what_is_no_web_address_is_said_to_be_none(self):
        self.crawl("--limit", "1")
        for url in "mailto:x@y.example", "tel:+491", "javascript:void(0)", "ftp://a.example/x":
            run = self.weft("explain", "kept", url)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"cannot explain '{url}': it is not a web address; only http and "
                          "https are fetched", run.stderr)
        self.assertIn("http://localhost:8080/x\n  is not known to this crawl",
                      self.weft("explain", "kept", "localhost:8080/x").stdout)

    def test_with_links_kept_every_page_that_links_is_named(self):
        self.crawl("--links")
        pages = self.pages()
        about = self.home + "about.html"
        linking = [page["url"] for page in pages if about in page.get("links", [])]
        self.assertGreater(len(linking), 20)
        linked = self.explain(about)["linked_from"]
        self.assertEqual(linked["count"], len(linking))
        self.assertEqual(linked["pages"], linking)
        self.assertEqual(self.explain(about.replace("about", "%61bout"))["linked_from"], linked)
        text = self.weft("explain", "kept", about).stdout
        self.assertIn(f"\n  {len(linking)} pages link to it:\n    {linking[0]}\n", text)
        self.assertIn(f"\n    ... and {len(linking) - 10} more; --json names all\n", text)

    def test_with_links_kept_a_link_that_leaves_is_found(self):
        self.crawl("--links")
        url, on = next((link, page["url"]) for page in self.pages()
                       for link in page.get("links", []) if not link.startswith(self.home))
        answer = self.explain(url)
        self.assertEqual(answer["state"], "unknown")
        self.assertIn(on, answer["linked_from"]["pages"])
        text = self.weft("explain", "kept", url).stdout
        self.assertRegex(text, r"Found\n  \d+ pages have a link to it, which was not followed:\n"
                               rf"    {re.escape(on)}\n")
        self.assertNotIn("nowhere", text)

    def test_nowhere_is_said_only_where_it_is_known(self):
        self.crawl("--links")
        self.assertRegex(self.weft("explain", "kept", "http://elsewhere.example/").stdout,
                         r"Found\n  no link to it in the \d+ that were read\n")

    def test_without_links_kept_it_says_what_is_not_known(self):
        self.crawl()
        text = self.weft("explain", "kept", "http://elsewhere.example/").stdout
        self.assertNotIn("nowhere", text)
        self.assertRegex(text, r"Found\n  on no page that is known\n  \d+ links of \d+ pages "
                               r"were not followed; only a crawl with --links keeps which\n"
                               r"(?: +\d+  [^\n]+\n)* +\d+  not on a seed's host\n")
        linked = self.explain("http://elsewhere.example/")["linked_from"]
        self.assertNotIn("count", linked)
        self.assertEqual(linked["count_at_least"], 0)
        self.assertIn("Only a crawl with --links keeps the other pages",
                      self.weft("explain", "kept", "/about.html").stdout)

    def test_a_page_that_was_cut_may_have_had_more_links(self):
        self.crawl("--links", "--max-body-size", "2000")
        cut = [page["url"] for page in self.pages() if page.get("truncated")]
        self.assertTrue(cut)
        self.assertEqual(self.explain("http://elsewhere.example/")["linked_from"]["pages_cut"],
                         len(cut))
        text = self.weft("explain", "kept", "http://elsewhere.example/").stdout
        self.assertNotIn("nowhere", text)
        self.assertRegex(text, r"not read to the end, and may have more links: http://\S+\n")


class Unknown(Explain):
    def test_each_rule_is_asked_with_the_crawls_own_options(self):
        self.crawl("--limit", "5", "--exclude", r"\.pdf$", "--depth", "1")
        for url, rule in [("http://elsewhere.example/", "other_host"),
                          (self.home + "paper.pdf", "excluded"),
                          (self.home + "a/a/a/a/a/a/a", "path_repeats"),
                          ("http://127.0.0.1:25/", "blocked_port")]:
            answer = self.explain(url)
            self.assertEqual(answer["state"], "unknown")
            self.assertIn(rule, self.refusals(answer), url)
        self.assertIn("A link to it is not followed: not on a seed's host\n",
                      self.weft("explain", "kept", "http://elsewhere.example/").stdout)
        self.assertIn("A link to it would be followed",
                      self.weft("explain", "kept", self.home + "never").stdout)

    def test_robots_txt_is_said_to_be_read_where_it_was(self):
        self.crawl("--limit", "5")
        text = self.weft("explain", "kept", self.home + "never").stdout
        self.assertRegex(text, r"  ok +robots.txt +no rule for it \(for User-agent: \*\) in "
                               rf"{self.home}robots.txt\n")
        text = self.weft("explain", "kept", "http://elsewhere.example/").stdout
        self.assertRegex(text, r"  later +robots.txt +not read yet: no page of this host")
        for url in [self.home, self.home + "never"]:
            rule = self.explain(url)["rules"][-1]
            self.assertEqual((rule["rule"], rule["later"], rule["refuses"]),
                             ("robots.txt", False, False))

    def test_a_folder_without_a_crawl_is_named(self):
        run = self.weft("explain", "nowhere", self.home)
        self.assertEqual(run.returncode, 2)
        self.assertIn("nowhere holds no crawl", run.stderr)


if __name__ == "__main__":
    unittest.main()
