"""`weft crawl` and `weft resume` as a user runs them: crawl_test.py PATH_TO_WEFT. Only loopback."""

import base64
import gzip
import json
import os
import pathlib
import random
import re
import signal
import stat
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import PATIENCE_SECONDS, WEFT, Scratch  # noqa: E402

import peers  # noqa: E402

POLITE = ["--wait", "0", "--tries", "1", "--no-sitemaps"]


def page(*links):
    return 200, "".join(f'<a href="{link}">x</a>' for link in links).encode()


class Table(peers.Site):
    """A site as a table: server.table has (status, body[, headers]) by [host and] path."""

    def handle_any(self):
        self.server.seen.append((self.command, self.path, dict(self.headers), b""))
        host = self.headers.get("Host", "").split(":")[0]
        table = self.server.table
        row = table.get(host + self.path) or table.get(self.path) or (404, b"nothing here")
        row = row(self) if callable(row) else row
        if row is None:
            return
        status, body, *more = row
        headers = dict(more[0]) if more else {}
        headers.setdefault("Content-Type", "text/html")
        self.reply(status, body, headers.items())

    do_GET = do_HEAD = handle_any


class Crawling(Scratch):
    def serve(self, table, **arguments):
        serving = peers.serve(handler=Table, **arguments)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        server.table = table
        return server

    def crawl(self, *arguments, **more):
        return self.weft("crawl", "--output", "kept", *POLITE, *arguments, **more)

    def asked(self, server, host=None):
        return [path for _, path, headers, _ in server.seen
                if path != "/robots.txt" and (not host or headers["Host"].startswith(host))]

    def headers_of(self, server, path):
        return next(headers for _, asked, headers, _ in server.seen if asked == path)


class Ways(Crawling):
    def test_resolve_leads_names_to_the_addresses_given(self):
        site = self.serve({"a.test/": page("/two", "http://b.test:PORT/"), "a.test/two": page(),
                           "b.test/": page()})
        port = site.server_port
        site.table["a.test/"] = page("/two", f"http://b.test:{port}/")

        run = self.crawl("--scope", "any", "-U", "x/1 (+http://x.test/)",
                         "--allow-net", "127.0.0.1", "--resolve", f"a.test:{port}:127.0.0.1",
                         "--resolve", f"b.test:{port}:127.0.0.1", f"http://a.test:{port}/")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({url: row["status"] for url, row in self.pages("kept").items()},
                         {f"http://a.test:{port}/": 200, f"http://a.test:{port}/two": 200,
                          f"http://b.test:{port}/": 200})

    def test_resolve_takes_what_curl_takes(self):
        site = self.serve({"/": page()})
        port = site.server_port
        for entry, host, status in [
                ("*:{}:127.0.0.1", "any.test", 0), ("+b.test:{}:127.0.0.1", "b.test", 0),
                ("BÜCHER.test:{}:127.0.0.2,127.0.0.1", "bücher.test", 0),
                ("c.test:{}:127.0.0.2", "c.test", 4)]:  # A name goes before any name.
            run = self.weft("crawl", *POLITE, "-o", host, "--allow-net", "127.0.0.0/8",
                            "--resolve", f"*:{port}:127.0.0.1", "--resolve", entry.format(port),
                            f"http://{host}:{port}/")
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)

    def test_bad_ways_are_named(self):
        for arguments, message in [
                (["--resolve", "a.test"], "write it like example.com:443:192.0.2.1"),
                (["-4", "-6"], "-4 and -6 leave no address"),
                (["--http1.1", "--http2"], "give one of --http1, --http2"),
                (["--proxy", "ftp://x/"], "proxy 'ftp://x/'"),
                (["--key", "x.pem"], "--key without --cert"),
                (["--password", "x"], "--password without --user"),
                (["--header", "nonsense"], "write it like 'Name: value'"),
                (["--strict", "--lenient"], "--strict and --lenient cannot hold at once"),
                (["--user", "me:pw", "http://b.test/"], "--user is for one origin"),
                (["-H", "Cookie: a=1", "http://b.test/"], "'Cookie' lets in at one origin")]:
            run = self.crawl("-U", "x/1 (+http://x.test/)", *arguments, "http://a.test/")
            self.assertEqual(run.returncode, 2, (arguments, run.stderr))
            self.assertIn(message, run.stderr)

    def test_name_servers_of_the_users_choice_are_asked(self):
        run = self.crawl("--dns-servers", "127.0.0.1:1", "--dns-timeout", "1", "http://a.test/")

        self.assertEqual(run.returncode, 4)
        self.assertIn("dns", run.stdout)

    def test_ipv6_only_has_no_way_to_an_ipv4_address(self):
        site = self.serve({"/": page()})
        port = site.server_port

        run = self.crawl("-6", "--resolve", f"a.test:{port}:127.0.0.1", f"http://a.test:{port}/")

        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("no IPv6 address", run.stdout)
        self.assertEqual(site.seen, [])

    def test_a_proxy_is_used_by_option_and_by_environment(self):
        site = self.serve({})
        for arguments, environment in [(["--proxy", "URL"], {}), ([], {"http_proxy": "URL"})]:
            with peers.serve_proxy(peers.Proxy, site) as proxy:
                url = f"http://127.0.0.1:{proxy.server_port}"
                run = self.weft("crawl", *POLITE, "--no-archive", "--output", f"by{len(arguments)}",
                                *[text.replace("URL", url) for text in arguments],
                                "http://far.test/",
                                **{name: url for name in environment})
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("http://far.test/", [path for _, path, _, _ in proxy.seen])
        run = self.weft("crawl", *POLITE, "--dns-timeout", "1", "--noproxy", "far.test",
                        "--dns-servers", "127.0.0.1:1", "http://far.test/", http_proxy=url)
        self.assertEqual(run.returncode, 4)


