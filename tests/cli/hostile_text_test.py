"""What sites send drives no terminal, in any command and form: hostile_text_test.py PATH_TO_WEFT.

H102: titles, URLs, links, header fields, reasons of statuses, robots.txt, names of files and
folders hold characters that are not seen and do something. None of them is in what weft prints, nor
in the files for people and programs that it writes beside the archive."""

import json
import os
import pathlib
import pty
import re
import socketserver
import subprocess
import threading
import unittest
import urllib.parse

from program import PATIENCE_SECONDS, Scratch, WEFT

# C0, DEL, C1, bidirectional controls, separators, zero-width characters, tags.
HIDDEN = "\x1b\x07\x08\x00\x7f\x85\x9b\x9d\u061c\u200b\u200e\u200f\u202a\u202e\u2060\u2066" \
         "\u2069\u2028\u2029\ufeff\u00ad\ufff9\U000e0001\U000e0041"
EVIL = "a" + HIDDEN + "]0;owned\x9c\x1b[2J\x1b]8;;http://evil.example\x1b\\b"
FIELD = EVIL.replace("\x00", "")


def is_hidden(character):
    return character in HIDDEN or (ord(character) < 0x20 and character not in "\n\r\t")


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        path = self.rfile.readline().split(b" ")[1].decode("latin-1")
        while self.rfile.readline() not in (b"\r\n", b""):
            pass
        reason, head, body = "Fine" + FIELD, [], ""
        status = 200
        if path == "/robots.txt":
            head = ["Content-Type: text/plain"]
            body = f"User-agent: *\nDisallow: /kept-out{FIELD}\nDisallow: /kept-out\n"
        elif path == "/":
            quoted = urllib.parse.quote(EVIL)
            body = (f"<title>{EVIL}</title><a href='/x{FIELD}'>{EVIL}</a><a href='/gone{quoted}'>"
                    f"{EVIL}</a><a href=/kept-out/1>x</a><a href=/moved>m</a><a href=/reset>r</a>"
                    f"<a href='http://{EVIL}/'>bad</a><a href='/#{quoted}'>part</a>"
                    f"<a href='http://other.example/{quoted}'>o</a><img src='/{EVIL}.png'>"
                    f"<link rel=canonical href='/c{EVIL}'>")
        elif path == "/moved":
            status, head = 302, [f"Location: /to{FIELD}"]
        elif path == "/reset":
            self.wfile.write(b"HTTP/1.1 2x0 " + FIELD.encode() + b"\r\n\r\n")
            return
        elif path.startswith("/gone"):
            status = 404
        data = body.encode("utf-8", "surrogatepass")
        head = head or [f"Content-Type: text/html{FIELD}; charset=utf-8{FIELD}"] if path != "/" \
            else ["Content-Type: text/html; charset=utf-8"]
        head += [f"X-Evil: {FIELD}", f"Server: {FIELD}", f"ETag: \"{FIELD}\"",
                 f"Last-Modified: {FIELD}", f"Link: <{FIELD}>; rel=next",
                 f"Content-Length: {len(data)}", "Connection: close"]
        self.wfile.write(f"HTTP/1.1 {status} {reason}\r\n".encode() +
                         "\r\n".join(head).encode() + b"\r\n\r\n" + data)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


class HostileText(Scratch):
    def setUp(self):
        super().setUp()
        server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(lambda: (server.shutdown(), server.server_close()))
        self.home = "http://127.0.0.1:%d/" % server.server_address[1]

    def assert_inert(self, text, what):
        bad = {f"U+{ord(each):04X}" for each in text if is_hidden(each)}
        self.assertEqual(bad, set(), f"{what}: {text[:2000]!r}")

    def run_inertly(self, *arguments):
        run = subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True,
                             timeout=PATIENCE_SECONDS)
        for name, data in ("stdout", run.stdout), ("stderr", run.stderr):
            self.assert_inert(data.decode("utf-8", "strict"), (arguments, name))
        return run

    def crawl(self, *arguments, folder="kept"):
        return self.run_inertly("crawl", "--wait", "0", "--max-per-host", "4", "--tries", "1",
                                "--output", folder, *arguments, self.home)

    def on_terminal(self, *arguments):
        """What a terminal gets of the command."""
        master, slave = pty.openpty()
        process = subprocess.Popen([WEFT, *arguments], cwd=self.path, stdout=slave, stderr=slave)
        os.close(slave)
        data = b""
        try:
            while chunk := os.read(master, 65536):
                data += chunk
        except OSError:
            pass  # The end of a terminal.
        process.wait(PATIENCE_SECONDS)
        os.close(master)
        return data.decode("utf-8", "strict").replace("\r\n", "\n")


