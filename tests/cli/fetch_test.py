"""`weft fetch` as a user runs it: fetch_test.py PATH_TO_WEFT. Only loopback is used."""

import base64
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import peers  # noqa: E402

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60


class Fetch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def serve(self, **arguments):
        serving = peers.serve(**arguments)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        return server

    def serve_proxy(self, handler, target, wanted=None):
        serving = peers.serve_proxy(handler, target, wanted)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        return server

    def fetch(self, *arguments, env=None, stdin=None):
        clean = {name: value for name, value in os.environ.items()
                 if not name.lower().endswith("_proxy")}
        return subprocess.run([WEFT, "fetch", *arguments], cwd=self.path, capture_output=True,
                              input=stdin, timeout=PATIENCE_SECONDS, env={**clean, **(env or {})})

    def certificate(self, days=1, name="server"):
        """A self-signed certificate for 127.0.0.1 and its key."""
        certificate, key = self.path / f"{name}.pem", self.path / f"{name}.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-days", str(days), "-subj",
                        f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                        "-out", certificate], check=True, capture_output=True)
        return certificate, key


class Reserved(Fetch):
    """A page that is fetched by hand is shown, also if its use is reserved."""

    class Site(peers.Site):
        TEXT = b"<h1>A story</h1><p>Words that somebody wrote, and more of them.</p>"

        def at_header(self):
            self.reply(200, self.TEXT, [("Content-Type", "text/html"), ("TDM-Reservation", "1")])

        def at_meta(self):
            self.reply(200, b"<meta name=robots content=noai>" + self.TEXT,
                       [("Content-Type", "text/html")])

        def at_plain(self):
            self.reply(200, b"Words", [("Content-Type", "text/plain"), ("X-Robots-Tag", "noai")])

        def at_free(self):
            self.reply(200, self.TEXT, [("Content-Type", "text/html"), ("TDM-Reservation", "0")])

    def test_standard_error_says_that_the_page_is_reserved(self):
        url = self.serve(handler=self.Site).url
        for path, by in (("/header", "a header field (tdm-reservation: 1)"),
                         ("/meta", "a meta tag (robots: noai)"),
                         ("/plain", "a header field (x-robots-tag: noai)"), ("/free", "")):
            told = f"weft: {url}{path}: reserved by {by}\n" if by else ""
            for options in (["--text"], ["--markdown"], ["--select", "a=h1"]):
                if path == "/plain" and options[0] == "--select":
                    continue
                run = self.fetch(*options, url + path)
                self.assertEqual((run.returncode, run.stderr.decode()), (0, told))
                self.assertIn(b"Words" if options[0] != "--select" else b"A story", run.stdout)
                self.assertEqual(self.fetch("--quiet", *options, url + path).stderr, b"")


