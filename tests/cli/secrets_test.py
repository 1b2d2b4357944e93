"""What lets a user in somewhere stays the user's: secrets_test.py PATH_TO_WEFT. Only loopback.

Nothing secret is archived, kept, shown or sent elsewhere (H121), and the files of a crawl that was
let in are for its owner alone.
"""

import base64
import gzip
import hashlib
import os
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Scratch  # noqa: E402

import peers  # noqa: E402

CRAWL = ["--wait", "0", "--tries", "1", "--max-per-host", "4", "--threads", "1",
         "-U", "x/1 (+http://x.test/)"]
BASIC = base64.b64encode(b"me:hush").decode()
KEY = "X-Api-Key: s3cret-key"


class Pages(peers.Site):
    def handle_any(self):
        self.server.seen.append((self.command, self.path, dict(self.headers), b""))
        found = self.server.pages.get(self.path)
        if self.path == "/basic" and self.headers.get("Authorization") != "Basic " + BASIC:
            return self.reply(401, b"who?", [("WWW-Authenticate", 'Basic realm="x"')])
        if found is None:
            return self.reply(404, b"nothing here\n")
        if found.startswith("-> "):
            return self.reply(302, b"", [("Location", found[3:])])
        self.reply(200, found.encode(), [("Content-Type", "text/html")])

    do_GET = do_HEAD = handle_any


