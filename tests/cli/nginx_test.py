"""A crawl of several hosts that a real nginx serves: nginx_test.py PATH_TO_WEFT. Only loopback.

Names lead to it by --resolve; TLS is by an authority of the test's own; HTTP/2, redirects between
hosts, robots.txt and gzip are nginx's. The truth is what the files say.
"""

import collections
import gzip
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import PATIENCE_SECONDS, Scratch  # noqa: E402

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
HOSTS = ["a.test", "b.test", "sub.b.test"]
PAGE_COUNT = 40

CONFIGURATION = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events { worker_connections 512; }
http {
    client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp;
    scgi_temp_path tmp;
    types { text/html html; text/css css; text/plain txt; image/png png; application/xml xml; }
    log_format asked '$scheme $host $server_protocol $status $request_uri';
    access_log access.log asked;
    gzip on; gzip_min_length 20; gzip_types text/css application/xml;
    ssl_certificate server.pem; ssl_certificate_key server.key;
    server { listen 127.0.0.1:%(plain)d default_server; server_name a.test b.test;
             return 301 https://$host:%(tls)d$request_uri; }
    server { listen 127.0.0.1:%(tls)d ssl http2 default_server;
             server_name a.test b.test sub.b.test; root www/$host;
             location = /to-b { return 302 https://b.test:%(tls)d/from-a.html; }
             location = /to-out { return 302 https://outside.test:%(tls)d/; }
             location = /round { return 307 https://a.test:%(tls)d/round2; }
             location = /round2 { return 307 https://a.test:%(tls)d/round; } }
    server { listen 127.0.0.1:%(old)d ssl; server_name b.test; root www/old; }
}
"""


class Nginx(Scratch):
    def setUp(self):
        super().setUp()
        self.plain, self.tls, self.old = (self.reserve_port() for _ in range(3))
        self.make_certificates()
        self.truth = {}
        for host in HOSTS:
            self.write_host(host)
        (self.path / "tmp").mkdir()
        (self.path / "nginx.conf").write_text(
            CONFIGURATION % {"plain": self.plain, "tls": self.tls, "old": self.old})
        self.nginx = subprocess.Popen([NGINX, "-p", self.path, "-e", "error.log", "-c",
                                       self.path / "nginx.conf"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end_nginx)
        for _ in range(1000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.old)) == 0:
                    return
            self.assertIsNone(self.nginx.poll(), self.nginx.stderr and "nginx does not start")
            time.sleep(0.005)

    def reserve_port(self):
        """Nobody else is given it until the test is over."""
        holder = socket.socket()
        self.addCleanup(holder.close)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]

    def end_nginx(self):
        self.nginx.send_signal(signal.SIGTERM)
        self.nginx.communicate(timeout=PATIENCE_SECONDS)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.path, check=True, capture_output=True)

    def make_certificates(self):
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        self.openssl("req", "-x509", *curve, "-days", "2", "-subj", "/CN=An authority", "-keyout",
                     "ca.key", "-out", "ca.pem")
        self.openssl("req", *curve, "-subj", "/CN=server", "-keyout", "server.key", "-out",
                     "server.csr")
        names = ",".join(f"DNS:{host}" for host in [*HOSTS, "outside.test"])
        (self.path / "extensions").write_text(f"subjectAltName={names}\n")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                     "-CAcreateserial", "-days", "2", "-extfile", "extensions", "-out",
                     "server.pem")

    def url(self, host, path):
        return f"https://{host}:{self.tls}{path}"

    def write(self, host, path, text, status=200):
        file = self.path / "www" / host / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if status:
            self.truth[self.url(host, path)] = (status, len(text))

    def write_host(self, host):
        """Pages in a ring with chords, each linked only from the one before it or by a jump."""
        for n in range(PAGE_COUNT):
            links = [f"/p/{(n + 1) % PAGE_COUNT}.html", f"{(n * 7) % PAGE_COUNT}.html#part",
                     f"https://{HOSTS[(n + 1) % 3]}:{self.tls}/p/{n}.html", "/"]
            self.write(host, f"/p/{n}.html", f"<title>{host} {n}</title>" + "filler " * n + "".join(
                f'<a href="{link}">x</a>' for link in links))
        extra = ["/to-b", "/to-out", "/round", "/secret/x.html", "/lost.html", "/p/../p/./1.html",
                 "/P/1.html", f"https://b.test:{self.old}/"] if host == "a.test" else []
        self.write(host, "/index.html", "", status=None)
        self.write(host, "/from-a.html", f"only by a redirect to {host}",
                   status=200 if host == "b.test" else None)
        home = '<link rel=stylesheet href="/s.css"><a href="/p/0.html">begin</a>' + "".join(
            f'<a href="{link}">x</a>' for link in extra)
        (self.path / "www" / host / "index.html").write_text(home)
        self.truth[self.url(host, "/")] = (200, len(home))
        self.write(host, "/s.css", "body { background: url(bg.png) }" + " " * 500)
        self.write(host, "/bg.png", "no picture, but a file")
        self.write(host, "/secret/x.html", "nobody may see it", status=None)
        self.write(host, "/listed.html", "only the sitemap knows it")
        self.write(host, "/robots.txt", "User-agent: *\nDisallow: /secret/\n"
                   f"Sitemap: {self.url(host, '/map.xml')}\n", status=None)
        self.write(host, "/map.xml", "<urlset><url><loc>" + self.url(host, "/listed.html") +
                   "</loc></url></urlset>" + " " * 100)

    def crawl(self, *arguments):
        resolve = [text for host in [*HOSTS, "outside.test"]
                   for port in (self.plain, self.tls, self.old)
                   for text in ("--resolve", f"{host}:{port}:127.0.0.1")]
        return self.weft("crawl", "--wait", "0", "--max-per-host", "4", "-o", "kept",
                         "--allow-net", "127.0.0.1", *resolve, *arguments)

    def asked(self):
        lines = (self.path / "access.log").read_text().splitlines()
        return [tuple(line.split(" ", 4)) for line in lines]

    def test_the_pages_are_the_truth_each_asked_for_once(self):
        seeds = [f"http://a.test:{self.plain}/", f"http://b.test:{self.plain}/"]

        run = self.crawl("--ca-certificate", "ca.pem", "--scope", "domain", "-U",
                         "x/1 (+http://x.test/)", *seeds)

        self.assertEqual(run.returncode, 0, run.stderr)
        truth = dict(self.truth)
        found = self.pages("kept")
        fetched = {url: (row["status"], row["size"]) for url, row in found.items()
                   if row["ending"] == "fetched" and row["status"] == 200}
        self.assertEqual({url: row for url, row in fetched.items() if truth.get(url) != row}, {})
        self.assertEqual(sorted(truth.keys() - fetched.keys()), [])
        others = {url: (row["ending"], row.get("status")) for url, row in found.items()
                  if url not in truth}
        self.assertEqual(others, {
            **{seed: ("redirect", 301) for seed in seeds},
            self.url("a.test", "/to-b"): ("redirect", 302),
            self.url("a.test", "/to-out"): ("redirect", 302),
            self.url("a.test", "/round"): ("redirect", 307),
            self.url("a.test", "/round2"): ("redirect", 307),
            self.url("a.test", "/secret/x.html"): ("denied", None),
            self.url("a.test", "/lost.html"): ("fetched", 404),
            self.url("a.test", "/P/1.html"): ("fetched", 404),
        })
        asked = self.asked()
        # The rules of http://a.test lie, by a redirect, where those of https://a.test do.
        times = collections.Counter((scheme, host, path) for scheme, host, _, _, path in asked
                                    if path != "/robots.txt")
        self.assertEqual([what for what, count in times.items() if count > 1], [])
        self.assertNotIn("outside.test", {host for _, host, _, _, _ in asked})
        self.assertFalse([path for *_, path in asked if path.startswith("/secret/")])
        self.assertEqual({version for scheme, _, version, *_ in asked if scheme == "https"},
                         {"HTTP/2.0"})
        self.check_archive(found)

    def check_archive(self, found):
        archive, = (self.path / "kept/archive").glob("*.warc.gz")
        self.assertEqual(self.weft("warc", "verify", str(archive)).returncode, 0)
        text = gzip.decompress(archive.read_bytes())
        self.assertIn(b"WARC-Protocol: h2\r\n", text)
        self.assertRegex(text, rb"WARC-Cipher-Suite: TLS_\w+\r\n")
        self.assertRegex(text, rb"(?i)Content-Encoding: gzip\r\n")
        records = re.findall(rb"WARC-Target-URI: (\S+)\r\n", text)
        kept = {url for url, row in found.items() if row["ending"] in ("fetched", "redirect")}
        kept |= {f"{origin}/robots.txt" for url in kept for origin in [url[:url.index("/", 8)]]}
        self.assertEqual({record.decode() for record in records}, kept)

    def test_another_port_of_a_host_needs_to_be_named(self):
        self.write("old", "/index.html", "old", status=None)
        old = f"https://b.test:{self.old}/"

        run = self.crawl("--ca-certificate", "ca.pem", "--scope", "domain", "--ports",
                         str(self.old), "--http1.1",
                         "-U", "x/1 (+http://x.test/)", f"http://a.test:{self.plain}/",
                         f"http://b.test:{self.plain}/")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.pages("kept")[old]["status"], 200)
        self.assertEqual({version for _, _, version, *_ in self.asked()}, {"HTTP/1.1"})

    def test_without_its_authority_nothing_is_fetched(self):
        run = self.crawl(self.url("a.test", "/"))

        self.assertEqual(run.returncode, 5, run.stdout)
        self.assertEqual(self.pages("kept")[self.url("a.test", "/")]["failure"], "tls_certificate")


if __name__ == "__main__":
    if not NGINX:
        print("SKIPPED: no nginx; ./test --all installs it")
        sys.exit(0)
    unittest.main()