class Text(Fetch):
    PAGE = ("<title>A story - Site</title><nav><a href=/>Menu</a></nav><article><h1>A story</h1>"
            + "<p>Words that somebody wrote, <a href=/b>with a link</a>, and more of them.</p>" * 8
            + "</article><footer>Imprint and more</footer>").encode()

    def test_of_a_file_is_markdown_without_menu_and_footer(self):
        (self.path / "page.html").write_bytes(self.PAGE)
        run = self.fetch("--markdown", "page.html")

        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertTrue(run.stdout.startswith(b"# A story\n\nWords that"), run.stdout)
        self.assertIn(b"[with a link](/b)", run.stdout)
        self.assertNotIn(b"Menu", run.stdout)
        self.assertNotIn(b"Imprint", run.stdout)

    def test_a_title_that_is_a_heading_already_is_not_repeated(self):
        page = self.PAGE.replace(b"<h1>", b"<h2>").replace(b"</h1>", b"</h2>")
        run = self.fetch("--markdown", "-", stdin=page)

        self.assertEqual(run.stdout.count(b"# A story\n"), 1, run.stdout)

    def test_a_file_in_utf8_is_read_so_whatever_its_meta_tags_say(self):
        meta = b"<meta charset=iso-8859-1><p>"
        utf8 = self.fetch("--text", "-", stdin=meta + "süß".encode())
        latin = self.fetch("--text", "-", stdin=meta + "süß".encode("iso-8859-1"))

        self.assertEqual((utf8.stdout, latin.stdout), ("süß\n".encode(), "süß\n".encode()))

    def test_a_file_that_is_not_there_is_named(self):
        run = self.fetch("--markdown", "./gone.html")

        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stderr, rb"\./gone\.html.*[Nn]o such file")

    def test_of_standard_input_is_plain_or_whole(self):
        plain = self.fetch("--text", "-", stdin=self.PAGE).stdout
        whole = self.fetch("--text", "--whole-page", "-", stdin=self.PAGE).stdout

        self.assertIn(b"with a link, and", plain)
        self.assertNotIn(b"Menu", plain)
        self.assertIn(b"Menu", whole)
        self.assertIn(b"Imprint", whole)

    def test_of_a_url_is_that_of_the_content(self):
        run = self.fetch("--text", self.serve().url + "/page")

        self.assertEqual((run.returncode, run.stdout), (0, b"a page\n"))

    def test_options_that_contradict_it_are_refused(self):
        for other in ("--text", "--json", "--head", "--raw"):
            run = self.fetch("--markdown", other, "-", stdin=b"")
            self.assertEqual(run.returncode, 2, other)
            self.assertIn(other.encode(), run.stderr)
        self.assertEqual(self.fetch("--whole-page", "http://127.0.0.1:1/").returncode, 2)


class Answer(Fetch):
    def test_goes_to_standard_output_and_nothing_else_is_said(self):
        run = self.fetch(self.serve().url + "/page")

        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, b"a page\n", b""))

    def test_goes_to_a_file(self):
        site = self.serve()

        self.assertEqual(self.fetch("-o", "kept", site.url + "/page").returncode, 0)
        self.assertEqual(self.fetch("-O", site.url + "/page?x=/../y").returncode, 0)
        unwritable = self.fetch("-o", "no/such/folder", site.url + "/page")

        self.assertEqual((self.path / "kept").read_bytes(), b"a page\n")
        self.assertEqual((self.path / "page").read_bytes(), b"a page\n")
        self.assertEqual(unwritable.returncode, 3)
        self.assertIn(b"cannot write no/such/folder: No such file", unwritable.stderr)

    def test_verbose_shows_heads_and_bars_safely_h102(self):
        run = self.fetch("-v", self.serve().url + "/page", env={"LC_ALL": "C.UTF-8"})

        text = run.stderr.decode()
        self.assertRegex(text, r"> GET /page HTTP/1\.1\n> Host: 127\.0\.0\.1:\d+\n")
        self.assertIn("< HTTP/1.1 200 OK\n", text)
        self.assertIn(r"< X-Odd: \x1b[31mred", text)
        self.assertNotIn("\x1b", text)
        self.assertRegex(text, r"\* wait +[\d.]+ \w+ +█+\n")
        self.assertRegex(text, r"\* total +[\d.]+ \w+\n")

    def test_what_could_drive_a_terminal_is_tamed_h102(self):
        class Hostile(peers.Site):
            def at_page(self):
                self.reply(200, "ä\x1b]0;owned\x07\n\tfine\\n\n".encode())

        site = self.serve(handler=Hostile)
        ours, theirs = pty.openpty()
        process = subprocess.Popen([WEFT, "fetch", site.url + "/page"], stdout=theirs)
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 1000):
                seen += piece
        except OSError:
            pass
        process.wait()
        os.close(ours)

        self.assertIn("ä\\x1b]0;owned\\x07\r\n\tfine\\n\r\n", seen.decode())

    def test_head_shows_the_head(self):
        site = self.serve()

        run = self.fetch("--head", site.url + "/page")

        self.assertTrue(run.stdout.startswith(b"HTTP/1.1 200 OK\n"), run.stdout)
        self.assertEqual(site.seen[0][0], "HEAD")

    def test_json_says_all_facts(self):
        site = self.serve()

        run = self.fetch("--json", f"{site.url}/to?/page")
        facts = json.loads(run.stdout)

        self.assertEqual((facts["status"], facts["protocol"]), (200, "http/1.1"))
        self.assertEqual(facts["final_url"], site.url + "/page")
        self.assertEqual([hop["status"] for hop in facts["redirects"]], [302])
        self.assertEqual(facts["content_bytes"], 7)
        self.assertEqual(dict(facts["headers"])["Content-Type"], "text/plain")
        self.assertGreater(facts["timings_ms"]["total"], 0)
        self.assertIn("wait", facts["timings_ms"])

    def test_content_codings_are_undone_unless_raw(self):
        class Packed(peers.Site):
            def at_page(self):
                import gzip
                self.reply(200, gzip.compress(b"unpacked\n"), [("Content-Encoding", "gzip")])

        url = self.serve(handler=Packed).url + "/page"

        self.assertEqual(self.fetch(url).stdout, b"unpacked\n")
        self.assertTrue(self.fetch("--raw", url).stdout.startswith(b"\x1f\x8b"))

    def test_a_limit_of_bytes_is_no_whole_answer(self):
        run = self.fetch("--max-filesize", "3", self.serve().url + "/page")

        self.assertEqual((run.returncode, run.stdout), (14, b"a p"))
        self.assertIn(b"cut at 3 B", run.stderr)


