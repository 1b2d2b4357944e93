"""`weft crawl --text`: pages/text.jsonl, and the same lines on standard output.

text_test.py PATH_TO_WEFT
"""

import json
import os
import pathlib
import re
import subprocess
import unittest

import peers
from archiving import Archive, ChangingSite, PATIENCE_SECONDS, WEFT

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROSE = "The weaver ties each thread of the warp to the beam before the first row. " * 8


def texts(crawl):
    return [json.loads(line) for line in (crawl / "pages/text.jsonl").read_text().splitlines()]


class Text(Archive):
    def html_urls(self, crawl):
        return sorted(page["url"] for page in self.pages(crawl)
                      if page.get("status") == 200 and page.get("mime") == "text/html")

    def test_each_html_page_has_one_line(self):
        site = self.demo_site("--pages", "40")
        for option, member in (("--text", "text"), ("--text=plain", "text"),
                               ("--text=markdown", "markdown")):
            for more in ([], ["--no-archive"], ["--threads", "3", "--scope", "any"]):
                output = f"{member}-{len(more)}-{option.count('=')}"
                crawl = self.crawl(option, *more, site=site, output=output)

                rows = texts(crawl)
                self.assertEqual(sorted(row["url"] for row in rows), self.html_urls(crawl))
                with_text = [row for row in rows if row.get(member)]
                self.assertGreater(len(with_text), 0.9 * len(rows))
                self.assertFalse([row for row in rows if "</p>" in row.get(member, "")])

    def test_the_text_is_that_of_the_demo_site(self):
        """Its articles have a title and paragraphs, and a menu that is no content."""
        site = self.demo_site("--pages", "40")
        crawl = self.crawl("--text=markdown", site=site)
        rows = {row["url"]: row for row in texts(crawl)}
        page = next(row for url, row in rows.items() if re.search(r"/the-[a-z-]+-\d+\.html$", url))
        html = subprocess.run([WEFT, "fetch", page["url"]], capture_output=True, text=True).stdout
        title = re.search(r"<h1>(.*?)</h1>", html)[1]
        self.assertEqual(page["title"], title)
        paragraphs = [re.sub("<.*?>", "", each) for each in re.findall(r"<p>(.*?)</p>", html, re.S)]
        self.assertTrue(paragraphs)
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", page["markdown"])
        for paragraph in paragraphs:
            self.assertIn(" ".join(paragraph.split()), plain)
        self.assertTrue([link for link in page["links"] if link["text"] == "Front page"
                         and "main" not in link])

    def test_not_unless_it_is_asked_for(self):
        self.assertFalse((self.crawl() / "pages/text.jsonl").exists())

    def test_a_url_may_follow(self):
        """It took the URL for its value."""
        crawl = self.crawl("--depth", "1", "--text")
        self.assertTrue(texts(crawl))
        kept = (crawl / "state/crawl.toml").read_text()
        self.assertIn("text = 'plain'", kept)

    def test_other_forms_are_refused(self):
        run = subprocess.run([WEFT, "crawl", "--text=word", "http://127.0.0.1:1/"],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--text takes plain or markdown, not 'word'", run.stderr)

    def test_settings_say_the_same(self):
        site = self.demo_site("--pages", "5")
        for value, member in (("true", "text"), ('"markdown"', "markdown"), ("false", None)):
            (self.path / "weft.toml").write_text(f"[crawl]\ntext = {value}\n")
            self.weft("--config", "weft.toml", "crawl", "--wait", "0", "--quiet", "--output",
                      f"kept-{member}", site)
            crawl = self.path / f"kept-{member}"
            self.assertEqual((crawl / "pages/text.jsonl").exists(), member is not None)
            if member:
                self.assertTrue([row for row in texts(crawl) if member in row])

    def test_the_documented_members_are_those_that_can_be_written(self):
        page = (ROOT / "docs/reference/text.md").read_text()
        documented = re.findall(r"^\| `(\w+)`", page, re.MULTILINE)
        source = (ROOT / "src/extract/line/text_line.cpp").read_text()
        source = source[source.index("void append_text_line"):]
        written = re.findall(r'writer\.add(?:_json)?\("(\w+)"', source)
        self.assertEqual(sorted(set(written) | {"text", "markdown"}), sorted(documented))


class Again(ChangingSite):
    def test_an_unchanged_page_has_its_line_in_the_next_crawl(self):
        (self.site / "a.html").write_text(f"<title>A</title><h1>A</h1><p>{PROSE}</p>")
        self.weft("crawl", "--quiet", "--text", "--wait", "0", "--output", "first", self.url)
        self.weft("recrawl", "--quiet", "first", "--output", "second", "--wait", "0")

        first, second = (texts(self.path / name) for name in ("first", "second"))
        states = {page["url"]: page["status"] for page in self.pages(self.path / "second")}
        self.assertEqual(states[self.url + "a.html"], 304)
        def essence(rows):
            return {row["url"]: row.get("text") for row in rows}
        self.assertEqual(essence(first), essence(second))


class ReservedLater(Archive):
    """A page that does not change, but its site reserves its use now."""

    def test_the_field_of_a_304_counts_in_a_recrawl_and_its_repair(self):
        class Site(peers.Site):
            fields = []

            def at_(self):
                is_known = self.headers.get("If-None-Match") == '"1"'
                self.reply(304 if is_known else 200, b"" if is_known else f"<p>{PROSE}".encode(),
                           [("ETag", '"1"'), ("Content-Type", "text/html"), *self.fields])

        with peers.serve(Site) as site:
            self.weft("crawl", "--quiet", "--text", "--wait", "0", "--output", "first", site.url)
            Site.fields = [("TDM-Reservation", "1")]
            self.weft("recrawl", "--quiet", "first", "--output", "second", "--wait", "0")
        page, = [page for page in self.pages(self.path / "second") if page["url"] == site.url + "/"]
        self.assertEqual(page["status"], 304)
        row, = texts(self.path / "first")
        self.assertNotIn("withheld", row)
        row, = texts(self.path / "second")
        self.assertEqual((row["withheld"], row.get("text")), ("tdm-reservation=1", None))
        (self.path / "second/pages/text.jsonl").unlink()
        self.weft("repair", "second")
        self.assertEqual(texts(self.path / "second"), [row])


class Structured(ChangingSite):
    DATA = ('<script type="application/ld+json">{"@type": "Product", "name": "Chair"}</script>'
            '<div itemscope itemtype="https://schema.org/Offer"><b itemprop=price>10</b></div>')

    def test_lines_have_the_data_of_pages_if_wished(self):
        (self.site / "a.html").write_text(f"<title>A</title><p>{PROSE}</p>{self.DATA}")
        for output, options in (("with", ["--structured"]), ("without", [])):
            self.weft("crawl", "--quiet", "--text", "--wait", "0", *options, "--output", output,
                      self.url)
            rows = {row["url"][len(self.url):]: row for row in texts(self.path / output)}
            self.assertNotIn("structured", rows["b.html"])
            self.assertEqual(rows["a.html"]["jsonld_types"], ["Product"])
            if not options:
                self.assertNotIn("structured", rows["a.html"])
                continue
            self.assertEqual(rows["a.html"]["structured"], {
                "jsonld": [{"@type": "Product", "name": "Chair"}],
                "microdata": [{"type": ["https://schema.org/Offer"],
                               "properties": {"price": ["10"]}}]})
        self.assertIn("structured = true", (self.path / "with/state/crawl.toml").read_text())

    def test_it_is_part_of_the_lines(self):
        run = subprocess.run([WEFT, "crawl", "--structured", self.url], capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--structured is about the texts of pages: add --text", run.stderr)


class Reserved(ChangingSite):
    def setUp(self):
        super().setUp()
        (self.site / "a.html").write_text(
            f"<meta name=tdm-reservation content=1><title>A</title><p>{PROSE}</p>")
        (self.site / "robots.txt").write_text("User-agent: *\nContent-Signal: search=no\n")

    def withheld(self, crawl):
        return {row["url"][len(self.url):]: row["withheld"] for row in texts(self.path / crawl)
                if "withheld" in row}

    def test_reserved_text_is_withheld_unless_it_is_to_be_kept(self):
        for output, options, wanted in (
                ("plain", [], {"a.html": "tdm-reservation=1"}),
                ("search", ["--purpose", "search"],
                 {name: "tdm-reservation=1" if name == "a.html" else "search=no"
                  for name in ("", "a.html", "b.html", "c.html", "d.html")}),
                ("kept", ["--purpose", "search", "--reserved", "keep"], {})):
            self.weft("crawl", "--quiet", "--text", "--wait", "0", *options, "--output", output,
                      self.url)
            self.assertEqual(self.withheld(output), wanted)
            reserved = {row["url"]: row["reserved"] for row in texts(self.path / output)}
            self.assertEqual([each["from"] for each in reserved[self.url + "a.html"]],
                             ["robots.txt", "meta"])

    def test_later_runs_do_the_same(self):
        self.weft("crawl", "--quiet", "--text", "--wait", "0", "--purpose", "search", "--limit",
                  "1", "--output", "first", self.url, status=14)
        self.weft("resume", "--quiet", "--limit", "0", "first")
        wanted = self.withheld("first")
        self.assertEqual(wanted["b.html"], "search=no")
        self.weft("recrawl", "--quiet", "first", "--output", "second")
        self.assertEqual(self.withheld("second"), wanted)
        before = texts(self.path / "first")
        (self.path / "first/pages/text.jsonl").unlink()
        self.weft("repair", "first")
        self.assertCountEqual(texts(self.path / "first"), before)

    def test_the_options_are_about_texts(self):
        for options in (["--purpose", "search"], ["--reserved", "withhold"],
                        ["--reserved", "keep"]):
            run = subprocess.run([WEFT, "crawl", *options, self.url], capture_output=True,
                                 text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"{options[0]} is about the texts of pages: add --text", run.stderr)


class Damage(Archive):
    def test_a_lost_file_is_named_and_a_repair_makes_it_again(self):
        crawl = self.crawl("--text")
        before = {row["url"]: row for row in texts(crawl)}
        (crawl / "pages/text.jsonl").unlink()

        run = subprocess.run([WEFT, "resume", crawl], capture_output=True, text=True)
        self.assertEqual(run.returncode, 3)
        self.assertIn("pages/text.jsonl is missing", run.stderr)
        self.weft("repair", crawl)

        self.assertEqual({row["url"]: row for row in texts(crawl)}, before)
        self.weft("resume", "--quiet", crawl)


class Stream(Archive):
    def crawl_to(self, *arguments, stdout=subprocess.PIPE):
        return subprocess.Popen([WEFT, "crawl", "--wait", "0", "--max-per-host", "4", "--text",
                                 "--to", "-", "--output", "kept", *arguments], cwd=self.path,
                                stdout=stdout, stderr=subprocess.PIPE, text=True)

    def test_the_lines_go_to_standard_output_and_the_report_does_not(self):
        process = self.crawl_to(self.demo_site("--pages", "60"))
        said, told = process.communicate(timeout=PATIENCE_SECONDS)

        self.assertEqual(process.returncode, 0, told)
        self.assertEqual(said, (self.path / "kept/pages/text.jsonl").read_text())
        self.assertIn("Kept in kept", told)

    def test_a_line_comes_while_the_crawl_goes_on(self):
        process = self.crawl_to(self.demo_site("--pages", "500", "--delay", "0.02"))
        self.addCleanup(self.end, process)
        self.assertIn("url", json.loads(process.stdout.readline()))
        self.assertIsNone(process.poll())

    def test_a_reader_that_leaves_ends_the_crawl_and_resume_goes_on(self):
        site = self.demo_site("--pages", "300", "--delay", "0.01")
        process = self.crawl_to("--depth", "6", site)
        self.assertIn("url", json.loads(process.stdout.readline()))
        process.stdout.close()
        told = process.stderr.read()
        process.wait(PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 16, told)
        self.assertIn("To go on:  weft resume kept", told)
        self.assertTrue(texts(self.path / "kept"))

        self.weft("resume", "--quiet", "kept")
        whole = self.crawl("--depth", "6", "--text", site=site, output="whole")
        def essence(crawl):
            return sorted((row["url"], row.get("text")) for row in texts(crawl))
        self.assertEqual(essence(self.path / "kept"), essence(whole))

    def test_a_slow_reader_gets_everything(self):
        process = self.crawl_to("--quiet", self.demo_site("--pages", "200"))
        data = b""
        while piece := os.read(process.stdout.fileno(), 1000):
            data += piece
        process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(data, (self.path / "kept/pages/text.jsonl").read_bytes())

    def test_it_needs_texts_and_takes_nothing_else(self):
        for arguments, why in ((["--to", "-"], "add --text"),
                               (["--text", "--to", "file"], "takes -")):
            run = subprocess.run([WEFT, "crawl", *arguments, "http://127.0.0.1:1/"],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(why, run.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=0)