class Who(Crawling):
    def test_w27_logins_cookies_and_certificates_are_options(self):
        secret = "Basic " + base64.b64encode(b"me:pw").decode()

        def guarded(request):
            if request.headers.get("Authorization") == secret:
                return page("/inside", "http://localhost:%d/" % request.server.server_port)
            return 401, b"who?", {"WWW-Authenticate": 'Basic realm="x"'}

        site = self.serve({"127.0.0.1/": guarded, "127.0.0.1/inside": guarded,
                           "localhost/": page()})
        (self.path / "netrc").write_text("machine 127.0.0.1 login me password pw\n")
        typed = site.url.replace("http://", "http://me:pw@")
        for number, arguments in enumerate([
                ["--user", "me:pw", site.url], ["--user", "me", "--password", "pw", site.url],
                ["--netrc-file", "netrc", site.url], [typed]]):
            site.seen.clear()
            run = self.weft("crawl", *POLITE, "--scope", "any", "-U", "x/1 (+http://x.test/)",
                            "--allow-net", "127.0.0.0/8", "--allow-net", "::1",
                            "-o", f"kept{number}", *arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            statuses = {row["status"] for row in self.pages(f"kept{number}").values()}
            self.assertEqual(statuses, {200}, arguments)
            for _, _, headers, _ in site.seen:
                if headers["Host"].startswith("localhost"):
                    self.assertNotIn("Authorization", headers)

    def test_h121_no_secret_is_in_anything_that_is_kept(self):
        site = self.serve({"/": page("/two"), "/two": page()})
        site_url = site.url.replace("http://", "http://me:hush1@")
        (self.path / "jar").write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\tname\thush4\n")

        run = self.crawl("--oauth2-bearer", "hush2", "-H", "Cookie: c=hush3", "--load-cookies",
                         "jar", site_url)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("hush2", self.headers_of(site, "/two")["Authorization"])
        self.assertNotIn("hush", run.stdout + run.stderr)
        for file in (self.path / "kept").rglob("*"):
            if file.is_file():
                content = file.read_bytes()
                if file.name.endswith(".warc.gz"):
                    content = gzip.decompress(content)
                    # A request record is what was sent: archives keep them as they were.
                    content = re.sub(rb"WARC-Type: request.*?(?=WARC/1\.1|\Z)", b"", content,
                                     flags=re.S)
                self.assertNotIn(b"hush", content, file)
        self.crawl_is_resumed_only_with_its_secrets()

    def crawl_is_resumed_only_with_its_secrets(self):
        secrets = ["--user", "me:hush1", "--oauth2-bearer", "hush2", "-H", "Cookie: c=hush3"]
        for given, missing in ([], "--user"), (secrets, "--load-cookies"):
            run = self.weft("resume", "kept", *given)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"started with {missing}, which is not saved in its folder", run.stderr)
        run = self.weft("resume", "kept", *secrets, "--load-cookies", "jar")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_h122_with_a_login_links_that_change_things_are_left_alone(self):
        site = self.serve({"/": page("/logout", "/delete?id=1", "/safe"), "/safe": page()})

        self.crawl("--user", "me:pw", site.url)

        self.assertEqual(sorted(self.asked(site)), ["/", "/safe"])
        self.assertEqual({method for method, *_ in site.seen}, {"GET"})

    def test_headers_go_everywhere_if_told_but_those_that_let_in(self):
        site = self.serve({})
        port = site.server_port
        site.table.update({"127.0.0.1/": page(f"http://localhost:{port}/"), "localhost/": page()})

        self.crawl("--scope", "any", "-U", "x/1 (+http://x.test/)", "--allow-net", "127.0.0.1",
                   "--allow-net", "::1", "-H", "X-Test: yes", "-H", "Authorization: hush",
                   "--header-anywhere", "--from", "me@x.test", site.url)

        for _, path, headers, _ in site.seen:
            self.assertEqual(headers["X-Test"], "yes", path)
            self.assertEqual(headers["From"], "me@x.test")
            is_ours = headers["Host"].startswith("127.")
            self.assertEqual(headers.get("Authorization"), "hush" if is_ours else None)
        self.assertEqual(len(site.seen), 4)

    def test_cookies_are_kept_only_if_asked_for(self):
        site = self.serve({"/": (*page("/two"), {"Set-Cookie": "a=1; Max-Age=1000"}),
                           "/two": page()})

        self.weft("crawl", *POLITE, "-o", "without", site.url)
        self.assertNotIn("Cookie", self.headers_of(site, "/two"))
        site.seen.clear()
        self.weft("crawl", *POLITE, "-o", "with", "--save-cookies", "jar", site.url)
        self.assertEqual(self.headers_of(site, "/two")["Cookie"], "a=1")
        jar = self.path / "jar"
        self.assertIn("\ta\t1\n", jar.read_text())
        self.assertEqual(stat.S_IMODE(jar.stat().st_mode), 0o600)
        site.seen.clear()
        self.weft("crawl", *POLITE, "-o", "again", "--load-cookies", "jar", site.url)
        self.assertEqual(self.headers_of(site, "/")["Cookie"], "a=1")

    def test_a_contact_is_demanded_beyond_one_site(self):
        for arguments in [["--scope", "any", "http://a.test/"],
                          ["http://a.test/", "http://b.test/"]]:
            run = self.crawl(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn("needs a contact in --user-agent", run.stderr)
        run = self.crawl("--dns-servers", "127.0.0.1:1", "--dns-timeout", "1", "-U",
                         "x/1 (+http://x.test/)", "http://a.test/", "http://b.test/")
        self.assertEqual(run.returncode, 4, run.stderr)


class Hints(Crawling):
    def test_what_pages_ask_of_crawlers_is_in_the_page_log(self):
        site = self.serve({"/": (200, b"<a rel=nofollow href=/a>a</a><a href=/b>b</a>"),
                           "/a": page(),
                           "/b": (*page("/c"), {"X-Robots-Tag": "noindex, nofollow"})})

        self.crawl(site.url)

        rows = {url.rsplit("/", 1)[1]: row for url, row in self.pages("kept").items()}
        self.assertEqual(set(rows), {"", "a", "b"})
        self.assertTrue(rows["a"]["nofollow_link"])
        self.assertTrue(rows["b"]["noindex"] and rows["b"]["nofollow"])
        self.assertNotIn("nofollow_link", rows["b"])
        told = self.weft("explain", "kept", site.url + "/a").stdout
        self.assertIn("as a link with rel=nofollow, 1 step from a seed", told)


class Budgets(Crawling):
    def test_hosts_and_domains_have_limits_of_pages_bytes_and_time(self):
        def slow(request):
            time.sleep(0.2)
            return page()

        site = self.serve({"/": page("/1", "/2", "/3"), "/1": slow, "/2": slow, "/3": slow})
        for option, value, rule in [
                ("--host-limit", "2", "host_pages"), ("--host-quota", "10", "host_bytes"),
                ("--host-time", "0.1", "host_time"), ("--domain-limit", "2", "domain_pages"),
                ("--domain-quota", "10", "domain_bytes"), ("--domain-time", "0.1", "domain_time")]:
            run = self.weft("crawl", *POLITE, option, value, "-o", rule, site.url)
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = self.pages(rule).values()
            self.assertEqual(len(rows), 4, option)
            skipped = [row for row in rows if row["ending"] == "skipped"]
            self.assertIn(len(skipped), [2, 3], option)
            self.assertIn(rule, run.stdout)


class Seeds(Crawling):
    def test_come_from_a_file_and_from_standard_input(self):
        site = self.serve({"/one": page(), "/two": page()})
        (self.path / "list").write_text(f"# mine\n\n{site.url}/one\n{site.url}/two\n")

        run = self.weft("crawl", *POLITE, "-o", "file", "-i", "list")
        self.assertEqual(run.returncode, 0, run.stderr)
        run = self.weft("crawl", *POLITE, "-o", "stdin", "-i", "-", stdin=f"{site.url}/one\n")
        self.assertEqual(run.returncode, 0, run.stderr)

        self.assertEqual(len(self.pages("file")), 2)
        self.assertEqual(len(self.pages("stdin")), 1)
        run = self.weft("crawl", "-i", "-", stdin="http://ok.test/\nhttp://\n")
        self.assertIn("standard input:2: bad URL 'http://'", run.stderr)
        run = self.weft("crawl", "-i", "absent")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--input-file: cannot open absent", run.stderr)

    def test_may_be_sitemaps_packed_or_plain(self):
        def listing(*paths):
            return "\n".join(f"{site.url}{path}" for path in paths).encode()

        site = self.serve({"/listed": page(), "/packed": page()})
        site.table["/sitemap.txt"] = (200, listing("/listed"), {"Content-Type": "text/plain"})
        xml = b"<urlset><url><loc>%s</loc></url></urlset>" % listing("/packed")
        site.table["/sitemap.xml.gz"] = (200, gzip.compress(xml),
                                         {"Content-Type": "application/gzip"})

        run = self.crawl(site.url + "/sitemap.txt", site.url + "/sitemap.xml.gz")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(self.asked(site)),
                         ["/listed", "/packed", "/sitemap.txt", "/sitemap.xml.gz"])

    def test_f8_f9_strict_and_lenient_are_the_references_words(self):
        hosts = ["x.test", "www.x.test", "foo.x.test", "x.other.test"]
        site = self.serve({f"{host}/": page() for host in hosts})
        port = site.server_port
        site.table["x.test/"] = page(*[f"http://{host}:{port}/" for host in hosts])
        resolve = [text for host in hosts for text in ("--resolve", f"{host}:{port}:127.0.0.1")]
        for word, wanted in [("--strict", hosts[:2]), ("--lenient", hosts[:3]),
                             ("--span-hosts", hosts)]:
            run = self.weft("crawl", *POLITE, "-o", word.strip("-"), word, *resolve, "--allow-net",
                            "127.0.0.1", "-U", "x/1 (+http://x.test/)", f"http://x.test:{port}/")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(sorted(self.pages(word.strip("-"))),
                             sorted(f"http://{host}:{port}/" for host in wanted))


