"""`weft extract` and `weft fetch --select` as a user runs them: extract_test.py PATH_TO_WEFT. Only
loopback is used."""

import csv
import gzip
import http.server
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from archiving import PATIENCE_SECONDS, WEFT, Archive  # noqa: E402

STORY = "<p>" + "Words that somebody wrote, and more of them. " * 20 + "</p>"
SHOP = ("<title>Shop</title><ul>"
        "<li class=product><h2>Chair</h2><i class=price>=10.00</i><a class=tag>wood</a>"
        "<a class=tag>old, red</a></li>"
        "<li class=product><h2>\"Table\"</h2><i class=price>90</i></li></ul>")
RULES = """[[rule]]
match = "/shop"
each = "li.product"
[rule.fields]
name = "h2"
price = ".price::text"
"tags[]" = "a.tag"
"""


def record(kind, url, block, *fields, date="2026-03-01T10:20:30Z"):
    head = [b"WARC/1.0", b"WARC-Type: " + kind.encode(), b"WARC-Target-URI: " + url.encode(),
            b"WARC-Date: " + date.encode(), b"WARC-Record-ID: <urn:uuid:" + url.encode() + b">",
            *[field.encode() for field in fields], b"Content-Length: %d" % len(block)]
    return b"\r\n".join(head) + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url, body, *fields, status="200 OK", kind="text/html", warc=()):
    head = [f"HTTP/1.1 {status}"] + ([f"Content-Type: {kind}"] if kind else []) + list(fields)
    block = "\r\n".join(head).encode() + b"\r\n\r\n" + body
    return record("response", url, block, "Content-Type: application/http; msgtype=response",
                  *warc)


class Extract(Archive):
    def extract(self, *arguments, status=0):
        run = subprocess.run([WEFT, "extract", *arguments], cwd=self.path, capture_output=True,
                             timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, status, run.stderr.decode())
        self.told = run.stderr.decode()
        return run.stdout.decode()

    def lines(self, *arguments, status=0):
        return [json.loads(line) for line in self.extract(*arguments, status=status).splitlines()]

    def write(self, name, *records, pack=None):
        pack = pack or (gzip.compress if name.endswith(".gz") else bytes)
        (self.path / name).write_bytes(b"".join(pack(each) for each in records))
        return name


