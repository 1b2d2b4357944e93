"""Small servers for tests of the program, each in a thread of its own, on loopback."""

import base64
import contextlib
import hashlib
import http.client
import http.server
import json
import select
import socket
import socketserver
import ssl
import threading

DIGEST_NONCE = "a nonce of the test"


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


class Site(http.server.BaseHTTPRequestHandler):
    """Answers by path; every request is kept in server.seen."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status=200, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def raw(self, text):
        self.wfile.write(text)
        self.close_connection = True

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        path = self.path.split("?")[0]
        handler = getattr(self, "at_" + path.strip("/").replace("/", "_"), None)
        if handler:
            handler()
        else:
            self.reply(404, b"nothing here\n")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    def at_page(self):
        self.reply(200, b"a page\n", [("Content-Type", "text/plain"), ("X-Odd", "\x1b[31mred")])

    def at_echo(self):
        method, path, headers, body = self.server.seen[-1]
        self.reply(200, json.dumps({"method": method, "path": path, "headers": headers,
                                    "body": body.decode()}).encode())

    def at_to(self):
        self.reply(302, b"moved", [("Location", self.path.split("?", 1)[1])])

    def at_loop(self):
        self.reply(302, b"", [("Location", "/loop")])

    def at_short(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2048\r\n\r\n" + b"x" * 512)

    def at_garbage(self):
        self.raw(b"220 mail.example ESMTP\r\n")

    def at_silent(self):
        self.server.ended.wait(30)

    def at_cookie(self):
        self.reply(200, b"", [("Set-Cookie", "first=1; Path=/"),
                              ("Set-Cookie", "second=2; Path=/; Max-Age=3600; HttpOnly")])

    def at_range(self):
        whole = bytes(range(256))
        asked = self.headers.get("Range")
        if not asked:
            return self.reply(200, whole)
        first, last = asked.removeprefix("bytes=").split("-")
        first, last = (int(first), int(last or 255)) if first else (256 - int(last), 255)
        if self.path.endswith("?lie"):
            first += 1
        self.reply(206, whole[first:last + 1],
                   [("Content-Range", f"bytes {first}-{last}/{len(whole)}")])

    def at_basic(self):
        if self.headers.get("Authorization") == "Basic " + base64.b64encode(b"me:pw").decode():
            return self.reply(200, b"welcome\n")
        self.reply(401, b"who?", [("WWW-Authenticate", 'Basic realm="test"')])

    def at_digest(self):
        given = self.headers.get("Authorization", "")
        if given.startswith("Digest "):
            fields = dict(part.strip().split("=", 1) for part in given[7:].split(","))
            fields = {name: value.strip('"') for name, value in fields.items()}
            secret = md5("me:test:pw")
            what = md5(f"{self.command}:{self.path}")
            proof = md5(f"{secret}:{DIGEST_NONCE}:{fields['nc']}:{fields['cnonce']}:auth:{what}")
            if fields["response"] == proof:
                return self.reply(200, b"welcome\n")
        self.reply(401, b"who?", [("WWW-Authenticate",
                                   f'Digest realm="test", nonce="{DIGEST_NONCE}", qop="auth"')])


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


class Server6(Server):
    address_family = socket.AF_INET6


@contextlib.contextmanager
def serve(handler=Site, tls=None, host="127.0.0.1"):
    """Yields the server; server.url is its root."""
    server = (Server6 if ":" in host else Server)((host, 0), handler)
    server.seen = []
    server.ended = threading.Event()
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.url = f"{'https' if tls else 'http'}://{host}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def splice(one, other):
    while True:
        for source in select.select([one, other], [], [], 30)[0]:
            data = source.recv(65536)
            if not data:
                return
            (other if source is one else one).sendall(data)


class Proxy(http.server.BaseHTTPRequestHandler):
    """An HTTP proxy that leads every request to server.target, whatever it names."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        self.server.seen.append(("CONNECT", self.path, dict(self.headers), b""))
        wanted = self.server.wanted
        if wanted and self.headers.get("Proxy-Authorization") != wanted:
            self.send_response(407)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with socket.create_connection(self.server.target) as onward:
            self.send_response(200)
            self.end_headers()
            splice(self.connection, onward)
        self.close_connection = True

    def do_GET(self):
        self.server.seen.append(("GET", self.path, dict(self.headers), b""))
        body = b"by proxy\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Socks(socketserver.BaseRequestHandler):
    """SOCKS 5; server.wanted may be (user, password); server.seen keeps what was asked for."""

    def read(self, count):
        data = b""
        while len(data) < count:
            data += self.request.recv(count - len(data))
        return data

    def handle(self):
        version, count = self.read(2)
        methods = self.read(count)
        wanted = self.server.wanted
        if not wanted:
            self.request.sendall(b"\x05\x00")
        elif 2 not in methods:
            return self.request.sendall(b"\x05\xff")
        else:
            self.request.sendall(b"\x05\x02")
            _, size = self.read(2)
            user = self.read(size)
            password = self.read(self.read(1)[0])
            good = (user.decode(), password.decode()) == wanted
            self.request.sendall(b"\x01" + (b"\x00" if good else b"\x01"))
            if not good:
                return
        _, _, _, kind = self.read(4)
        host = (socket.inet_ntoa(self.read(4)) if kind == 1
                else self.read(self.read(1)[0]).decode())
        port = int.from_bytes(self.read(2), "big")
        self.server.seen.append((host, port))
        with socket.create_connection(self.server.target) as onward:
            self.request.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            splice(self.request, onward)