class Ends(Crawling):
    def certificate(self):
        certificate, key = self.path / "server.pem", self.path / "server.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=x",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                        "-out", certificate], check=True, capture_output=True)
        return certificate, key

    def test_w25_each_way_to_end_has_its_exit_status(self):
        site = self.serve({"/": page("/gone", "/two"), "/two": page(),
                           "/closed": (401, b"", {"WWW-Authenticate": 'Basic realm="x"'})})
        raw = peers.serve(handler=peers.Site)
        server = raw.__enter__()
        self.addCleanup(raw.__exit__, None, None, None)
        for number, (status, arguments) in enumerate([
                (0, [site.url]),
                (2, ["--no-such-option", site.url]),
                (4, ["http://127.0.0.1:1/"]),
                (6, [site.url + "/closed"]),
                (7, ["--robots", "off", server.url + "/garbage"]),
                (8, ["--fail-on", "broken", site.url]),
                (14, ["--limit", "1", site.url]),
                (14, ["--quota", "1", site.url])]):
            run = self.weft("crawl", *POLITE, "-o", f"end{number}", *arguments)
            self.assertEqual(run.returncode, status, (arguments, run.stdout, run.stderr))

    def test_a_certificate_not_to_be_trusted_has_its_exit_status(self):
        certificate, key = self.certificate()
        tls = peers.server_tls(certificate, key)
        site = self.serve({"/": page()}, tls=tls)

        run = self.crawl(site.url)
        self.assertEqual(run.returncode, 5, run.stdout)
        self.assertIn("certificate", run.stdout)
        for option in [["--no-check-certificate"], ["--ca-certificate", "server.pem"]]:
            run = self.weft("crawl", *POLITE, "-o", option[0].strip("-"), *option, site.url)
            self.assertEqual(run.returncode, 0, run.stderr)
        # Where a redirect leads to counts as the seed does.
        plain = self.serve({"/": (301, b"", {"Location": site.url + "/"})})
        run = self.weft("crawl", *POLITE, "--allow-net", "127.0.0.1", "-o", "led", plain.url)
        self.assertEqual(run.returncode, 5, run.stdout)

    def test_a_certificate_of_ones_own_is_shown(self):
        certificate, key = self.certificate()
        site = self.serve({"/": page()}, tls=peers.server_tls(certificate, key, certificate))

        run = self.crawl("--cert", "server.pem", "--key", "server.key", "--ca-certificate",
                         "server.pem", site.url)

        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def start_long_crawl(self):
        home = self.start_demo_site("--pages", "100000")
        crawl = self.start("crawl", "--wait", "0.01", "--output", "kept", home)
        while not list(self.path.glob("kept/archive/*.warc.gz")) and crawl.poll() is None:
            pass
        return crawl

    def test_w22_w26_h99_each_signal_ends_in_order_and_nothing_is_lost(self):
        for first in (signal.SIGINT, signal.SIGTERM):
            crawl = self.start_long_crawl()

            crawl.send_signal(first)
            output, errors = crawl.communicate(timeout=PATIENCE_SECONDS)

            self.assertEqual(crawl.returncode, 11, errors)
            self.assertIn("Finishing what is under way; once more to stop at once", errors)
            self.assertIn("weft resume kept", output)
            self.assertNotIn("Task", errors)
            before = self.pages("kept")
            run = self.weft("resume", "kept", "--limit", str(len(before) + 3))
            self.assertEqual(run.returncode, 14, run.stderr)
            self.assertEqual(len(self.pages("kept")), len(before) + 3)
            subprocess.run(["rm", "-r", self.path / "kept"], check=True)

    def test_h99_a_second_signal_ends_at_once_and_nothing_is_lost(self):
        # The server holds its answer back: without the second signal the crawl would wait for it.
        site = self.serve({"/": page(*(f"/{n}" for n in range(50))),
                           **{f"/{n}": page() for n in range(49)}})
        site.table["/49"] = lambda request: (request.server.ended.wait(30), page())[1]
        crawl = self.start("crawl", *POLITE, "--max-per-host", "4", "-o", "kept", site.url)
        while "/49" not in self.asked(site):
            pass

        crawl.send_signal(signal.SIGTERM)
        self.assertIn("once more", crawl.stderr.readline())
        crawl.send_signal(signal.SIGTERM)

        self.assertEqual(crawl.wait(timeout=5), 13)
        site.table["/49"] = page()
        run = self.weft("resume", "kept")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(self.pages("kept")), 51)

    def test_h99_a_second_signal_while_the_end_is_written_is_no_fault(self):
        # The crawl had given SIGINT back by then, and its end said "error: interrupted", status 1.
        home = self.start_demo_site("--pages", "1000")
        for attempt in range(25):
            crawl = self.start("crawl", "--wait", "0.01", "-o", f"kept{attempt}", home)
            while not list(self.path.glob(f"kept{attempt}/archive/*.warc.gz")):
                self.assertIsNone(crawl.poll())

            crawl.send_signal(signal.SIGINT)
            self.assertIn("once more", crawl.stderr.readline())
            for _ in range(attempt * 4000):  # Another moment each time.
                pass
            crawl.send_signal(signal.SIGINT)
            _, errors = crawl.communicate(timeout=PATIENCE_SECONDS)

            self.assertIn(crawl.returncode, (11, 13, -signal.SIGINT), errors)
            self.assertNotIn("error", errors)

    def test_h99_signals_that_mean_nothing_change_nothing(self):
        crawl = self.start_long_crawl()
        for harmless in (signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
            crawl.send_signal(harmless)
        crawl.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, crawl.pid, os.WSTOPPED)
        crawl.send_signal(signal.SIGCONT)
        pages = self.path / "kept/pages/pages.jsonl"  # Its last line may be half written.
        size = pages.stat().st_size
        while pages.stat().st_size == size and crawl.poll() is None:
            pass
        self.assertIsNone(crawl.poll())

        crawl.send_signal(signal.SIGINT)
        _, errors = crawl.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(crawl.returncode, 11, errors)