class Fields(Extract):
    def setUp(self):
        super().setUp()
        (self.path / "page.html").write_text(SHOP)
        (self.path / "rules.toml").write_text(RULES)

    def fetch(self, *arguments, status=0):
        run = subprocess.run([WEFT, "fetch", *arguments], cwd=self.path, capture_output=True,
                             text=True, timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, status, run.stderr)
        self.told = run.stderr
        return run.stdout

    def test_select_gives_an_object(self):
        out = self.fetch("--select", "price=.price::text", "--select", "tags[]=a.tag",
                         "--select", "none=.none", "./page.html")
        self.assertEqual(json.loads(out), {"price": "=10.00", "tags": ["wood", "old, red"]})

    def test_select_with_a_text_gives_the_line_of_the_page(self):
        line = json.loads(self.fetch("--select", "price=.price", "--markdown", "./page.html"))
        self.assertEqual(line["selected"], {"price": "=10.00"})
        self.assertIn("## Chair", line["markdown"])

    def test_select_as_a_table(self):
        out = self.fetch("--select", "price=.price", "--select", "tags[]=a.tag", "--format", "csv",
                         "./page.html")
        self.assertEqual(out, "price,tags\n'=10.00,\"wood; old, red\"\n")

    def test_rules_give_rows(self):
        rows = [json.loads(row)
                for row in self.fetch("--rules", "rules.toml", "./page.html").splitlines()]
        self.assertEqual(rows, [{"name": "Chair", "price": "=10.00", "tags": ["wood", "old, red"]},
                                {"name": "\"Table\"", "price": "90"}])

    def test_a_bad_selector_is_shown_with_a_caret(self):
        self.fetch("--select", "price=.price >> b", "./page.html", status=2)
        self.assertEqual(self.told.splitlines()[1:], ["  price=.price >> b", "                ^"])

    def test_a_bad_rule_is_shown_with_its_place(self):
        (self.path / "rules.toml").write_text(RULES.replace("::text", "::txt"))
        self.fetch("--rules", "rules.toml", "./page.html", status=2)
        self.assertTrue(self.told.startswith("weft: error: rules.toml:6:16: "), self.told)
        self.assertEqual(self.told.splitlines()[1:], ["  price = \".price::txt\"", " " * 17 + "^"])
        self.fetch("--rules", "missing.toml", "./page.html", status=2)

    def test_options_that_contradict_each_other(self):
        for options in [["--rules", "rules.toml", "--select", "a=b"],
                        ["--rules", "rules.toml", "--text"],
                        ["--select", "a=b", "--head"], ["--select", "a=b", "--json"],
                        ["--format", "csv"], ["--select", "a=b", "--text", "--format", "csv"]]:
            self.fetch(*options, "./page.html", status=2)

    DATA = '<script type="application/ld+json">{"@type": "Product", "name": "Chair"}</script>'

    def test_structured_data_is_given_whole(self):
        (self.path / "data.html").write_text("<h1>Chair</h1>" + self.DATA)
        wanted = {"jsonld": [{"@type": "Product", "name": "Chair"}]}
        self.assertEqual(json.loads(self.fetch("--structured", "./data.html")), wanted)
        self.assertEqual(self.fetch("--structured", "./page.html"), "{}\n")
        line = json.loads(self.fetch("--structured", "--markdown", "./data.html"))
        self.assertEqual(line["structured"], wanted)
        self.assertIn("# Chair", line["markdown"])
        line = json.loads(self.fetch("--structured", "--select", "name=h1", "./data.html"))
        self.assertEqual((line["structured"], line["selected"]), (wanted, {"name": "Chair"}))
        self.assertNotIn("text", line)
        for options in (["--rules", "rules.toml"], ["--select", "a=b", "--format", "csv"],
                        ["--json"], ["--head"]):
            self.fetch("--structured", *options, "./data.html", status=2)

    def test_lines_of_an_archive_have_structured_data(self):
        self.write("a.warc", response("http://a.test/1", (STORY + self.DATA).encode()),
                   response("http://a.test/2", (STORY + self.DATA).encode(), "TDM-Reservation: 1"))
        lines = self.lines("--structured", "a.warc")
        self.assertEqual([line.get("structured") for line in lines],
                         [{"jsonld": [{"@type": "Product", "name": "Chair"}]}, None])
        self.assertFalse([line for line in self.lines("a.warc") if "structured" in line])
        for options in (["--rules", "rules.toml"], ["--format", "csv"], ["--format", "wet"]):
            self.extract("--structured", *options, "a.warc", status=2)
            self.assertIn("--structured adds to the lines of pages", self.told)

    def test_rules_make_a_table_of_an_archive(self):
        self.write("a.warc.gz", response("http://a.test/shop", SHOP.encode()),
                   response("http://a.test/other", SHOP.encode()))
        out = self.extract("--rules", "rules.toml", "--format", "csv", "a.warc.gz")
        self.assertEqual(list(csv.reader(io.StringIO(out))),
                         [["page_url", "name", "price", "tags"],
                          ["http://a.test/shop", "Chair", "'=10.00", "wood; old, red"],
                          ["http://a.test/shop", "\"Table\"", "90", ""]])
        self.assertIn("2 pages of 2 records, 2 rows", self.told)