class Status(Fetch):
    def check(self, path, status, words, *arguments):
        run = self.fetch(*arguments, self.serve().url + path)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertIn(words, run.stderr.decode())

    def test_each_kind_of_end_has_its_code_and_its_words(self):
        self.check("/missing", 8, "404 Not Found")
        self.check("/short", 4, "truncated: 512 of 2048 bytes")
        self.check("/garbage", 7, "not HTTP")
        self.check("/loop", 7, "redirects go in circles")
        self.check("/to?ftp://127.0.0.1/", 7, "only http and https are followed")
        self.check("/to?http://127.0.0.1:22/", 7, "its port is not one of web servers")
        self.check("/basic", 6, "401 Unauthorized")
        self.check("/silent", 4, "not done within 300 ms (head); give it", "--timeout", "0.3")
        self.check("/range?lie", 7, "asked for bytes=0-9, got 'bytes 1-9/256'", "-r", "0-9")

    def test_the_network_is_four(self):
        for url, words in [("http://127.0.0.1:1/", "connect refused by 127.0.0.1:1"),
                           ("http://nothing.invalid/", "dns: ")]:
            run = self.fetch("--timeout", "10", url)
            self.assertEqual(run.returncode, 4)
            self.assertIn(words, run.stderr.decode())

    def test_typed_wrongly_is_two_and_says_what_to_type(self):
        for arguments, words in [(["example.com"], "no scheme"),
                                 (["ftp://example.com/"],
                                  "not a web address; only http and https are fetched"),
                                 (["-H", "no colon", "http://a.test/"], "'Name: value'"),
                                 (["-r", "5", "http://a.test/"], "0-499"),
                                 (["-4", "-6", "http://a.test/"], "give one"),
                                 (["--http1", "--http2", "http://a.test/"], "give one of"),
                                 (["--key", "k", "http://a.test/"], "--cert"),
                                 (["--resolve", "a.test:x", "http://a.test/"], "192.0.2.1"),
                                 (["-x", "gopher://a", "http://a.test/"], "socks5h"),
                                 (["--allow-net", "10/99", "http://a.test/"], "10.0.0.0/8")]:
            run = self.fetch(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(words, run.stderr.decode(), arguments)

    def test_an_unreadable_file_is_three(self):
        run = self.fetch("-b", "none", "http://127.0.0.1:1/")

        self.assertEqual(run.returncode, 3)
        self.assertIn(b"cannot read none: No such file", run.stderr)

    def test_quiet_says_nothing(self):
        run = self.fetch("-q", "http://127.0.0.1:1/")

        self.assertEqual((run.returncode, run.stderr), (4, b""))


class Request(Fetch):
    def echo(self, *arguments, **more):
        run = self.fetch(*arguments, self.serve().url + "/echo", **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_has_the_method_fields_and_body_typed(self):
        (self.path / "file").write_text("from=file")
        seen = self.echo("-d", "a=1", "-d", "@file", "-H", "X-One: 1", "-H", "Accept: text/plain",
                         "-U", "me/1")

        self.assertEqual((seen["method"], seen["body"]), ("POST", "a=1&from=file"))
        self.assertEqual(seen["headers"]["X-One"], "1")
        self.assertEqual(seen["headers"]["Accept"], "text/plain")
        self.assertEqual(seen["headers"]["User-Agent"], "me/1")
        self.assertEqual(seen["headers"]["Content-Type"], "application/x-www-form-urlencoded")
        self.assertEqual(self.echo("-X", "DELETE")["method"], "DELETE")
        self.assertEqual(self.echo("-d", "@-", stdin=b"typed")["body"], "typed")

    def test_range_is_verified_h31(self):
        url = self.serve().url + "/range"

        self.assertEqual(self.fetch("--range", "5-9", url).stdout, bytes(range(5, 10)))
        self.assertEqual(self.fetch("--range", "-2", url).stdout, bytes([254, 255]))
        self.assertEqual(self.fetch("--range", "250-", url).stdout, bytes(range(250, 256)))

    def test_redirects_can_be_left_alone(self):
        run = self.fetch("--max-redirect", "0", self.serve().url + "/to?/page")

        self.assertEqual((run.returncode, run.stdout), (0, b"moved"))

    def test_resolve_and_families(self):
        site = self.serve()
        port = site.server_port

        run = self.fetch("--allow-net", "127.0.0.1", "--resolve", f"a.test:{port}:127.0.0.1",
                         f"http://a.test:{port}/page")
        none = self.fetch("-6", f"http://127.0.0.1:{port}/page")

        self.assertEqual(run.stdout, b"a page\n", run.stderr)
        self.assertEqual(site.seen[0][2]["Host"], f"a.test:{port}")
        self.assertEqual(none.returncode, 4)

    def test_a_redirect_to_a_private_address_is_denied_h116(self):
        site = self.serve()

        run = self.fetch(f"{site.url}/to?http://127.0.0.2:{site.server_port}/page")

        self.assertEqual(run.returncode, 4)
        self.assertIn(b"127.0.0.2, which is loopback (127.0.0.0/8): denied", run.stderr)


class Secrets(Fetch):
    def test_basic_and_digest_are_answered_when_asked(self):
        site = self.serve()
        for path in ["/basic", "/digest"]:
            run = self.fetch("-u", "me:pw", site.url + path)
            self.assertEqual(run.stdout, b"welcome\n", path)
            wrong = self.fetch("-u", "me:wrong", site.url + path)
            self.assertEqual(wrong.returncode, 6)
        in_url = self.fetch("-v", site.url.replace("//", "//me:pw@") + "/basic")
        self.assertEqual(in_url.stdout, b"welcome\n")
        self.assertNotIn(b"pw", in_url.stderr)
        self.assertNotIn(base64.b64encode(b"me:pw"), in_url.stderr)

    def test_basic_goes_first_where_told(self):
        site = self.serve()

        self.fetch("--basic", "-u", "me:pw", site.url + "/basic")

        self.assertEqual(len(site.seen), 1)

    def test_netrc_names_the_user(self):
        (self.path / "netrc").write_text("machine 127.0.0.1 login me password pw\n")

        run = self.fetch("--netrc-file", "netrc", self.serve().url + "/basic")
        by_variable = self.fetch("-n", self.serve().url + "/basic", env={"NETRC": "netrc"})

        self.assertEqual(run.stdout, b"welcome\n")
        self.assertEqual(by_variable.stdout, b"welcome\n")

    def test_nothing_secret_crosses_an_origin_h121(self):
        other = self.serve()
        site = self.serve()
        target = f"{other.url}/echo"

        run = self.fetch("--allow-net", "127.0.0.0/8", "--basic", "-u", "me:pw", "-b", "c=secret",
                         "-H", "Authorization: Bearer secret", f"{site.url}/to?{target}")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(site.seen[0][2]["Cookie"], "c=secret")
        self.assertNotIn("Authorization", other.seen[0][2])
        self.assertNotIn("Cookie", other.seen[0][2])

    def test_cookies_are_kept_in_a_file(self):
        site = self.serve()

        self.fetch("--save-cookies", "jar", site.url + "/cookie")
        run = self.fetch("-b", "jar", site.url + "/echo")

        self.assertEqual(json.loads(run.stdout)["headers"]["Cookie"], "first=1; second=2")
        lines = (self.path / "jar").read_text().splitlines()
        self.assertTrue(any(line.startswith("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t")
                            for line in lines), lines)


class Tls(Fetch):
    def test_certificates_are_checked_unless_told_otherwise(self):
        certificate, key = self.certificate()
        site = self.serve(tls=peers.server_tls(certificate, key))

        refused = self.fetch(site.url + "/page")
        trusted = self.fetch("--ca-certificate", certificate, site.url + "/page")
        blind = self.fetch("-k", site.url + "/page")

        self.assertEqual(refused.returncode, 5)
        self.assertIn(b"tls: certificate is self-signed; trust its authority with", refused.stderr)
        self.assertEqual((trusted.stdout, blind.stdout), (b"a page\n", b"a page\n"))

    def test_our_own_certificate_is_shown(self):
        certificate, key = self.certificate()
        mine, my_key = self.certificate(name="me")
        site = self.serve(tls=peers.server_tls(certificate, key, client_ca=mine))

        without = self.fetch("--http1", "-k", site.url + "/page")
        run = self.fetch("--http1", "-k", "--cert", mine, "--key", my_key, site.url + "/page")

        self.assertNotEqual(without.returncode, 0)
        self.assertEqual(run.stdout, b"a page\n", run.stderr)

    def test_sessions_are_resumed_by_a_later_run(self):
        certificate, key = self.certificate()
        site = self.serve(tls=peers.server_tls(certificate, key))
        common = ["--http1", "--json", "--tls-sessions", "sessions"]

        first = self.fetch(*common, "--ca-certificate", certificate, site.url + "/page")
        later = self.fetch(*common, "--ca-certificate", certificate, site.url + "/page")
        blind = self.fetch(*common, "-k", site.url + "/page")

        self.assertFalse(json.loads(first.stdout)["tls"]["resumed"])
        self.assertTrue(json.loads(later.stdout)["tls"]["resumed"])
        self.assertFalse(json.loads(blind.stdout)["tls"]["resumed"])
        self.assertEqual((self.path / "sessions").stat().st_mode & 0o777, 0o600)


class Proxies(Fetch):
    def test_http_goes_in_absolute_form(self):
        site = self.serve()
        proxy = self.serve_proxy(peers.Proxy, site)

        run = self.fetch("-x", f"http://me:pw@127.0.0.1:{proxy.server_port}", "http://a.test/x?y#z")

        self.assertEqual(run.stdout, b"by proxy\n", run.stderr)
        method, target, headers, _ = proxy.seen[0]
        self.assertEqual((method, target), ("GET", "http://a.test/x?y"))
        self.assertEqual(headers["Host"], "a.test")
        self.assertEqual(headers["Proxy-Authorization"],
                         "Basic " + base64.b64encode(b"me:pw").decode())

    def test_https_goes_through_a_tunnel(self):
        certificate, key = self.certificate()
        site = self.serve(tls=peers.server_tls(certificate, key))
        wanted = "Basic " + base64.b64encode(b"me:pw").decode()
        proxy = self.serve_proxy(peers.Proxy, site, wanted)
        place = f"127.0.0.1:{proxy.server_port}"

        run = self.fetch("--http1", "-k", "-x", f"http://me:pw@{place}", "https://a.test/page")
        refused = self.fetch("--http1", "-k", "-x", f"http://{place}", "https://a.test/page")

        self.assertEqual(run.stdout, b"a page\n", run.stderr)
        self.assertEqual(proxy.seen[0][:2], ("CONNECT", "a.test:443"))
        self.assertNotIn("Proxy-Authorization", site.seen[0][2])
        self.assertEqual(refused.returncode, 6)
        self.assertIn(b"it answered 407", refused.stderr)

    def test_socks_leads_by_name_or_by_address(self):
        site = self.serve()
        proxy = self.serve_proxy(peers.Socks, site, ("me", "pw"))
        place = f"me:pw@127.0.0.1:{proxy.server_port}"
        port = site.server_port

        by_name = self.fetch("-x", f"socks5h://{place}", f"http://a.test:{port}/page")
        by_address = self.fetch("-x", f"socks5://{place}", "--allow-net", "127.0.0.1", "--resolve",
                                f"a.test:{port}:127.0.0.1", f"http://a.test:{port}/page")
        refused = self.fetch("-x", f"socks5h://127.0.0.1:{proxy.server_port}", "http://a.test/")

        self.assertEqual(by_name.stdout, b"a page\n", by_name.stderr)
        self.assertEqual(by_address.stdout, b"a page\n", by_address.stderr)
        self.assertEqual(proxy.seen, [("a.test", port), ("127.0.0.1", port)])
        self.assertEqual(refused.returncode, 6)

    def test_the_environment_is_obeyed(self):
        site = self.serve()
        proxy = self.serve_proxy(peers.Proxy, site)
        env = {"http_proxy": f"127.0.0.1:{proxy.server_port}", "no_proxy": "127.0.0.1"}

        by_proxy = self.fetch("http://a.test/", env=env)
        directly = self.fetch(site.url + "/page", env=env)

        self.assertEqual(by_proxy.stdout, b"by proxy\n", by_proxy.stderr)
        self.assertEqual(directly.stdout, b"a page\n")

    def test_no_proxy_holds_for_a_typed_proxy_too(self):
        site = self.serve()
        proxy = self.serve_proxy(peers.Proxy, site)

        run = self.fetch("-x", f"127.0.0.1:{proxy.server_port}", site.url + "/page",
                         env={"no_proxy": "127.0.0.1"})

        self.assertEqual(run.stdout, b"a page\n", run.stderr)

    def test_a_private_address_is_denied_by_proxy_too_h116(self):
        site = self.serve()
        proxy = self.serve_proxy(peers.Proxy, site)
        via = ["-x", f"127.0.0.1:{proxy.server_port}"]
        target = "http://169.254.169.254/latest"

        class Leading(peers.Proxy):
            def do_GET(self):
                self.server.seen.append(self.path)
                self.send_response(302)
                self.send_header("Location", target)
                self.send_header("Content-Length", "0")
                self.end_headers()

        leading = self.serve_proxy(Leading, site)
        run = self.fetch("-x", f"127.0.0.1:{leading.server_port}", "http://a.test/")

        self.assertEqual(run.returncode, 4)
        self.assertIn(b"which is link-local (169.254.0.0/16): denied", run.stderr)
        self.assertEqual(len(leading.seen), 1)
        self.assertEqual(self.fetch(*via, "http://a.test/").returncode, 0)


if __name__ == "__main__":
    unittest.main()