class Commands(HostileText):
    def test_h102_crawls_tell_nothing_that_drives_a_terminal(self):
        self.crawl("-v", "--links", "--text", "--log-format", "heritrix,jsonl")
        self.crawl("--debug", "--progress", "json", folder="second")
        self.run_inertly("resume", "kept", "--retry-failed", "--progress", "plain")
        self.run_inertly("recrawl", "kept", "--output", "again", "-v")
        for file in self.path.rglob("*"):
            if file.is_file() and file.parts[-2] in ("pages", "reports", "logs", "indexes") and \
                    file.suffix != ".idx":
                self.assert_inert(file.read_bytes().decode("utf-8", "strict"), file)
        lines = (self.path / "kept/pages/pages.jsonl").read_text("utf-8").splitlines()
        home = next(page for page in map(json.loads, lines[1:]) if page["url"] == self.home)
        self.assertIn("\u202e", home["title"], "it is spelled, not dropped")

    def test_h102_reports_and_explanations_do_neither(self):
        self.crawl("--links")
        for form in "text", "json", "csv", "html", "markdown", "urls":
            self.run_inertly("report", "--format", form, "kept")
        for form in "dot", "graphml":
            self.run_inertly("report", "--graph", form, "kept")
        lines = (self.path / "kept/pages/pages.jsonl").read_text("utf-8").splitlines()
        urls = [json.loads(line)["url"] for line in lines[1:]]
        for url in [*urls, "/kept-out/2", "http://other.example/", EVIL.replace("\x00", "")]:
            self.run_inertly("explain", "kept", url)
            self.run_inertly("explain", "--json", "kept", url)

    def test_h102_nor_does_a_check(self):
        for form in "text", "json", "junit", "markdown", "github":
            self.run_inertly("check", "--tries", "1", "--fragments", "--format", form, self.home)
        self.run_inertly("check", "--tries", "1", "-v", "--baseline", "known",
                         "--write-baseline", self.home)
        self.assert_inert((self.path / "known").read_text("utf-8"), "baseline")
        (self.path / "known").write_text(FIELD.replace("\n", "") + "\n", "utf-8")
        self.run_inertly("check", "--tries", "1", "--baseline", "known", self.home)

    def test_h102_nor_what_is_said_about_one_fetch(self):
        for options in ["-v"], ["-I"], ["--json"]:
            run = self.run_inertly("fetch", *options, "--output", "page", self.home)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.run_inertly("fetch", "-v", self.home + "reset")
        self.run_inertly("fetch", "-v", self.home + "moved")

    def test_h102_nor_what_is_said_about_an_archive(self):
        self.crawl()
        files = sorted(str(path) for path in (self.path / "kept/archive").iterdir())
        self.run_inertly("warc", "ls", *files)
        self.run_inertly("warc", "verify", *files)
        self.run_inertly("warc", "index", *files)
        self.run_inertly("wacz", "kept")
        self.run_inertly("mirror", "kept", "copy")
        for path in (self.path / "copy").rglob("*"):
            self.assert_inert(path.name, "the name of a file")
        self.run_inertly("repair", "kept")
        damaged = pathlib.Path(files[0])
        damaged.write_bytes(damaged.read_bytes()[:-20])
        self.run_inertly("warc", "verify", *files)
        self.run_inertly("repair", "kept")

    def test_h102_nor_names_that_a_user_was_handed(self):
        name = FIELD.replace("/", "")[:60]
        self.crawl(folder=name)
        for command in (["report"], ["explain"], ["resume"], ["wacz"], ["repair"]):
            self.run_inertly(*command, name, *([self.home] if command == ["explain"] else []))
        self.run_inertly("report", name + "none")
        self.run_inertly("crawl", "-i", name)
        self.run_inertly("crawl", "--config", name, self.home)
        self.run_inertly("--dry-run", "crawl", "--user-agent", FIELD, "--exclude", FIELD, FIELD)
        self.run_inertly("crawl", "--" + FIELD)
        self.run_inertly(FIELD)
        self.run_inertly("warc", "ls", name)
        settings = self.path / name / "state/crawl.toml"
        settings.write_text(settings.read_text() + f'"{FIELD[:3].replace(chr(27), "")}" = 1\n')
        self.run_inertly("resume", name)


class Terminals(HostileText):
    def test_h102_a_terminal_gets_content_only_with_its_controls_visible(self):
        self.crawl("--quiet")
        file, = (self.path / "kept/archive").iterdir()
        for command in (["fetch", self.home], ["fetch", "-v", self.home],
                        ["warc", "cat", str(file)], ["warc", "cat-url", self.home, str(file)]):
            seen = self.on_terminal(*command)
            self.assertIn("owned", seen, command)
            self.assert_inert(seen, command)

    def test_h102_a_pipe_gets_it_as_it_is(self):
        self.crawl("--quiet")
        file, = (self.path / "kept/archive").iterdir()
        for command in (["fetch", self.home], ["warc", "cat-url", self.home, str(file)]):
            run = subprocess.run([WEFT, *command], cwd=self.path, capture_output=True,
                                 timeout=PATIENCE_SECONDS)
            self.assertIn(EVIL.encode(), run.stdout, command)

    def test_h102_progress_on_a_terminal_shows_no_text_of_a_site(self):
        seen = self.on_terminal("crawl", "--wait", "0", "-v", "--color", "never", "--output", "x",
                                self.home)
        self.assert_inert(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", seen), "progress")


if __name__ == "__main__":
    unittest.main()