class Crawls(Extract):
    def test_a_crawl_gets_a_line_for_each_page(self):
        crawl = self.crawl()
        self.extract("crawl")
        lines = [json.loads(line) for line in (crawl / "pages/text.jsonl").read_text().splitlines()]
        wanted = {page["url"] for page in self.pages(crawl)
                  if page.get("status") == 200 and "html" in page.get("mime", "")
                  and not page.get("revisit")}
        self.assertEqual({line["url"] for line in lines}, wanted)
        self.assertGreater(len(lines), 10)
        untitled = [line["url"] for line in lines if not line.get("title")]
        self.assertTrue(all(url.endswith("/downloads/nothing.html") for url in untitled), untitled)

        # The same from the packed crawl, and from its WARC files, on one thread and on many.
        self.weft("wacz", "crawl", "--output", "crawl.wacz")
        again = self.extract("crawl.wacz")
        self.assertEqual(again, (crawl / "pages/text.jsonl").read_text())
        files = sorted(str(path) for path in (crawl / "archive").glob("*.warc.gz"))
        for threads in ["1", "3"]:
            self.assertEqual(self.extract("--threads", threads, *files), again)

    def test_the_lines_are_those_of_the_crawl(self):
        crawl = self.crawl("--text=plain")

        def by_url(text):
            lines = [json.loads(line) for line in text.splitlines()]
            return {line.pop("url"): {name: value for name, value in line.items() if name != "ts"}
                    for line in lines}

        # A record has the time in whole seconds. A crawl has lines for revisits, too.
        written = by_url((crawl / "pages/text.jsonl").read_text())
        found = by_url(self.extract("--output", "-", "crawl"))
        self.assertGreater(len(found), 10)
        for url, line in found.items():
            if "reserved" not in line:
                self.assertEqual(line, written[url], url)
        # The crawl counts the bytes of its own file.
        self.extract("crawl", status=2)
        self.assertIn("itself", self.told)

    def test_rows_and_tables_have_files_of_their_own(self):
        crawl = self.crawl()
        (self.path / "rules.toml").write_text("[[rule]]\n[rule.fields]\nheading = 'h1'\n")
        self.extract("--rules", "rules.toml", "crawl")
        self.extract("--format", "csv", "crawl")
        self.extract("--format", "wet", "crawl")
        self.assertFalse((crawl / "pages/text.jsonl").exists())
        rows = [json.loads(row) for row in (crawl / "pages/items.jsonl").read_text().splitlines()]
        self.assertEqual(set(rows[0]), {"page_url", "heading"})
        with (crawl / "pages/text.csv").open(newline="") as file:
            urls = {row["url"] for row in csv.DictReader(file)}
        self.assertEqual(urls - {row["page_url"] for row in rows},
                         {url for url in urls if url.endswith("/downloads/nothing.html")})
        self.weft("warc", "verify", "crawl/pages/text.warc.wet.gz")

    def test_no_link_in_the_folder_is_followed(self):
        crawl = self.crawl()
        shutil.move(crawl / "pages", self.path / "elsewhere")
        (crawl / "pages").symlink_to(self.path / "elsewhere")
        self.extract("crawl", status=2)
        self.assertFalse((self.path / "elsewhere/text.jsonl").exists())

    def test_a_running_crawl_keeps_its_folder(self):
        crawl = self.crawl()
        import fcntl
        with (crawl / "state/frontier/lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.extract("crawl", status=2)
            self.assertIn("is running", self.told)
            self.assertGreater(len(self.lines("crawl", "--output", "-")), 10)

    def test_a_folder_without_a_crawl_is_an_error(self):
        (self.path / "empty").mkdir()
        self.extract("empty", status=2)
        self.extract("missing.warc", status=3)


class Formats(Extract):
    def setUp(self):
        super().setUp()
        page = "<title>Über uns</title><h1>Über uns</h1>" + STORY
        self.write("a.warc.gz", response("http://a.test/x/", page.encode(),
                                         kind="text/html; charset=utf-8"),
                   response("http://a.test/../../etc/passwd", STORY.encode()),
                   response("http://a.test/empty", b""))

    def test_markdown_is_a_file_for_each_page(self):
        self.extract("--format", "markdown", "--output", "out", "a.warc.gz")
        found = {str(path.relative_to(self.path / "out"))
                 for path in (self.path / "out").rglob("*") if path.is_file()}
        self.assertEqual(found, {"a.test/x/index.md", "a.test/etc/passwd.md"})
        text = (self.path / "out/a.test/x/index.md").read_text()
        self.assertTrue(text.startswith(
            '---\ntitle: "Über uns"\nurl: "http://a.test/x/"\n'
            'fetched: "2026-03-01T10:20:30Z"\nlang: "en"\n---\n\n# Über uns\n'), text[:200])
        # A folder that holds other things is not written to.
        self.extract("--format", "markdown", "--output", "out", "a.warc.gz", status=2)
        self.extract("--format", "markdown", "a.warc.gz", status=2)

    def test_wet_is_a_warc_file_of_texts(self):
        self.extract("--format", "wet", "--output", "a.warc.wet.gz", "a.warc.gz")
        self.weft("warc", "verify", "a.warc.wet.gz")
        data = (self.path / "a.warc.wet.gz").read_bytes()
        text = gzip.decompress(data).decode()
        records = text.split("WARC/1.1\r\n")[1:]
        self.assertEqual(data.count(b"\x1f\x8b\x08"), len(records))
        self.assertEqual(["warcinfo", "conversion", "conversion"],
                         [each.split("\r\n")[0].removeprefix("WARC-Type: ") for each in records])
        for field in ["WARC-Target-URI: http://a.test/x/", "WARC-Date: 2026-03-01T10:20:30Z",
                      "WARC-Refers-To: <urn:uuid:http://a.test/x/>", "Content-Type: text/plain",
                      "WARC-Identified-Content-Language: eng", "WARC-Block-Digest: sha1:"]:
            self.assertIn("\r\n" + field, records[1])
        self.assertIn("Über uns\n", records[1])

    def test_options_that_contradict_each_other(self):
        (self.path / "rules.toml").write_text(RULES)
        for options in [["--format", "wet", "--text", "markdown"],
                        ["--format", "wet", "--select", "a=b"],
                        ["--format", "markdown", "--output", "o", "--text", "plain"],
                        ["--rules", "rules.toml", "--text", "plain"],
                        ["--rules", "rules.toml", "--select", "a=b"], ["--include", "("],
                        ["--output", "/"], ["--threads", "0"]]:
            self.extract(*options, "a.warc.gz", status=2)

    def test_selected_fields_are_in_the_lines(self):
        lines = self.lines("--select", "h=h1", "--text", "markdown", "a.warc.gz")
        self.assertEqual(lines[0]["selected"], {"h": "Über uns"})
        self.assertIn("markdown", lines[0])
        self.assertNotIn("text", lines[0])

    def test_patterns_say_which_pages(self):
        urls = [line["url"] for line in self.lines("--include", "glob:http://a.test/*/",
                                                   "--exclude", "empty", "a.warc.gz")]
        self.assertEqual(urls, ["http://a.test/x/"])

    def test_reserved_text_is_withheld(self):
        def robots(host, text):
            return response(f"http://{host}/robots.txt", text.encode(), kind="text/plain")

        story = STORY.encode()
        self.write("r.warc", robots("s", "User-agent: *\nContent-Signal: search=no, ai-train=no\n"),
                   response("http://s/", story),
                   response("http://t/header", story, "TDM-Reservation: 1"),
                   response("http://t/meta", b"<meta name=robots content=noai>" + story),
                   response("http://t/free", story))
        for options, withheld in [([], ["http://t/header", "http://t/meta"]),
                                  (["--purpose", "search"],
                                   ["http://s/", "http://t/header", "http://t/meta"]),
                                  (["--purpose", "ai-input"],
                                   ["http://t/header", "http://t/meta"]),
                                  (["--reserved", "keep"], [])]:
            lines = self.lines(*options, "r.warc")
            self.assertEqual(len(lines), 4)
            self.assertEqual([line["url"] for line in lines if "withheld" in line], withheld)
            self.assertEqual([line["url"] for line in lines if "text" not in line], withheld)
            self.assertEqual([line["url"] for line in lines if "reserved" in line],
                             ["http://s/", "http://t/header", "http://t/meta"])

    def test_fields_and_rows_are_withheld_too(self):
        (self.path / "rules.toml").write_text(RULES)
        shop = SHOP.encode()
        self.write("r.warc", response("http://t/shop1", shop, "TDM-Reservation: 1"),
                   response("http://t/shop2", shop))
        for options, urls in (([], ["http://t/shop2"]),
                              (["--reserved", "keep"], ["http://t/shop1", "http://t/shop2"])):
            rows = self.lines(*options, "--rules", "rules.toml", "r.warc")
            self.assertEqual(sorted({row["page_url"] for row in rows}), urls)
            lines = self.lines(*options, "--select", "name=h2", "r.warc")
            self.assertEqual([line["url"] for line in lines if "selected" in line], urls)
            table = self.extract(*options, "--select", "name=h2", "--format", "csv", "r.warc")
            self.assertEqual(table.count("Chair"), 2 * len(urls))  # In the text, too.

    def test_copies_are_left_out(self):
        self.write("b.warc", response("http://b.test/1", STORY.encode()),
                   response("http://b.test/2", b"<nav>menu</nav>" + STORY.encode()),
                   response("http://b.test/3", b"<p>short"))
        self.assertEqual([line["url"] for line in self.lines("--unique", "b.warc")],
                         ["http://b.test/1", "http://b.test/3"])
        self.assertIn("copies left out: 1", self.told)

    def test_progress_is_told_on_standard_error(self):
        self.extract("--progress", "json", "a.warc.gz")
        last = json.loads(self.told.splitlines()[-2])
        self.assertEqual((last["pages"], last["records"], last["damaged"]), (3, 3, 0))
        self.assertEqual(last["bytes"], last["bytes_total"])
        self.extract("--quiet", "a.warc.gz")
        self.assertEqual(self.told, "")

    def test_a_pipe_and_a_device_are_not_replaced(self):
        (self.path / "null").symlink_to("/dev/null")
        self.extract("--output", "null", "a.warc.gz")
        self.assertTrue((self.path / "null").is_symlink())
        os.mkfifo(self.path / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.path, stdout=subprocess.PIPE)
        self.extract("--output", "pipe", "a.warc.gz")
        self.assertEqual(reader.communicate()[0].count(b"\n"), 3)

    def write_many(self):
        return self.write("c.warc", *[response(f"http://c.test/{i}", STORY.encode() * 20)
                                      for i in range(3000)])

    def test_the_old_file_is_whole_if_the_program_is_killed(self):
        self.write_many()
        (self.path / "out.jsonl").write_text("old\n")
        run = subprocess.Popen([WEFT, "extract", "--quiet", "--output", "out.jsonl", "c.warc"],
                               cwd=self.path)
        while not (self.path / "out.jsonl.tmp").exists():
            self.assertIsNone(run.poll())
        run.kill()
        self.assertEqual(run.wait(), -signal.SIGKILL)
        self.assertEqual((self.path / "out.jsonl").read_text(), "old\n")

        self.extract("--output", "out.jsonl", "c.warc")
        self.assertFalse((self.path / "out.jsonl.tmp").exists())
        self.assertEqual((self.path / "out.jsonl").read_text().count("\n"), 3000)

    def test_an_interrupt_leaves_the_old_file_and_nothing_else(self):
        self.write_many()
        (self.path / "out.jsonl").write_text("old\n")
        run = subprocess.Popen([WEFT, "extract", "--quiet", "--output", "out.jsonl", "c.warc"],
                               cwd=self.path)
        while not (self.path / "out.jsonl.tmp").exists():
            self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        self.assertNotEqual(run.wait(PATIENCE_SECONDS), 0)
        self.assertEqual((self.path / "out.jsonl").read_text(), "old\n")
        self.assertFalse((self.path / "out.jsonl.tmp").exists())

    def test_a_reader_that_leaves_is_no_error(self):
        self.write_many()
        for _ in range(2):
            run = subprocess.Popen([WEFT, "extract", "--quiet", "c.warc"], cwd=self.path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            run.stdout.readline()
            run.stdout.close()
            told = run.stderr.read()
            run.stderr.close()
            self.assertEqual((run.wait(PATIENCE_SECONDS), told), (0, b""))


class Foreign(Extract):
    """WARC files in the forms of other programs."""

    class Site(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = f"<title>{self.path}</title>{STORY}<a href=/b>b</a>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            if self.path == "/b":
                self.send_header("Transfer-Encoding", "chunked")
                body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
            else:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def wget(self, program, *options):
        if not shutil.which(program):
            self.skipTest(f"there is no {program}")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.Site)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        site = f"http://127.0.0.1:{server.server_port}"
        run = subprocess.run([program, "-q", "-e", "robots=off", *options, site + "/a",
                              site + "/b"], cwd=self.path, capture_output=True,
                             timeout=PATIENCE_SECONDS)
        self.assertEqual(run.returncode, 0, run.stderr)
        return site

    def test_wget(self):
        for options in [[], ["--no-warc-compression"]]:
            site = self.wget("wget", "--warc-file=w", *options)
            name = "w.warc" if options else "w.warc.gz"
            lines = self.lines(name)
            self.assertEqual([(line["url"], line["title"]) for line in lines],
                             [(site + "/a", "/a"), (site + "/b", "/b")])
            self.assertTrue(all(line["text"].startswith("Words that") for line in lines))

    def test_heritrix_and_common_crawl(self):
        story = STORY.encode()
        info = record("warcinfo", "", b"software: Heritrix/3.4\r\n",
                      "Content-Type: application/warc-fields")
        chunked = ["Transfer-Encoding: chunked"]
        name = self.write(
            "CC-MAIN.warc.gz", info,
            record("request", "http://a/", b"GET / HTTP/1.1\r\n\r\n",
                   "Content-Type: application/http; msgtype=request"),
            response("http://a/chunks-undone", story, *chunked),
            response("http://a/chunks", b"%x\r\n%s\r\n0\r\n\r\n" % (len(story), story), *chunked),
            response("http://a/gzip", gzip.compress(story), "Content-Encoding: gzip"),
            response("http://a/gzip-undone", story, "CONTENT-ENCODING: gzip"),
            response("http://a/cut", story, warc=["WARC-Truncated: length"]),
            response("http://a/404", story, status="404 Not Found"),
            response("http://a/image", story, kind="image/png"),
            response("http://a/no-type", b"<!DOCTYPE html>" + story, kind=""),
            record("response", "dns:a", b"20260301102030\na. 60 IN A 127.0.0.1\n",
                   "Content-Type: text/dns"),
            record("revisit", "http://a/again", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                   b"\r\n", "Content-Type: application/http; msgtype=response",
                   "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
                   ),
            record("metadata", "http://a/", b"outlink: http://b/\r\n",
                   "Content-Type: application/warc-fields"))
        lines = self.lines(name)
        self.assertEqual([line["url"] for line in lines],
                         [f"http://a/{page}" for page in ["chunks-undone", "chunks", "gzip",
                                                          "gzip-undone", "cut", "no-type"]])
        self.assertEqual({line["text"] for line in lines}, {lines[0]["text"]})
        self.assertEqual([line["url"] for line in lines if "cut" in line], ["http://a/cut"])
        self.assertEqual(lines[0]["ts"], "2026-03-01T10:20:30.000Z")

    def test_browsertrix(self):
        story = STORY.encode()
        block = (b"HTTP/2.0 200\r\ncontent-type: text/html; charset=utf-8\r\n"
                 b"x-orig-content-encoding: br\r\n\r\n" + story)
        name = self.write(
            "rec.warc.gz",
            record("response", "https://a/", block,
                   "Content-Type: application/http; msgtype=response"),
            record("resource", "urn:pageinfo:https://a/", b"{}", "Content-Type: application/json"),
            record("resource", "https://a/saved", story, "Content-Type: text/html"),
            record("resource", "urn:text:https://a/", b"Words", "Content-Type: text/plain"))
        self.assertEqual([line["url"] for line in self.lines(name)],
                         ["https://a/", "https://a/saved"])


class Hostile(Extract):
    def test_a_damaged_record_is_skipped(self):
        good = [gzip.compress(response(f"http://a/{i}", STORY.encode())) for i in range(4)]
        bad = bytearray(good[1])
        bad[40:60] = bytes(20)
        (self.path / "a.warc.gz").write_bytes(good[0] + bytes(bad) + good[2] + good[3])
        lines = self.lines("a.warc.gz", status=3)
        self.assertEqual([line["url"] for line in lines],
                         ["http://a/0", "http://a/2", "http://a/3"])
        self.assertIn("a.warc.gz: damaged from byte", self.told)
        self.assertIn("weft: error: damaged places that were skipped: 1", self.told)

    def test_no_archive_at_all(self):
        (self.path / "a.warc").write_bytes(os.urandom(100_000))
        self.assertEqual(self.extract("a.warc", status=3), "")

    def test_bombs_are_bounded(self):
        bomb = gzip.compress(b"<p>" + b"a" * (300 << 20), 6)
        self.write("a.warc.gz", response("http://a/bomb", bomb, "Content-Encoding: gzip"),
                   response("http://a/twice", gzip.compress(bomb), "Content-Encoding: gzip, gzip"),
                   response("http://a/after", STORY.encode()))
        run = subprocess.run(
            ["/usr/bin/time", "-f", "%M", WEFT, "extract", "--quiet", "--threads", "2",
             "a.warc.gz"] if os.path.exists("/usr/bin/time") else
            [WEFT, "extract", "--quiet", "a.warc.gz"],
            cwd=self.path, capture_output=True, timeout=PATIENCE_SECONDS)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([line["url"] for line in lines],
                         ["http://a/bomb", "http://a/twice", "http://a/after"])
        self.assertIn("page", lines[0]["cut"])
        if os.path.exists("/usr/bin/time"):
            self.assertLess(int(run.stderr.split()[-1]), 600_000)

    def test_texts_cannot_control_a_terminal(self):
        self.write("a.warc", response("http://a/\x1b[2J", b"<title>\x1b[2J</title><p>\x1b]0;x\x07"))
        out = self.extract("a.warc")
        self.assertNotIn("\x1b", out + self.told)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
