"""Whom commands connect to, and by which way: addresses_test.py PATH_TO_WEFT. Only loopback.

Only what a user types opens a private address, for its own origin: no page, redirect, robots.txt,
sitemap or name server does (H116-H119). And all commands that fetch obey the options of the way.
"""

import http.client
import pathlib
import re
import socket
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Scratch  # noqa: E402

import peers  # noqa: E402

CRAWL = ["--wait", "0", "--tries", "1", "--scope", "any", "-U", "x/1 (+http://x.test/)",
         "--max-per-host", "4", "--threads", "1"]


class Pages(peers.Site):
    """Answers by the table server.pages: text of a page, or the target of a redirect."""

    def handle_any(self):
        self.server.seen.append((self.command, self.path, dict(self.headers), b""))
        self.server.peers.append(self.client_address[0])
        found = self.server.pages.get(self.path)
        if found is None:
            return self.reply(404, b"nothing here\n")
        if found.startswith("-> "):
            return self.reply(302, b"", [("Location", found[3:])])
        kind = "text/html" if found.startswith("<") else "text/plain"
        self.reply(200, found.encode(), [("Content-Type", kind)])

    do_GET = do_HEAD = handle_any


class Addresses(Scratch):
    def serve(self, pages=None, host="127.0.0.1", tls=None, handler=Pages):
        serving = peers.serve(handler=handler, host=host, tls=tls)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        server.pages = pages or {}
        server.peers = []
        return server

    def names(self, **names):
        server = peers.NameServer({name.replace("_", "."): found for name, found in names.items()})
        self.addCleanup(server.end)
        return server

    def proxy(self, handler, target):
        serving = peers.serve_proxy(handler, target)
        proxy = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        return proxy

    def run_all(self, url, *options):
        """fetch, crawl and check; gives what each said, with the crawl's pages."""
        said = {}
        for command in ("fetch", "crawl", "check"):
            more = [] if command == "fetch" else CRAWL
            output = ["-o", "kept"] if command == "crawl" else []
            run = self.weft(command, *more, *output, *options, url)
            said[command] = run.stdout + run.stderr
        said["pages"] = (self.path / "kept/pages/pages.jsonl").read_text()
        subprocess.run(["rm", "-r", self.path / "kept"], check=True)
        return said