class Reports(Crawling):
    def test_w28_the_speed_is_that_of_the_whole_crawl(self):
        site = self.serve({"/": page(*(f"/{n}" for n in range(20))),
                           **{f"/{n}": page() for n in range(20)}})

        run = self.weft("crawl", "-o", "kept", "--no-sitemaps", "--wait", "0.02",
                        "--concurrency", "100", site.url)

        report = json.loads((self.path / "kept/reports/report.json").read_text())
        shown = re.match(r"21 URLs in .*\((\d+) a second\)", run.stdout)
        self.assertAlmostEqual(int(shown[1]), 21 / report["seconds"], delta=1)
        self.assertGreater(report["seconds"], 0.4)


class Archives(Crawling):
    def test_h01_what_came_of_an_answer_that_broke_off_is_marked_as_a_part(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n"
        site = self.serve({"/": page("/cut", "/nothing")})
        site.table["/cut"] = lambda request: request.raw(head + b"<a href=/half>x")
        site.table["/nothing"] = lambda request: request.raw(head[:20])

        run = self.weft("crawl", "-o", "kept", "--wait", "0", "--tries", "2", "--no-sitemaps",
                        site.url)

        self.assertEqual(run.returncode, 0, run.stderr)
        found = self.pages("kept")
        self.assertEqual(found[site.url + "/cut"]["ending"], "failed")
        self.assertEqual(found[site.url + "/cut"]["failure"], "truncated")
        self.assertNotIn(site.url + "/half", found)
        archive, = (self.path / "kept/archive").glob("*.warc.gz")
        self.assertEqual(self.weft("warc", "verify", str(archive)).returncode, 0)
        text = gzip.decompress(archive.read_bytes())
        records = [record for record in text.split(b"WARC/1.1\r\n") if b"/cut\r\n" in record
                   and b"WARC-Type: response" in record]
        self.assertEqual(len(records), 1, "of two tries the last is kept")
        self.assertIn(b"WARC-Truncated: disconnect\r\n", records[0])
        self.assertTrue(records[0].rstrip().endswith(head + b"<a href=/half>x"))
        self.assertNotIn(b"/nothing\r\n", text)


class Bounds(Crawling):
    def test_w20_memory_is_bounded_however_many_urls_are_known(self):
        """600,000 URLs in 64 MiB: a list of them alone would take more."""
        lists, links = 60, 10_000

        def listing(request):
            chance = random.Random(request.path)
            return 200, "".join(
                f"<a href=/{chance.getrandbits(64):x}/{chance.getrandbits(256):x}-page.html>"
                for _ in range(links)).encode()

        site = self.serve({"/": page(*(f"/list-{n}" for n in range(lists))),
                           **{f"/list-{n}": listing for n in range(lists)}})

        crawl = subprocess.Popen(
            [WEFT, "crawl", *POLITE, "--memory", "64MiB", "--no-archive", "--host-limit",
             "10000000", "--limit", str(lists + 1), "-o", "kept", site.url], cwd=self.path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, crawl)
        _, status, usage = os.wait4(crawl.pid, 0)

        crawl.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(crawl.returncode, 14, crawl.stderr.read())
        report = json.loads((self.path / "kept/reports/report.json").read_text())
        self.assertEqual(report["counts"]["waiting"], lists * links, report["by_refusal"])
        self.assertLess(usage.ru_maxrss / 1024, 64 * 1.1)


class Resumes(Crawling):
    def test_retry_failed_asks_again_for_what_failed(self):
        site = self.serve({"/": page("/busy", "/cut", "/fine"), "/fine": page(),
                           "/busy": (503, b"later", {"Retry-After": "0"})})
        site.table["/cut"] = lambda request: request.raw(
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx")
        run = self.crawl(site.url)
        self.assertEqual(run.returncode, 0, run.stderr)
        before = self.pages("kept")
        self.assertEqual(before[site.url + "/cut"]["ending"], "failed")
        self.assertEqual(before[site.url + "/busy"]["status"], 503)
        site.table["/busy"] = page("/found-later")
        site.table["/cut"] = site.table["/found-later"] = page()
        site.seen.clear()

        run = self.weft("resume", "kept")
        self.assertEqual((run.returncode, self.asked(site)), (0, []), run.stderr)
        run = self.weft("resume", "kept", "--retry-failed")
        self.assertEqual(run.returncode, 0, run.stderr)

        self.assertEqual(sorted(self.asked(site)), ["/busy", "/cut", "/found-later"])
        after = self.pages("kept")
        self.assertEqual({row["status"] for row in after.values()}, {200})
        self.assertEqual(len(after), 5)
        self.assertIn("5 URLs in", run.stdout)

    def test_h68_a_trap_is_cut_off_at_the_same_page_however_often_the_crawl_was_ended(self):
        """A resumed crawl had forgotten what it had seen of a trap, and walked on in it."""
        site = self.serve({"/": page("/at/1"),
                           **{f"/at/{n}": page(f"/at/{n + 1}") for n in range(1, 300)}})
        run = self.crawl(site.url)
        self.assertEqual(run.returncode, 0, run.stderr)
        whole = self.pages("kept")
        self.assertLess(len(whole), 200)

        run = self.weft("crawl", *POLITE, "--limit", "20", "-o", "parts", site.url)
        for limit in range(40, 400, 20):
            self.assertEqual(run.returncode, 14, run.stderr)
            run = self.weft("resume", "parts", "--limit", str(limit))
            if run.returncode == 0:
                break

        self.assertEqual(self.pages("parts").keys(), whole.keys())

    def test_where_a_seed_led_stays_its_place(self):
        """A resumed crawl forgot that a redirect had moved its seed, and refused all new links."""
        site = self.serve({})
        port = site.server_port
        site.table.update({"127.0.0.1/": (302, b"", {"Location": f"http://localhost:{port}/a/"}),
                           "localhost/a/": page("/b"), "localhost/b": page("/c"),
                           "localhost/c": page()})
        net = ["--allow-net", "127.0.0.1"]
        run = self.crawl("--limit", "2", *net, site.url)
        self.assertEqual(run.returncode, 14, run.stderr)
        run = self.weft("resume", "kept", "--limit", "100", *net)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(self.pages("kept")), 4)


if __name__ == "__main__":
    unittest.main()
