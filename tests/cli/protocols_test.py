"""`weft fetch` with each of its options, over HTTP/1.1 and HTTP/2: protocols_test.py PATH_TO_WEFT.

-v and -I once ended with an error of the program's own on every answer of HTTP/2.
"""

import contextlib
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import h2_peer  # noqa: E402
import peers  # noqa: E402
from program import PATIENCE_SECONDS, Scratch  # noqa: E402

FIELDS = [("content-type", "text/plain"), ("etag", '"1"'), ("set-cookie", "a=1; Path=/")]


class Answer:
    """What a server says, for both protocols."""

    def __init__(self, status, body=b"", interim=(), trailers=(), fields=()):
        self.status, self.body = status, body
        self.interim, self.trailers = interim, list(trailers)
        self.fields = FIELDS + list(fields)

    def h2(self, stream, is_head):
        out = b"".join(h2_peer.head(stream, [(":status", str(status)), ("link", "</s>")])
                       for status in self.interim)
        body = b"" if is_head else self.body
        fields = [(":status", str(self.status)), *self.fields]
        out += h2_peer.head(stream, fields, ends=not body and not self.trailers)
        if body:
            out += h2_peer.data(stream, body, ends=not self.trailers)
        if self.trailers:
            out += h2_peer.head(stream, self.trailers, ends=True)
        return out

    def h1(self, is_head):
        out = b"".join(b"HTTP/1.1 %d Wait\r\nlink: </s>\r\n\r\n" % status
                       for status in self.interim)
        lines = [f"HTTP/1.1 {self.status} Said", *(": ".join(pair) for pair in self.fields)]
        has_body = self.status not in (204, 304)
        if has_body:
            lines.append("transfer-encoding: chunked" if self.trailers
                         else f"content-length: {len(self.body)}")
        out += "".join(line + "\r\n" for line in [*lines, "connection: close", ""]).encode()
        if is_head or not has_body:
            return out
        if not self.trailers:
            return out + self.body
        out += b"%x\r\n%b\r\n0\r\n" % (len(self.body), self.body)
        return out + "".join(f"{name}: {value}\r\n" for name, value in self.trailers).encode() \
            + b"\r\n"


ANSWERS = {
    "page": Answer(200, b"a page\n"),
    "empty": Answer(200),
    "no content": Answer(204),
    "not modified": Answer(304),
    "moved": Answer(302, b"moved\n", fields=[("location", "/elsewhere")]),
    "hinted": Answer(200, b"a page\n", interim=(103, 100, 103)),
    "trailed": Answer(200, b"a page\n", trailers=[("x-sum", "7")]),
    "missing": Answer(404, b"nothing\n"),
    "broken": Answer(500, b"no\n"),
    "odd": Answer(599, b"odd\n"),
}

OPTIONS = [
    [], ["-v"], ["-I"], ["-I", "-v"], ["--json"], ["-I", "--json"], ["-v", "--json"],
    ["-q"], ["-o", "file"], ["-O"], ["--raw"], ["--raw", "-v"], ["--max-filesize", "3"],
    ["-X", "DELETE"], ["-d", "body"], ["-d", "body", "-v"], ["-H", "X-Own: 1", "-v"],
    ["--limit-rate", "1M"], ["-m", "30"], ["--tls-sessions", "kept"], ["-U", "me/1"],
    ["--save-cookies", "jar"], ["-u", "me:pw", "-v"], ["-4"], ["--connect-timeout", "5"],
]


def serve_http1(tls, answer):
    """Reads one request on each connection and says `answer`."""
    def converse(connection):
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += connection.recv(65536)
        if b"Content-Length: 4\r\n" in heard and not heard.endswith(b"body"):
            connection.recv(4)
        connection.sendall(answer)
        connection.unwrap()

    return h2_peer.serve_tls(tls, "http/1.1", converse)