@contextlib.contextmanager
def serve_proxy(handler, target, wanted=None):
    """Yields the proxy; it leads to the server `target`."""
    server = Server(("127.0.0.1", 0), handler)
    server.seen = []
    server.wanted = wanted
    server.target = target.server_address
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def server_tls(certificate, key, client_ca=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if client_ca:
        context.load_verify_locations(client_ca)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


class Forward(Proxy):
    """An HTTP proxy that hands every request on to server.target, whatever host it names."""

    def hand_on(self):
        self.server.seen.append((self.command, self.path, dict(self.headers), b""))
        onward = http.client.HTTPConnection(*self.server.target, timeout=30)
        path = "/" + self.path.split("/", 3)[3]
        onward.request(self.command, path, headers={"Host": self.headers["Host"]})
        answer = onward.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name in ("Content-Type", "Location"):
            if answer.headers[name]:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        onward.close()

    do_GET = do_HEAD = hand_on


class NameServer:
    """Answers questions for IPv4 addresses by a table of name to addresses, or to a function that
    gives them; other names do not exist. server.seen has the names that were asked for."""

    def __init__(self, names):
        self.names = names
        self.seen = []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.05)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.answer_all)
        self.thread.start()
        self.place = f"127.0.0.1:{self.socket.getsockname()[1]}"

    def end(self):
        self.ended.set()
        self.thread.join()
        self.socket.close()

    def answer_all(self):
        while not self.ended.is_set():
            try:
                question, peer = self.socket.recvfrom(4096)
            except TimeoutError:
                continue
            self.socket.sendto(self.answer(question), peer)

    def answer(self, question):
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]].decode())
            at += 1 + question[at]
        name, kind = ".".join(labels).lower(), int.from_bytes(question[at + 1:at + 3], "big")
        self.seen.append(name)
        found = self.names.get(name)
        if callable(found):
            found = found() if kind == 1 else ()
        addresses = [socket.inet_aton(each) for each in found or ()] if kind == 1 else []
        flags = b"\x81\x80" if found is not None else b"\x81\x83"
        records = b"".join(b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x00\x00\x04" + each
                           for each in addresses)
        return (question[:2] + flags + b"\x00\x01" + len(addresses).to_bytes(2, "big")
                + b"\x00\x00\x00\x00" + question[12:at + 5] + records)