class Secrets(Scratch):
    def serve(self, pages):
        serving = peers.serve(handler=Pages)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        server.pages = pages
        return server

    def archived(self, folder="kept"):
        return b"".join(gzip.decompress(each.read_bytes())
                        for each in sorted((self.path / folder / "archive").glob("*.warc.gz")))

    def everything(self, folder="kept"):
        """Name and bytes of each file, unpacked."""
        for path in sorted((self.path / folder).rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                yield path, gzip.decompress(data) if path.suffix == ".gz" else data

    def assert_not_in_folder(self, *secrets, folder="kept"):
        for path, data in self.everything(folder):
            for secret in secrets:
                self.assertNotIn(secret.encode(), data, path)


class Archive(Secrets):
    # They stood in every request record, readable by all.
    def test_no_secret_is_archived_h121(self):
        home = self.serve({"/": "<a href='/basic'>b</a>", "/basic": "welcome"})
        (self.path / "jar").write_text("# Netscape HTTP Cookie File\n"
                                       "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tc00kie\n")
        run = self.weft("crawl", *CRAWL, "-H", KEY, "-H", "Accept-Language: de", "--basic",
                        "--user", "me:hush", "--load-cookies", "jar", "--jsonl", "--debug",
                        "--log-format", "heritrix", "-o", "kept", home.url + "/")
        self.assertEqual(run.returncode, 0, run.stderr)
        sent = home.seen[-1][2]
        self.assertEqual((sent["X-Api-Key"], sent["Cookie"], sent["Authorization"]),
                         ("s3cret-key", "session=c00kie", "Basic " + BASIC))
        for secret in ("s3cret-key", "hush", BASIC, "c00kie"):
            self.assertNotIn(secret, run.stdout + run.stderr)
            self.assert_not_in_folder(secret)
        records = self.archived()
        self.assertIn(b"Authorization: [removed]\r\n", records)
        self.assertIn(b"X-Api-Key: [removed]\r\n", records)
        self.assertIn(b"Accept-Language: de\r\n", records)
        names = re.findall(rb"WARC-Removed-Fields: (.*)\r\n", records)
        self.assertEqual({each for line in names for each in line.split(b", ")},
                         {b"Authorization", b"Cookie", b"X-Api-Key"})

    def test_the_records_are_whole(self):
        home = self.serve({"/": "page"})
        self.weft("crawl", *CRAWL, "-H", KEY, "-o", "kept", home.url + "/")
        found = 0
        for head, block in self.records():
            digest = re.search(rb"WARC-Block-Digest: sha1:(\w+)", head)[1].decode()
            self.assertEqual(base64.b32encode(hashlib.sha1(block).digest()).decode(), digest)
            found += b"[removed]" in block
        self.assertEqual(found, 3)  # robots.txt, sitemap.xml and the page.
        verified = self.weft("warc", "verify", *(self.path / "kept/archive").glob("*.gz"))
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def records(self):
        data = self.archived()
        while data:
            head, rest = data.split(b"\r\n\r\n", 1)
            length = int(re.search(rb"Content-Length: (\d+)", head)[1])
            yield head, rest[:length]
            data = rest[length + 4:]

    def test_they_are_archived_if_told(self):
        home = self.serve({"/": "page"})
        self.weft("crawl", *CRAWL, "-H", KEY, "--archive-credentials", "-o", "kept", home.url + "/")
        self.assertIn(b"\r\nX-Api-Key: s3cret-key\r\n", self.archived())
        self.assertNotIn(b"WARC-Removed-Fields", self.archived())

    # Without a scheme "me:123" looked like one, and the login was not missed by `resume`.
    def test_a_login_in_a_url_without_a_scheme_is_demanded_again(self):
        self.weft("crawl", *CRAWL, "-q", "--tries", "1", "-o", "kept", "me:123@127.0.0.1:1")
        self.assertIn("# not kept: user\n", (self.path / "kept/state/crawl.toml").read_text())
        run = self.weft("resume", "kept")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("started with --user, which is not saved in its folder", run.stderr)

    def test_a_proxy_password_is_not_archived(self):
        home = self.serve({"/": "page"})
        serving = peers.serve_proxy(peers.Forward, home)
        proxy = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        run = self.weft("crawl", *CRAWL, "-o", "kept", "--proxy",
                        f"http://me:hush@127.0.0.1:{proxy.server_port}", "http://a.test/")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(proxy.seen[-1][2]["Proxy-Authorization"], "Basic " + BASIC)
        self.assert_not_in_folder("hush", BASIC)
        self.assertIn(b"Proxy-Authorization: [removed]\r\n", self.archived())
        self.assert_private("kept")

    def assert_private(self, folder):
        for path in [self.path / folder, *(self.path / folder).rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_files_of_a_login_are_its_owners_alone(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        home = self.serve({"/": "<a href='/basic'>b</a>", "/basic": "welcome"})
        self.weft("crawl", *CRAWL, "--user", "me:hush", "--wacz", "--mirror", "copy", "-o", "kept",
                  home.url + "/")
        for folder in ("kept", "copy"):
            self.assert_private(folder)
        self.weft("wacz", "kept", "-o", "kept.wacz")
        self.weft("mirror", "kept", "again")
        self.assertEqual((self.path / "kept.wacz").stat().st_mode & 0o777, 0o600)
        self.assert_private("again")
        self.weft("crawl", *CRAWL, "-o", "open", home.url + "/")
        self.assertNotEqual((self.path / "open").stat().st_mode & 0o077, 0)


class Elsewhere(Secrets):
    # -H 'X-Api-Key: ...' went to every host of the crawl, and across redirects.
    def setUp(self):
        super().setUp()
        self.other = self.serve({"/": "other", "/robots.txt": "User-agent: *\nDisallow:\n"})
        self.home = self.serve({
            "/": f"<img src='{self.other.url}/i.png'><a href='{self.other.url}/'>o</a>"
                 "<a href='/moved'>m</a>",
            "/moved": f"-> {self.other.url}/moved-to"})

    def run_all(self, *options):
        net = ["--allow-net", "127.0.0.0/8", *options]
        for run in (self.weft("fetch", *net, self.home.url + "/moved"),
                    self.weft("crawl", *CRAWL, *net, "--scope", "any", "-o", "kept",
                              self.home.url + "/"),
                    self.weft("check", *CRAWL, *net, self.home.url + "/")):
            self.assertIn(run.returncode, (0, 8), run.stderr)
        self.assertTrue(self.other.seen)
        return {(server, name) for server in (self.home, self.other)
                for _, _, headers, _ in server.seen for name in headers}

    def test_fields_go_to_the_seeds_origins_alone_h121(self):
        sent = self.run_all("-H", KEY, "-H", "Authorization: Bearer hush", "-H", "Cookie: a=b")
        for name in ("X-Api-Key", "Authorization", "Cookie"):
            self.assertIn((self.home, name), sent)
            self.assertNotIn((self.other, name), sent)

    def test_fields_go_anywhere_if_told_but_logins_do_not(self):
        sent = self.run_all("-H", KEY, "-H", "Authorization: Bearer hush", "--header-anywhere")
        self.assertIn((self.other, "X-Api-Key"), sent)
        self.assertNotIn((self.other, "Authorization"), sent)


class Kept(Secrets):
    def begin(self, home, *options):
        run = self.weft("crawl", *CRAWL, *options, "--limit", "1", "-o", "kept", home.url + "/")
        self.assertEqual(run.returncode, 14, run.stderr)

    def test_resume_asks_for_what_is_not_kept(self):
        home = self.serve({"/": "<a href='/b'>b</a>", "/b": "page"})
        self.begin(home, "-H", KEY, "-H", "Accept-Language: de")
        self.assert_not_in_folder("s3cret-key")
        without = self.weft("resume", "kept", "--limit", "0")
        other = self.weft("resume", "kept", "--limit", "0", "-H", "X-Other: y")
        for run in (without, other):
            self.assertEqual(run.returncode, 2)
            self.assertIn("--header 'X-Api-Key: ...', which is not saved in its folder: give it "
                          "again", run.stderr)
        run = self.weft("resume", "kept", "--limit", "0", "-H", KEY, "-H", "Accept-Language: de")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(home.seen[-1][2]["X-Api-Key"], "s3cret-key")
        self.assert_not_in_folder("s3cret-key")

    # A folder from somebody else could say --resolve, and the login went where that leads.
    def test_with_a_login_a_folder_does_not_say_where_requests_go_h116(self):
        home = self.serve({"/": "<a href='/b'>b</a>", "/b": "page"})
        port = home.url.rsplit(":", 1)[1]
        way = ["--resolve", f"a.test:{port}:127.0.0.1", "--allow-net", "127.0.0.0/8"]
        run = self.weft("crawl", *CRAWL, *way, "--user", "me:hush", "--limit", "1", "-o", "kept",
                        f"http://a.test:{port}/")
        self.assertEqual(run.returncode, 14, run.stderr)

        run = self.weft("resume", "kept", "--limit", "0", "--user", "me:hush")

        self.assertEqual(run.returncode, 2)
        self.assertIn("the crawl's folder sets --resolve", run.stderr)
        # However it is written there: a comment that looks like an empty list, a key in quotes.
        settings = self.path / "kept/state/crawl.toml"
        kept = settings.read_text()
        for disguised in ("resolve = [\"a.test:80:127.0.0.1\"] # = []\n",
                          "\"resolve\" = [\"a.test:80:127.0.0.1\"]\n"):
            settings.write_text(re.sub(r"(?m)^resolve = .*\n", disguised, kept))
            run = self.weft("resume", "kept", "--limit", "0", "--user", "me:hush")
            self.assertEqual(run.returncode, 2, disguised)
        settings.write_text(kept)
        run = self.weft("resume", "kept", "--limit", "0", "--user", "me:hush", *way)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_open_fields_are_kept(self):
        home = self.serve({"/": "<a href='/b'>b</a>", "/b": "page"})
        self.begin(home, "-H", "Accept-Language: de")
        run = self.weft("resume", "kept", "--limit", "0")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(home.seen[-1][2]["Accept-Language"], "de")


class Messages(Secrets):
    def test_no_message_has_a_password(self):
        for arguments in (["crawl", "http://me:hush@[/"], ["fetch", "http://me:hu/sh:hush@b c/"],
                          ["crawl", "ftp://me:hush@a.test/"], ["fetch", "ftp://me:hush@a.test/"],
                          ["fetch", "--proxy", "gopher://me:hush@a.test/", "http://a.test/"],
                          ["crawl", "--proxy", "http://me:hush@[", "http://a.test/"],
                          ["crawl", "-H", "X-Api-Key=hush", "http://a.test/"],
                          ["fetch", "-H", "hush", "http://a.test/"],
                          ["crawl", "--user", "me:hush", "http://a.test/", "http://b.test/"]):
            run = self.weft(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertNotIn("hush", run.stdout + run.stderr, arguments)

    def test_explain_and_warc_show_no_password(self):
        home = self.serve({"/": "page"})
        self.weft("crawl", *CRAWL, "-o", "kept", home.url + "/")
        typed = home.url.replace("//", "//me:hush@") + "/"
        explained = self.weft("explain", "kept", typed)
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertIn("fetched", explained.stdout)
        found = self.weft("warc", "cat-url", typed + "x", *(self.path / "kept/archive").iterdir())
        for run in (explained, found):
            self.assertNotIn("hush", run.stdout + run.stderr)

    def test_fetch_shows_no_secret(self):
        home = self.serve({"/": "page"})
        run = self.weft("fetch", "-v", "-H", KEY, "-b", "a=c00kie", "-H", "Accept-Language: de",
                        home.url + "/")
        self.assertIn("> X-Api-Key: (not shown)", run.stderr)
        self.assertIn("> Accept-Language: de", run.stderr)
        self.assertIn("> GET / HTTP/1.1", run.stderr)
        for secret in ("s3cret-key", "c00kie"):
            self.assertNotIn(secret, run.stderr)


if __name__ == "__main__":
    unittest.main()