class PrivateAddresses(Addresses):
    # A seed's name once opened the least of its addresses for every host, port and link.
    def test_no_name_opens_one_h116(self):
        victim = self.serve({"/": "secret"})
        port = victim.server_port
        names = self.names(a_test=["127.0.0.1"])
        way = ("127.0.0.1, which is loopback (127.0.0.0/8): denied; "
               "to allow it: --allow-net 127.0.0.1")
        for options in (["--dns-servers", names.place],
                        ["--resolve", f"a.test:{port}:127.0.0.1"],
                        ["--resolve", f"*:{port}:127.0.0.1"]):
            for command, said in self.run_all(f"http://a.test:{port}/", *options).items():
                self.assertIn(way, said, (command, options))
            self.assertEqual(victim.seen, [], options)
            said = self.run_all(f"http://a.test:{port}/", "--allow-net", "127.0.0.1", *options)
            self.assertTrue(victim.seen)
            self.assertNotIn("denied", said["pages"])
            victim.seen.clear()

    def test_what_is_typed_opens_itself_alone_h116(self):
        victim = self.serve({"/": "secret", "/robots.txt": "User-agent: *\nDisallow:\n",
                             "/map.xml": "<urlset/>"})
        there = victim.url
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
            home = self.serve({
                "/": f"<a href='{there}/'>a</a><img src='{there}/i.png'><a href='/moved'>m</a>"
                     f"<a href='http://localhost:{victim.server_port}/'>l</a>"
                     f"<a href='http://[::ffff:127.0.0.1]:{victim.server_port}/'>l</a>",
                "/moved": f"-> {there}/",
                "/robots.txt": f"Sitemap: {there}/map.xml\n"})
            said = self.run_all(f"http://{host}:{home.server_port}/", "--allow-net", "127.0.0.9")
            self.assertIn("/moved", [path for _, path, _, _ in home.seen], host)
            self.assertIn("denied", said["pages"])
            self.assertEqual(victim.seen, [], host)

    def test_a_robots_txt_does_not_lead_there_h116(self):
        victim = self.serve({"/robots.txt": "User-agent: *\nDisallow: /\n"})
        home = self.serve({"/": "<p>page", "/robots.txt": f"-> {victim.url}/robots.txt"})
        self.run_all(home.url + "/")
        self.assertEqual(victim.seen, [])

    def test_a_name_that_moves_there_is_denied_h117(self):
        victim = self.serve({"/": "secret"})
        port = victim.server_port
        answers = iter([["127.0.0.2"]])
        names = self.names(a_test=lambda: next(answers, ["127.0.0.1"]))
        self.run_all(f"http://a.test:{port}/", "--dns-servers", names.place,
                     "--allow-net", "127.0.0.2")
        self.assertIn("a.test", names.seen)
        self.assertEqual(victim.seen, [])

    def test_a_seed_that_is_redirected_there_is_denied_h116(self):
        victim = self.serve({"/": "secret"})
        home = self.serve({"/": f"-> {victim.url}/"})
        said = self.run_all(home.url + "/")
        self.assertEqual(victim.seen, [])
        self.assertIn("--allow-net 127.0.0.1", said["fetch"])
        self.assertIn("--allow-net 127.0.0.1", said["crawl"])

    def test_resume_and_recrawl_judge_as_the_crawl_did_h116(self):
        victim = self.serve({"/": "secret"})
        home = self.serve({"/": f"<a href='/b'>b</a><a href='{victim.url}/'>v</a>",
                           "/b": f"<a href='{victim.url}/c'>v</a>"})
        run = self.weft("crawl", *CRAWL, "--limit", "1", "-o", "kept", home.url + "/")
        self.assertEqual(run.returncode, 14, run.stderr)
        run = self.weft("resume", "kept", "--limit", "0")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.pages("kept")[home.url + "/b"]["status"], 200)
        run = self.weft("recrawl", "kept", "--limit", "0", "-o", "again")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(victim.seen, [])

    def test_a_crawl_never_fetches_its_own_metrics_h119(self):
        home = self.serve({"/": ""})
        port = free_port()
        spellings = ("127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "a.test")
        home.pages["/"] = "".join(f"<a href='http://{each}:{port}/metrics'>m</a>"
                                  for each in spellings)
        names = self.names(a_test=["127.0.0.1"])
        for place in (f"127.0.0.1:{port}", f"0.0.0.0:{port}"):
            run = self.weft("crawl", *CRAWL, "--metrics", place, "--allow-net", "0.0.0.0/0",
                            "--allow-net", "::/0", "--dns-servers", names.place, "-o", "kept",
                            "--robots", "off", home.url + "/")
            self.assertEqual(run.returncode, 0, run.stderr)
            for url, page in self.pages("kept").items():
                if f":{port}/" in url:
                    self.assertEqual(page["failure"], "address_denied", (place, page))
                    self.assertIn("weft's own listener", page["reason"])
            subprocess.run(["rm", "-r", self.path / "kept"], check=True)


def free_port():
    server = peers.Server(("127.0.0.1", 0), Pages)
    server.server_close()
    return server.server_port


class Ports(Addresses):
    # robots.txt once led to ports of other services, for its redirects were not judged.
    def test_nothing_leads_to_ports_of_other_services_h34(self):
        home = self.serve({"/": "<a href='http://127.0.0.1:3306/'>a</a><a href='/moved'>m</a>"
                                "<img src='http://127.0.0.1:27017/'>",
                           "/moved": "-> http://127.0.0.1:5432/",
                           "/robots.txt": "-> http://127.0.0.1:6379/robots.txt"})
        said = self.run_all(home.url + "/", "--allow-net", "127.0.0.0/8")
        self.assertNotIn("connect_refused", said["pages"] + said["check"])
        self.assertNotIn("refused by", said["pages"] + said["check"])
        self.assertIn("/moved", [path for _, path, _, _ in home.seen])

    def test_what_is_typed_may_have_any_port(self):
        for command in ("fetch", "check"):
            run = self.weft(command, *(CRAWL if command == "check" else []), "http://127.0.0.1:1/")
            self.assertIn("refused", run.stdout + run.stderr, command)


class RetryAfter(Addresses):
    # A stranger's picture held the crawl for a day.
    def test_a_host_that_asks_for_a_day_does_not_hold_the_crawl(self):
        class Later(Pages):
            def handle_any(self):
                self.server.seen.append(self.path)
                if self.path == "/robots.txt":
                    return self.reply(404)
                self.reply(429, b"", [("Retry-After", "86400")])
            do_GET = do_HEAD = handle_any
        other = self.serve(handler=Later)
        home = self.serve({"/": f"<img src='{other.url}/1.png'><img src='{other.url}/2.png'>"})
        run = self.weft("crawl", *CRAWL, "--tries", "3", "--allow-net", "127.0.0.1", "-o", "kept",
                        home.url + "/")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("weft resume kept --retry-failed", run.stdout)
        pages = self.pages("kept")
        for name in ("/1.png", "/2.png"):
            self.assertEqual(pages[other.url + name]["failure"], "retry_after")
            said = self.weft("explain", "kept", other.url + name)
            self.assertIn("asks to be left alone for 24 h", said.stdout + said.stderr)
        self.assertIn("retry_after", self.weft("report", "kept").stdout)
        asked_count = len(other.seen)
        self.weft("resume", "kept", "--retry-failed", "--allow-net", "127.0.0.1")
        self.assertGreater(len(other.seen), asked_count)


class Serve(Addresses):
    # Bound to a network it answered to any name, so any page could point a name of its own at it.
    def test_beyond_loopback_only_known_names_are_answered_h126(self):
        (self.path / "page.html").write_text("secret")
        for options, known in (([], set()), (["--host", "mine.test"], {"mine.test"}),
                               (["--host", "*"], {"mine.test", "evil.test"})):
            serving = self.start("serve", ".", "--bind", "0.0.0.0", "--port", "0", *options)
            port = int(re.search(r":(\d+)/", serving.stdout.readline())[1])
            for host in ("127.0.0.1", "192.168.1.5", "localhost", "[::1]", socket.gethostname()):
                self.assertEqual(self.status(port, host), 200, host)
            for host in ("mine.test", "evil.test", "127.0.0.1.evil.test"):
                is_known = host in known or "*" in options
                self.assertEqual(self.status(port, host), 200 if is_known else 403, host)

    def status(self, port, host):
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        asking.request("GET", "/page.html", headers={"Host": f"{host}:{port}"})
        answer = asking.getresponse()
        body = answer.read()
        if answer.status == 403:
            self.assertIn(b"--host", body)
        asking.close()
        return answer.status


class ByProxy(Addresses):
    """Nothing connects directly, whichever command fetches: `check` once did for other sites."""

    def setUp(self):
        super().setUp()
        self.direct = self.serve({"/": "you came directly"})
        port = self.direct.server_port
        self.home = f"http://a.test:{port}/"
        self.other = f"http://b.test:{port}/"
        self.real = self.serve({
            "/": f"<a href='/page'>p</a><a href='{self.other}out'>o</a>"
                 f"<a href='https://c.test:{port}/'>s</a>",
            "/page": "<p>page", "/out": "<p>out",
            "/robots.txt": f"Sitemap: {self.other}map.xml\n",
            "/map.xml": "<urlset/>"})
        self.dns = self.names(a_test=["127.0.0.1"], b_test=["127.0.0.1"], c_test=["127.0.0.1"])

    def run_everything(self, proxy):
        way = ["--proxy", proxy, "--dns-servers", self.dns.place, "--allow-net", "127.0.0.0/8"]
        runs = {"fetch": self.weft("fetch", *way, self.home),
                "crawl": self.weft("crawl", *CRAWL, *way, "--limit", "1", "-o", "kept", self.home),
                "resume": self.weft("resume", "kept", *way, "--limit", "0"),
                "recrawl": self.weft("recrawl", "kept", *way, "--limit", "0", "-o", "again"),
                "check": self.weft("check", *CRAWL, "--scope", "host", *way, self.home)}
        self.assertEqual(runs["fetch"].returncode, 0, runs["fetch"].stderr)
        self.assertEqual(runs["crawl"].returncode, 14, runs["crawl"].stderr)
        for name in ("resume", "recrawl"):
            self.assertEqual(runs[name].returncode, 0, runs[name].stderr)
        self.assertIn(f"https://c.test:{self.direct.server_port}/", runs["check"].stdout)
        self.assertEqual(self.direct.seen, [])
        for folder in ("kept", "again"):
            pages = self.pages(folder)
            for url in (self.home, self.home + "page", self.other + "out", self.other + "map.xml"):
                self.assertEqual(pages[url]["status"], 200, (folder, url))
        # Once each by fetch, crawl or resume, recrawl and check.
        self.assertIn("HEAD", [method for method, path, _, _ in self.real.seen if path == "/out"])

    def test_http(self):
        proxy = self.proxy(peers.Forward, self.real)
        self.run_everything(f"http://127.0.0.1:{proxy.server_port}")
        self.assertEqual(self.dns.seen, [])
        self.assertIn("CONNECT", [entry[0] for entry in proxy.seen])

    def test_socks_that_resolves(self):
        proxy = self.proxy(peers.Socks, self.real)
        self.run_everything(f"socks5h://127.0.0.1:{proxy.server_port}")
        self.assertEqual(self.dns.seen, [])

    def test_socks_by_address(self):
        proxy = self.proxy(peers.Socks, self.real)
        self.run_everything(f"socks5://127.0.0.1:{proxy.server_port}")
        self.assertEqual({host for host, _ in proxy.seen}, {"127.0.0.1"})

    def test_of_the_environment(self):
        proxy = self.proxy(peers.Forward, self.real)
        run = self.weft("check", *CRAWL, "--scope", "host", "--dns-servers", self.dns.place,
                        "--allow-net", "127.0.0.0/8", self.home,
                        all_proxy=f"http://127.0.0.1:{proxy.server_port}")
        self.assertIn(self.other.rstrip("/").removeprefix("http://"), str(proxy.seen), run.stderr)
        self.assertEqual((self.direct.seen, self.dns.seen), ([], []))


class OtherSites(Addresses):
    """Every option of the way holds for pages, robots.txt and the links of others that a check
    asks for."""

    def check(self, pages, *options, code=0):
        home = self.serve(pages)
        run = self.weft("check", *CRAWL, "--scope", "host", "--allow-net", "127.0.0.0/8", *options,
                        home.url + "/")
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return home, run

    def test_resolve(self):
        other = self.serve({"/": "there"})
        self.check({"/": f"<a href='http://b.test:{other.server_port}/'>b</a>"},
                   "--resolve", f"b.test:{other.server_port}:127.0.0.1")
        self.assertEqual(other.seen[0][2]["Host"], f"b.test:{other.server_port}")

    def test_families(self):
        other = self.serve({"/": "there"}, host="::1") if has_ipv6() else None
        if not other:
            self.skipTest("no IPv6 here")
        link = {"/": f"<a href='http://b.test:{other.server_port}/'>b</a>"}
        options = ["--allow-net", "::1",
                   "--resolve", f"b.test:{other.server_port}:[::1]"]
        self.check(link, *options)
        self.assertTrue(other.seen)
        other.seen.clear()
        self.check(link, *options, "-4", code=8)
        self.assertEqual(other.seen, [])

    def test_bind_address_and_name(self):
        other = self.serve({"/": "there"})
        home, _ = self.check({"/": f"<a href='{other.url}/'>b</a>"}, "--bind-address", "127.0.0.2",
                             "-U", "mine/7 (+http://x.test/)")
        self.assertEqual(set(home.peers + other.peers), {"127.0.0.2"})
        self.assertEqual({entry[2]["User-Agent"] for entry in home.seen + other.seen},
                         {"mine/7 (+http://x.test/)"})

    def test_rate(self):
        class Large(Pages):
            def handle_any(self):
                self.reply(405 if self.command == "HEAD" else 404, b"x" * 30_000)
            do_GET = do_HEAD = handle_any
        other = self.serve(handler=Large)
        start = time.monotonic()
        self.check({"/": f"<a href='{other.url}/'>b</a>"}, "--limit-rate", "20k", code=8)
        self.assertGreaterEqual(time.monotonic() - start, 1.4)

    def test_timeouts(self):
        class Silent(Pages):
            def handle_any(self):
                self.server.ended.wait(30)
            do_GET = do_HEAD = handle_any
        other = self.serve(handler=Silent)
        start = time.monotonic()
        _, run = self.check({"/": f"<a href='{other.url}/'>b</a>"}, "--timeout", "0.5", code=8)
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("500 ms", run.stdout)

    def test_protocols_and_authorities(self):
        certificate = make_certificate(self.path)
        tls = peers.server_tls(*certificate)
        tls.set_alpn_protocols(["h2", "http/1.1"])
        chosen = []

        class Named(Pages):
            def setup(self):
                super().setup()
                chosen.append(self.request.selected_alpn_protocol())
        other = self.serve({"/": "there"}, tls=tls, handler=Named)
        link = {"/": f"<a href='https://localhost:{other.server_port}/'>b</a>"}
        self.check(link, code=8)  # Nobody trusts it.
        chosen.clear()
        self.check(link, "--http1", "--ca-certificate", str(certificate[0]))
        self.assertEqual(set(chosen), {"http/1.1"})
        chosen.clear()
        self.check(link, "--http1", "--no-check-certificate")
        self.assertEqual(set(chosen), {"http/1.1"})


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


def make_certificate(folder):
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return certificate, key


if __name__ == "__main__":
    unittest.main()
