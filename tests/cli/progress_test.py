"""What a crawl shows on terminals, pipes and files: progress_test.py PATH_TO_WEFT."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE_SECONDS = 60
HEIGHT = 24


class Terminal:
    """As much of a terminal as the block needs; it fails on what it does not know."""

    SEQUENCE = re.compile(r"\x1b\[(\d*)([AKJm])")

    def __init__(self, width):
        self.width = width
        self.rows = [""]
        self.row = self.column = 0
        self.wrapped = False

    def resize(self, width):
        """As tmux and most others do: lines that are too long are wrapped."""
        rows = []
        for number, row in enumerate(self.rows):
            if number == self.row:
                self.row = len(rows) + min(self.column, max(len(row) - 1, 0)) // width
                self.column %= width
            rows += [row[i:i + width] for i in range(0, max(len(row), 1), width)]
        self.rows, self.width = rows, width

    def feed(self, text):
        while text:
            found = self.SEQUENCE.match(text)
            if found:
                text = text[found.end():]
                self.obey(found[2], int(found[1] or 1))
                continue
            self.put(text[0])
            text = text[1:]

    def obey(self, command, count):
        if command == "A":
            self.row = max(self.row - count, 0)
        elif command == "K":
            self.rows[self.row] = self.rows[self.row][:self.column]
        elif command == "J":
            self.rows[self.row] = self.rows[self.row][:self.column]
            del self.rows[self.row + 1:]

    def put(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.row += 1
            if self.row == len(self.rows):
                self.rows.append("")
        else:
            assert c.isprintable() and ord(c) < 0x7F, repr(c)
            if self.column == self.width:
                self.wrapped = True
                self.column = 0
                self.put("\n")
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column += 1

    def text(self):
        return "\n".join(row.rstrip() for row in self.rows).rstrip("\n")


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        site = subprocess.Popen([WEFT, "demo-site", "--port", "0", "--pages", "20", "--delay",
                                 "0.04", "--slow-delay", "0.1"], text=True, stdout=subprocess.PIPE)
        self.addCleanup(lambda: (site.kill(), site.communicate()))
        self.home = re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]

    def command(self, *arguments):
        if "--wait" not in arguments:
            arguments = ("--wait", "0.01", "--max-per-host", "8", *arguments)
        return [WEFT, "crawl", "--output", self.path / "kept", *arguments,
                self.home]

    def on_terminal(self, width, *arguments, resize_to=None, term="xterm", status=0,
                    **environment):
        """Runs a crawl on a terminal. Gives the screens seen and the last one."""
        master, slave = pty.openpty()
        self.set_width(slave, width)
        process = subprocess.Popen(
            self.command(*arguments), stderr=slave, stdout=subprocess.PIPE, text=True,
            env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": term,
                 **environment})
        os.close(slave) if resize_to is None else None
        terminal = Terminal(width)
        terminal.feed("$ weft crawl\r\n")
        screens, raw, end = [], "", time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.05)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                text = os.read(master, 1 << 16).decode("ascii")
            except OSError:
                break
            raw += text
            terminal.feed(text)
            screens.append(terminal.text())
            if resize_to is not None and len(screens) == 3:
                terminal.resize(resize_to)
                self.set_width(slave, resize_to)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
        os.close(master)
        self.assertEqual(process.returncode, status)
        self.assertIn("URLs in", output)
        self.screens, self.raw, self.terminal = screens, raw, terminal
        return screens

    @staticmethod
    def set_width(descriptor, width):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, width, 0, 0))

    URL_LINE = re.compile(r" {2,6}(\d{3}|denied|skipped|failed) +[\d.]+ [KM]?i?B +[\d.]+ \w+  (\S+)"
                          r"( -> \S+)?( \(\w+\))?")

    def url_lines(self, lines):
        """The URLs of lines that must all be whole."""
        found = [self.URL_LINE.fullmatch(line) for line in lines]
        self.assertNotIn(None, found, lines)
        return sorted(line[2] for line in found)

    def kept_urls(self):
        lines = (self.path / "kept/pages/pages.jsonl").read_text().splitlines()[1:]
        return sorted(json.loads(line)["url"] for line in lines)

    def assert_one_block(self, screens):
        self.assertGreater(len(screens), 2)
        shown = [screen for screen in screens if " done" in screen]
        self.assertTrue(shown)
        for screen in shown:
            self.assertEqual(screen.count(" done"), 1, screen)
            self.assertTrue(screen.startswith("$ weft crawl"), screen)
            self.assertLess(len(screen.splitlines()), HEIGHT)


class OnATerminal(Progress):
    def test_one_block_at_any_width_and_nothing_is_left_of_it(self):
        for width in 20, 40, 80, 200:
            with self.subTest(width=width):
                self.assert_one_block(self.on_terminal(width))
                self.assertFalse(self.terminal.wrapped)
                self.assertEqual(self.terminal.text(), "$ weft crawl")
                subprocess.run(["rm", "-r", self.path / "kept"], check=True)

    def test_it_shows_what_people_ask_for(self):
        self.on_terminal(100)
        screen = next(s for s in reversed(self.screens) if " done" in s)
        for part in r"\d+ done", r"[\d.]+/s", r"[\d.]+ [KM]?i?B", r"\d+ waiting", r"\d+ hosts":
            self.assertRegex(screen, part)
        self.assertTrue(any("growing" in s or "ends in" in s for s in self.screens))
        self.assertTrue(any(re.search(r"errors: \d+x 404", s) for s in self.screens), screen)

    def test_a_waiting_host_says_why(self):
        self.on_terminal(100, "--wait", "0.6", "--limit", "4", status=14)
        self.assertTrue(any("waits" in s and "polite pause" in s for s in self.screens),
                        self.screens[-3:])

    def test_nothing_flickers(self):
        self.on_terminal(80)
        for update in self.raw.split("\r"):
            self.assertNotRegex(update, r"^\x1b\[2?K|\x1b\[2J", "wiped before it was drawn")

    def test_a_resize_leaves_one_block(self):
        screens = self.on_terminal(100, resize_to=30)
        self.assert_one_block(screens[4:])
        self.assertEqual(self.terminal.text(), "$ weft crawl")

    def test_no_color_is_obeyed(self):
        self.on_terminal(80, NO_COLOR="1")
        self.assertNotIn("m", re.findall(r"\x1b\[[\d;]*([a-zA-Z])", self.raw))

    def test_color_is_written_when_it_is_wanted(self):
        for arguments, environment, is_colored in [
                ([], {}, True), (["--color", "never"], {}, False),
                (["--color", "always"], {"NO_COLOR": "1"}, True),
                ([], {"WEFT_COLOR": "never"}, False)]:
            with self.subTest(arguments=arguments, environment=environment):
                self.on_terminal(80, *arguments, **environment)
                self.assertEqual("\x1b[31m" in self.raw, is_colored)
                subprocess.run(["rm", "-r", self.path / "kept"], check=True)

    def test_with_a_line_for_each_url_there_is_no_block(self):
        self.on_terminal(300, "-v")
        self.assertEqual(self.url_lines(self.terminal.text().splitlines()[1:]), self.kept_urls())
        self.assertNotIn("\x1b[J", self.raw)

    def test_a_chosen_block_stands_below_lines_that_are_whole(self):
        self.on_terminal(300, "-v", "--progress", "bar")
        self.assertEqual(self.url_lines(self.terminal.text().splitlines()[1:]), self.kept_urls())
        self.assertTrue(any(" done" in screen for screen in self.screens))

    def test_a_dumb_terminal_gets_plain_lines(self):
        self.on_terminal(80, term="dumb")
        self.assertNotIn("\x1b", self.raw)

    def test_quiet_is_quiet(self):
        master, slave = pty.openpty()
        process = subprocess.run(self.command("--quiet"), stdout=slave, stderr=slave,
                                 timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 0)
        self.assertFalse(select.select([master], [], [], 0)[0])
        os.close(slave)
        os.close(master)


class Elsewhere(Progress):
    def test_into_a_pipe_and_a_file_go_plain_lines(self):
        pipe = subprocess.run(self.command(), capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)
        self.assertNotIn("\x1b", pipe.stderr + pipe.stdout)
        with open(self.path / "log", "w") as log:
            subprocess.run([WEFT, "crawl", "--output", self.path / "other", "--limit", "3",
                            self.home], stdout=log, stderr=log, timeout=PATIENCE_SECONDS)
        text = (self.path / "log").read_text()
        self.assertNotIn("\x1b", text)
        self.assertIn("3 URLs in", text)

    def test_a_plain_line_tells_of_retries_and_why_nothing_happens(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            process = subprocess.Popen(
                [WEFT, "crawl", "--output", self.path / "other", "--tries", "9",
                 "http://127.0.0.1:%d/" % closed.getsockname()[1]],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(lambda: (process.kill(), process.communicate()))
            self.assertRegex(process.stderr.readline(),
                             r"1 waiting, 0 under way at 0 hosts, (1 retry|\d+ retries).*"
                             r"127\.0\.0\.1:\d+ waits [\d.]+ s: it cannot be reached \(1 URL\)")

    def test_json_is_an_object_a_line_and_ends_with_the_end(self):
        run = subprocess.run(self.command("--progress", "json"), capture_output=True, text=True,
                             timeout=PATIENCE_SECONDS)
        lines = [json.loads(line) for line in run.stderr.splitlines()]
        self.assertGreaterEqual(len(lines), 2)
        self.assertEqual(lines[0]["seconds"], 0)
        self.assertEqual(lines[-1]["waiting"], 0)
        self.assertEqual(lines[-1]["done"], int(run.stdout.split(" URLs")[0].replace(",", "")))
        for name in ("time", "rate", "bytes", "active_hosts", "errors", "slowest_hosts",
                     "waiting_hosts", "seconds_left", "growing"):
            self.assertIn(name, lines[0])

    def test_verbose_tells_of_each_url_once_and_in_color_if_asked(self):
        for arguments in ["-v"], ["--verbose", "--color", "always"]:
            run = subprocess.run(self.command(*arguments), capture_output=True, text=True,
                                 timeout=PATIENCE_SECONDS)
            lines = run.stderr.splitlines()
            red = [line for line in lines if re.fullmatch(r"\x1b\[31m.*\x1b\[0m", line)]
            plain = [re.sub(r"\x1b\[\d+m", "", line) for line in lines]
            self.assertEqual(self.url_lines(plain), self.kept_urls())
            self.assertEqual(bool(red), "always" in arguments)
            self.assertFalse([line for line in red if " 200 " in line])
            self.assertIn("URLs in", run.stdout)
            subprocess.run(["rm", "-r", self.path / "kept"], check=True)

    def test_debug_tells_what_is_known_of_each(self):
        run = subprocess.run(self.command("--debug", "--limit", "20"), capture_output=True,
                             text=True, timeout=PATIENCE_SECONDS)
        for part in (r"found: seed, 0 from a seed", r"found: link on http://\S+, 1 from a seed",
                     r"took: .*first byte [\d.]+ ms.* from 127\.0\.0\.1:\d+",
                     r"links: \d+ wanted \(\d+ new\), \d+ other_host"):
            self.assertRegex(run.stderr, "\n          " + part)
        urls = [line for line in run.stderr.splitlines() if not line.startswith(" " * 10)]
        self.assertEqual(self.url_lines(urls), self.kept_urls())

    def test_a_check_tells_of_links_that_leave_the_site_too(self):
        run = subprocess.run([WEFT, "check", "-v", "--limit", "20", self.home],
                             capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        urls = self.url_lines(run.stderr.splitlines())
        self.assertGreater(len({url.split("/")[2] for url in urls}), 1, urls)

    def test_quiet_and_verbose_cannot_hold_at_once(self):
        for word in "-v", "--debug":
            run = subprocess.run(self.command("-q", word), capture_output=True, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn("cannot hold at once", run.stderr)

    def test_none_shows_nothing_but_the_report(self):
        run = subprocess.run(self.command("--progress", "none"), capture_output=True, text=True,
                             timeout=PATIENCE_SECONDS)
        self.assertEqual(run.stderr, "")
        self.assertIn("URLs in", run.stdout)


if __name__ == "__main__":
    unittest.main()