class Protocols(Scratch):
    def setUp(self):
        super().setUp()
        self.certificate, self.key = self.path / "server.pem", self.path / "server.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=server",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.key, "-out",
                        self.certificate], check=True, capture_output=True)

    def tls(self):
        return peers.server_tls(self.certificate, self.key)

    def fetch(self, url, options):
        return self.weft("fetch", "--ca-certificate", self.certificate, "--max-redirect", "0",
                         *options, url)

    def both(self, answer, is_head):
        """The URLs of two servers that say the same, by protocol."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return {
            "1.1": stack.enter_context(serve_http1(self.tls(), answer.h1(is_head))) + "/name",
            "2": stack.enter_context(
                h2_peer.serve(self.tls(), lambda stream: answer.h2(stream, is_head))) + "/name",
        }

    def expect(self, run, answer, protocol, options):
        is_cut = "--max-filesize" in options and len(answer.body) > 3
        wanted = 14 if is_cut else 8 if answer.status >= 400 else 0
        self.assertEqual(run.returncode, wanted, run.stderr)
        self.assertNotIn("weft: error", run.stderr)
        line = f"HTTP/{protocol} {answer.status}" + (" Said" if protocol == "1.1" else "")
        if "-v" in options:
            self.assertIn(f"\n< {line}\n", run.stderr)
            self.assertIn("< content-type: text/plain\n", run.stderr)
            self.assertIn("h2 from" if protocol == "2" else "http/1.1 from", run.stderr)
        if "--json" in options:
            facts = json.loads(run.stdout)
            self.assertEqual(facts["status"], answer.status)
            self.assertEqual(facts["protocol"], "h2" if protocol == "2" else "http/1.1")
        elif "-I" in options:
            self.assertTrue(run.stdout.startswith(line + "\n"), run.stdout)
            self.assertIn("content-type: text/plain\n", run.stdout)
        elif "-o" in options or "-O" in options:
            name = "file" if "-o" in options else "name"
            self.assertEqual((self.path / name).read_bytes(), answer.body)
        elif not is_cut and answer.status not in (204, 304):
            self.assertEqual(run.stdout.encode(), answer.body)

    def test_every_answer_is_shown_with_every_option_h136(self):
        for name, answer in ANSWERS.items():
            for is_head in (False, True):
                urls = self.both(answer, is_head)
                for options in OPTIONS:
                    if ("-I" in options) != is_head:
                        continue
                    # All options with a plain page; those that show heads with all answers.
                    if name != "page" and options not in (["-v"], ["-I"], ["--json"]):
                        continue
                    for protocol, url in urls.items():
                        with self.subTest(answer=name, options=options, protocol=protocol):
                            self.expect(self.fetch(url, options), answer, protocol, options)

    def test_a_range_is_shown_h136(self):
        answer = Answer(206, b"pag", fields=[("content-range", "bytes 2-4/7")])
        for protocol, url in self.both(answer, False).items():
            run = self.fetch(url, ["-r", "2-4", "-v"])
            self.assertEqual((run.returncode, run.stdout), (0, "pag"), run.stderr)
            self.assertIn(f"< HTTP/{protocol} 206", run.stderr)

    def test_redirects_are_followed_and_shown_h136(self):
        def first_then_page(stream):
            return (ANSWERS["moved"] if stream == 1 else ANSWERS["page"]).h2(stream, False)

        with h2_peer.serve(self.tls(), first_then_page) as url:
            run = self.weft("fetch", "-v", "--ca-certificate", self.certificate, url)
        self.assertEqual((run.returncode, run.stdout), (0, "a page\n"), run.stderr)
        self.assertIn("< HTTP/2 302\n", run.stderr)
        self.assertIn("< HTTP/2 200\n", run.stderr)


NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CONFIGURATION = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; default_type text/plain; if_modified_since before;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t;
  scgi_temp_path t;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate server.pem; ssl_certificate_key server.key;
    root pages;
    location = /none {{ return 204; }}
    location = /trailed {{ add_trailer x-sum 7 always; try_files /page =404; }}
    location = /moved {{ return 302 /page; }}
  }}
}}
"""


@unittest.skipUnless(NGINX, "nginx is not installed")
class RealServer(Protocols):
    def setUp(self):
        super().setUp()
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        (self.path / "pages").mkdir()
        (self.path / "pages/page").write_text("a page\n")
        (self.path / "nginx.conf").write_text(CONFIGURATION.format(port=port))
        process = subprocess.Popen([NGINX, "-p", self.path, "-c", "nginx.conf"],
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.url = f"https://127.0.0.1:{port}"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            self.assertIsNone(process.poll(), "nginx ended")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_every_answer_is_shown_with_every_option_h136(self):
        since = ["-H", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"]
        for path, status, more in [("page", 200, []), ("none", 204, []), ("page", 304, since),
                                   ("trailed", 200, []), ("moved", 302, []), ("gone", 404, [])]:
            for options in (["-v"], ["-I"]):
                for protocol, version in [("2", []), ("1.1", ["--http1"])]:
                    with self.subTest(path=path, options=options, protocol=protocol):
                        run = self.fetch(f"{self.url}/{path}", [*options, *more, *version])
                        self.assertEqual(run.returncode, 8 if status >= 400 else 0, run.stderr)
                        shown = run.stdout if "-I" in options else run.stderr
                        self.assertIn(f"HTTP/{protocol} {status}", shown)

    test_a_range_is_shown_h136 = test_redirects_are_followed_and_shown_h136 = None


if __name__ == "__main__":
    assert ssl.HAS_ALPN
    unittest.main()
