"""The ladder's programs as a reader runs them: ladder_test.py PATH_TO_WEFT FOLDER_OF_PROGRAMS.

All crawl the plain site of `weft demo-site`, and what each finds is compared with the ground truth.
Only loopback is used.
"""

import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

PROGRAMS = pathlib.Path(sys.argv.pop(2)).resolve()
WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "examples/ladder"
PATIENCE_SECONDS = 60
PAGE_COUNT = 60

STEPS = ["1_blocking", "2_threads", "3_spin", "4_callbacks", "5_coroutines"]


def run(program, *arguments, **environment):
    return subprocess.run([PROGRAMS / program, *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=PATIENCE_SECONDS, check=False)


def limit_address_space():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def has_read_all(port):
    """Whether the socket at this port has taken what has come for it, as the kernel sees it."""
    table = pathlib.Path("/proc/net/tcp").read_text()
    return re.search(rf" [0-9A-F]{{8}}:{port:04X} \S+ 01 \S+:00000000 ", table) is not None


def pass_on_in_bytes(server, port):
    """One connection to the port. The first twenty bytes of what the server says come one by one,
    the next when the last was read: the beginning of its handshake."""
    near, _ = server.accept()
    with near, socket.create_connection(("127.0.0.1", port)) as far:
        reader = near.getpeername()[1]
        to_server = threading.Thread(target=lambda: [far.sendall(piece) for piece
                                                     in iter(lambda: near.recv(4096), b"")])
        to_server.start()
        for size in [*[1] * 20, *[4096] * 10_000]:
            piece = far.recv(size)
            if not piece:
                break
            near.sendall(piece)
            give_up = time.monotonic() + 1
            while size == 1 and not has_read_all(reader) and time.monotonic() < give_up:
                os.sched_yield()
        near.shutdown(socket.SHUT_WR)
        to_server.join()


class Site:
    """A server of weft's, until close()."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([WEFT, *arguments], stdout=subprocess.PIPE, text=True)
        self.port = re.search(r"https?://[\d.]+:(\d+)/", self.process.stdout.readline())[1]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def home(self, host):
        return f"http://127.0.0.{host}:{self.port}/"


class OnTheDemoSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = Site("demo-site", "--port", "0", "--pages", str(PAGE_COUNT))
        cls.plain = cls.site.home(2)
        cls.rough = cls.site.home(8)
        truth = f"{cls.site.home(1)}.well-known/weft-demo-truth.json?host=127.0.0.2"
        with urllib.request.urlopen(truth) as answer:
            host, = json.load(answer)["hosts"]
        cls.truth = {f"{page['status']} {page['url'][len(cls.plain) - 1:]}"
                     for page in host["urls"] if page["reach"] == "link"}

    @classmethod
    def tearDownClass(cls):
        cls.site.close()

    def check_list(self, *command):
        result = run(*command)
        self.assertEqual(result.returncode, 0, result.stderr)
        listed = [line for line in result.stdout.splitlines() if re.match(r"\d{3} /", line)]
        self.assertEqual(len(listed), len(set(listed)), "a page twice")
        self.assertEqual(set(listed), self.truth)
        return result.stdout


class Steps(OnTheDemoSite):
    def test_there_is_a_truth_to_compare_with(self):
        self.assertEqual(len(self.truth), PAGE_COUNT)

    def test_each_step_finds_the_pages_that_there_are(self):
        for step in STEPS:
            with self.subTest(step):
                self.check_list(step, "--list", self.plain)

    def test_a_few_connections_are_enough(self):
        for step in STEPS[1:]:
            with self.subTest(step):
                self.check_list(step, "--list", self.plain, "1")

    def test_time_cpu_and_memory_are_told(self):
        for step in STEPS:
            with self.subTest(step):
                self.assertRegex(run(step, self.plain).stdout,
                                 rf"{PAGE_COUNT} pages in [\d.]+ s, \d+ a second\n"
                                 r"cpu [\d.]+ s, memory [\d.]+ MiB\n\Z")

    def test_the_same_by_select_poll_and_edges(self):
        for option in ["--select", "--poll", "--edge"]:
            with self.subTest(option):
                self.check_list("4_callbacks", option, "--list", self.plain)

    def test_A2_a_refused_connection_is_that_pages_failure(self):
        for step in STEPS:
            with self.subTest(step):
                result = run(step, "http://127.0.0.1:1/")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stdout, r"Connection refused /\n.*; 1 failed\n")

    def test_an_answer_that_is_none_or_cut_is_that_pages_failure(self):
        for step in STEPS:
            for page, trouble in [("hang-up", "not an HTTP answer"),
                                  ("cut-short", "the answer was cut short")]:
                with self.subTest(step=step, page=page):
                    result = run(step, f"{self.rough}hostile/{page}.html")
                    self.assertRegex(result.stdout, rf"{trouble} /hostile/{page}.html\n")

    def test_a_wrong_command_line_is_told(self):
        for step in STEPS:
            with self.subTest(step):
                result = run(step)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr.startswith(f"usage: {step} "), result.stderr)

    def test_a_wrong_url_is_told(self):
        for step in STEPS:
            with self.subTest(step):
                result = run(step, "no-url")
                self.assertEqual((result.returncode, result.stdout, result.stderr),
                                 (1, "", "error: write the URL as http://host/\n"))


class Blocking(OnTheDemoSite):
    def test_A9_the_size_of_the_pieces_changes_the_calls_and_not_the_text(self):
        rows = [line.split(None, 5) for line in run("1_blocking", "--pieces").stdout.splitlines()]

        self.assertEqual([row[:2] for row in rows[1:]],
                         [[sent, read] for sent in ("1", "4096", "65536")
                          for read in ("1", "4096", "65536")])
        self.assertEqual({row[5] for row in rows[1:]}, {"the same text"})
        for row in rows[1:]:
            self.assertGreaterEqual(int(row[2]), 65536 / int(row[1]) + 1, row)

    def test_one_page_says_where_the_time_went(self):
        self.assertRegex(run("1_blocking", "--one", self.plain).stdout,
                         r"\A200, \d+ bytes, \d+ links\n +[\d.]+ ms in connect\(\)\n"
                         r" +[\d.]+ ms in send\(\)\n +[\d.]+ ms in recv\(\)\n"
                         r" +[\d.]+ ms in our own code\n\Z")


class Threads(unittest.TestCase):
    def test_A14_each_costs_memory_in_four_places(self):
        output = run("2_threads", "--cost", "200").stdout

        self.assertRegex(output, r"\A200 threads, \d+ us to start one; each takes\n")
        for what in ["memory", "page tables", "stack in the kernel", "address space"]:
            self.assertRegex(output, rf" +-?[\d.]+ KiB of {what}\n")


    def test_A14_where_it_stops_is_told(self):
        result = subprocess.run([PROGRAMS / "2_threads", "--cost", "1000"], text=True,
                                preexec_fn=limit_address_space, capture_output=True,
                                timeout=PATIENCE_SECONDS, check=False)

        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\Ano more than (\d+) threads: .*\n\1 threads, ")


class Spin(OnTheDemoSite):
    def test_A3_most_questions_are_in_vain(self):
        output = run("3_spin", self.plain, "4").stdout

        asked, in_vain = map(int, re.match(r"asked (\d+) times, (\d+) in vain", output).groups())
        self.assertGreater(in_vain, 0)
        self.assertLess(in_vain, asked)


class Callbacks(OnTheDemoSite):
    def test_A8_an_edge_is_told_once(self):
        self.assertEqual(run("4_callbacks", "--edge").stdout,
                         "level, reads once:        calls: 3, bytes left behind: 0\n"
                         "edge, reads once:         calls: 1, bytes left behind: 5904\n"
                         "edge, reads until EAGAIN: calls: 1, bytes left behind: 0\n")

    def test_the_stack_of_an_error_is_ripped(self):
        result = run("4_callbacks", "--rip", f"{self.rough}hostile/hang-up.html")

        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"in read_page\nin Fetcher::read_response\n")
        self.assertTrue(result.stdout.endswith("in main\n"), result.stdout)
        self.assertNotIn("begin", result.stdout)
        self.assertNotIn("hang-up", result.stdout)


class Coroutines(OnTheDemoSite):
    def test_A23_the_toy_never_wakes_from_what_is_done(self):
        result = run("5_coroutines", "--toy", self.plain)

        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\A1 task waits for what is there already\n0 pages")

    def test_the_toy_is_one_condition_away(self):
        text = (SOURCES / "5_coroutines.cpp").read_text()

        self.assertEqual(text.count("is_toy"), 3, "declared, asked in await_ready(), set")


class Secure(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder = pathlib.Path(scratch.name)
        (folder / "site").mkdir()
        for name, link in [("index.html", "/b.html"), ("b.html", "/")]:
            (folder / "site" / name).write_text(f'<a href="{link}">x</a>' + "x" * 50_000)
        self.certificate = str(folder / "site.pem")
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-subj", "/CN=x", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-keyout", self.certificate, "-out",
                        self.certificate], check=True, capture_output=True)
        site = Site("serve", "--port", "0", "--quiet", "--tls-certificate", self.certificate,
                    folder / "site")
        self.addCleanup(site.close)
        self.home = f"https://127.0.0.1:{site.port}/"

    def test_A43_A45_a_handshake_by_hand_and_long_pages(self):
        result = run("5_coroutines", "--verbose", "--list", self.home,
                     SSL_CERT_FILE=self.certificate)

        self.assertIn("WANT_READ\n", result.stdout)
        self.assertIn("200 /\n200 /b.html\n2 pages", result.stdout)

    def test_A43_a_handshake_that_comes_byte_by_byte(self):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        port = int(re.search(r":(\d+)/", self.home)[1])
        threading.Thread(target=pass_on_in_bytes, args=(server, port), daemon=True).start()

        result = run("5_coroutines", "--verbose", "--list",
                     f"https://127.0.0.1:{server.getsockname()[1]}/none.html",
                     SSL_CERT_FILE=self.certificate)

        self.assertIn("404 /none.html\n1 pages", result.stdout)
        self.assertGreater(result.stdout.count("WANT_READ\n"), 18)

    def test_A46_nobody_is_trusted_unasked(self):
        result = run("5_coroutines", self.home, SSL_CERT_FILE="/dev/null")

        self.assertIn("tls: certificate verify failed /\n", result.stdout)

    def test_A44_plain_http_to_a_tls_port_is_a_failure(self):
        for step in STEPS:
            result = run(step, self.home.replace("https:", "http:"))
            self.assertRegex(result.stdout, r"(?m)^(not an HTTP answer|400|\w+: .*) ?/?|0 pages")
            self.assertNotIn("200 /", result.stdout)


class Aio(OnTheDemoSite):
    def pages(self, report):
        return {f"{line.split()[1]} {line.split()[0][len(self.plain) - 1:]}"
                for line in report.splitlines() if line.startswith("http://")}

    def test_finds_the_pages_that_there_are(self):
        for options in [(), ("--select",), ("--max-tasks", "1"), ("--max_tasks", "3"),
                        ("--lenient",), ("--strict",), ("--max_redirect", "0", "--max_tries", "1")]:
            with self.subTest(options):
                result = run("6_aio", *options, self.plain)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.pages(result.stdout), self.truth)

    def test_F17_F18_the_report_has_the_references_fields(self):
        report = run("6_aio", self.plain).stdout

        self.assertTrue(report.startswith("*** Report ***\nhttp://"))
        self.assertRegex(report, rf"(?m)^{self.plain} 200 text/html utf-8 \d+ 8/9$")
        self.assertRegex(report, rf"\nFinished {PAGE_COUNT} urls in [\d.]+ secs \(max_tasks=100\) "
                         r"\([\d.]+ urls/sec/task, \d+ urls/sec\)\n")
        self.assertRegex(report, rf"\n {{8}}{PAGE_COUNT} html\n +\d+ html_bytes\n"
                         rf" {{8}}{PAGE_COUNT} status_200\nTodo: 0\nDone: {PAGE_COUNT}\n"
                         r"Date: .+ local time\n\Z")

    def test_W25_the_exit_status_tells(self):
        self.assertEqual(run("6_aio", "http://127.0.0.1:1/", "--max-tries", "1").returncode, 1)
        self.assertEqual(run("6_aio", f"{self.plain}none.html").returncode, 1)
        self.assertEqual(run("6_aio", "--max-tasks", "0", self.plain).returncode, 2)
        self.assertEqual(run("6_aio", "--exclude", "(", self.plain).returncode, 2)
        self.assertEqual(run("6_aio", "ftp://127.0.0.1/").returncode, 2)

    def test_a_page_kept_out_by_robots_is_no_failure(self):
        result = run("6_aio", self.site.home(1), "--max-pages", "400")

        self.assertIn(" error kept out by robots.txt\n", result.stdout)
        kept_out = run("6_aio", f"{self.site.home(1)}private/")
        self.assertEqual(kept_out.returncode, 0, kept_out.stdout)

    def test_verbose_and_quiet(self):
        for option, expected in [("-v", f"{self.plain} 200 text/html"), ("-q", "")]:
            with self.subTest(option):
                errors = run("6_aio", option, self.plain).stderr
                self.assertIn(expected, errors)
                self.assertEqual(bool(errors), bool(expected))

    def test_without_a_root_it_says_how_to_ask(self):
        result = run("6_aio")

        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, "Use --help for command line help\n")

    def test_W26_ctrl_c_ends_in_a_report(self):
        site = Site("demo-site", "--port", "0", "--pages", "100000", "--delay", "0.05")
        self.addCleanup(site.close)
        crawl = subprocess.Popen([PROGRAMS / "6_aio", "-v", "--max-tasks", "4", site.home(2)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while True:  # Until it has begun: then its main task is there to be told.
            with urllib.request.urlopen(site.home(2)) as answer:
                answer.read()
            if (pathlib.Path(f"/proc/{crawl.pid}/net/tcp").read_text().count(
                    f":{int(site.port):04X} ")) > 2 or crawl.poll() is not None:
                break
        crawl.send_signal(signal.SIGINT)
        output, errors = crawl.communicate(timeout=PATIENCE_SECONDS)

        self.assertEqual(crawl.returncode, 130, errors)
        self.assertIn("Interrupted\n", errors)
        self.assertRegex(output, r"\A\*\*\* Report \*\*\*\n")
        todo = int(re.search(r"\nTodo: (\d+)\n", output)[1])
        self.assertGreater(todo, 0, "those under way count")

    def test_W1_to_W18_nothing_stops_it(self):
        site = Site("demo-site", "--port", "0", "--pages", "5", "--hostile")
        self.addCleanup(site.close)
        home = site.home(8)
        result = run("6_aio", "--max-tries", "1", "--exclude", "silent|drip|endless", home)

        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("Todo: 0\n", result.stdout)
        for survived in ["all", "charset", "unknown-charset", "links", "depth"]:
            self.assertRegex(result.stdout, rf"hostile/after-{survived}\.html 200 text/html")
        for line in ["no-location 302 text/plain", "bad-location 302 text/plain",
                     "cut-short.html error truncated", "cut-chunks.html error truncated",
                     "bad-charset.html 200 text/html", "bad-links.html 200 text/html",
                     "bad-gzip.html error bad encoding", "hang-up.html error closed"]:
            self.assertIn(f"/hostile/{line}", result.stdout)
        self.assertNotIn("127.0.0.2", re.sub(r"redirect http\S+", "", result.stdout), "W8")
        self.assertNotIn("\x1b", result.stdout)


class Around(unittest.TestCase):
    def test_A22_an_awaiter_of_ones_own_is_resumed_once_and_can_be_cancelled(self):
        self.assertEqual(run("awaiter").stdout,
                         "a gate\n  the first comes\n  the second comes\n"
                         "  the first is through\n  the second is through\n"
                         "  the third comes\n  the third is through\n"
                         "a child process\n  a child ended with 3\n"
                         "  another was not waited for any longer\n")

    def test_every_program_ends_well(self):
        for program in ["awaitables", "awaiter", "chess", "context", "generators", "monitor"]:
            with self.subTest(program):
                result = run(program)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_A48_the_exhibition_takes_twelve_hours_or_one(self):
        output = run("chess").stdout

        self.assertIn("one after another: 12 h 0 s;", output)
        self.assertIn("all at once: 1 h 55 s;", output)

    def test_A32_events_resume_the_request_they_belong_to(self):
        self.assertTrue(run("awaitables").stdout.endswith(
            "two requests\n  request1 paused\n  request2 paused\n  event 2\n  event 1\n"
            "  response1\n  response2\n"))

    def test_A36_A37_A38_generators(self):
        self.assertEqual(run("generators").stdout,
                         "times2: 4 gives 8, 9 gives 18\n"
                         "three_then_one: 3 1; and stays ended\n"
                         "asend: 2 8 128 32768\n")

    def test_A31_no_half_made_update_is_seen(self):
        output = run("monitor").stdout

        self.assertRegex(output, r"\A(\d s: +\d+ pages, +\d+ bytes\n){4}done: 20 pages\n\Z")


class Measure(unittest.TestCase):
    def test_A12_it_prints_a_row_for_each_way_of_waiting(self):
        build = WEFT.parents[2]
        result = subprocess.run([SOURCES.parents[1] / "docs/ladder/measure", "--quick", "--build",
                                 build], capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                                check=False)

        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split(" | ") for line in result.stdout.splitlines()]
        self.assertIn("busy: pages/s", rows[0])
        self.assertIn("sleepy: pages/s", rows[0])
        names = [row[0].strip("| `") for row in rows[2:]]
        self.assertEqual(names[:7], [*STEPS, "6_aio", "asyncio"])
        for row in rows[2:]:
            self.assertGreater(int(row[1].replace(",", "")), 0, row)
            self.assertRegex(row[2], r"^[\d,]+ us$")


class Sizes(unittest.TestCase):
    def test_each_step_is_short(self):
        for file in sorted(SOURCES.glob("*.cpp")):
            limit = 500 if file.name.startswith("6") else 250
            self.assertLess(len(file.read_text().splitlines()), limit, file.name)

    def test_up_to_step_4_there_is_none_but_the_c_and_the_compilers_library(self):
        own = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2",
               "ld-linux-aarch64.so.1"}
        for step in STEPS:
            listed = subprocess.run(["readelf", "--dynamic", "--wide", PROGRAMS / step],
                                    capture_output=True, text=True, check=True).stdout
            needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", listed))
            more = {"libssl.so.3", "libcrypto.so.3"} if step == "5_coroutines" else set()
            self.assertLessEqual(needed - more, own, step)

    def test_up_to_step_5_there_is_no_library_of_ours(self):
        for step in STEPS:
            included = re.findall(r'#include "(.*)"', (SOURCES / f"{step}.cpp").read_text())
            self.assertEqual(included, ["page.h"], step)
        self.assertNotIn('#include "', (SOURCES / "page.h").read_text())


if __name__ == "__main__":
    unittest.main()
