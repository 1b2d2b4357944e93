"""How the network is used, as options say: network_test.py PATH_TO_WEFT. Only loopback."""

import os
import pathlib
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Scratch  # noqa: E402

import peers  # noqa: E402

KIB = 1024


class Sized(peers.Site):
    """/N is N KiB; /from says who asks."""

    def handle_any(self):
        if self.path == "/from":
            return self.reply(200, self.client_address[0].encode())
        if not self.path[1:].isdigit():
            return self.reply(404)
        self.reply(200, os.urandom(KIB) * int(self.path[1:]))

    do_GET = do_HEAD = handle_any


class Network(Scratch):
    def serve(self, host="127.0.0.1"):
        serving = peers.serve(handler=Sized, host=host)
        server = serving.__enter__()
        self.addCleanup(serving.__exit__, None, None, None)
        return f"http://{host}:{server.server_port}"

    def timed(self, *arguments, **environment):
        start = time.monotonic()
        run = self.weft(*arguments, **environment)
        return run, time.monotonic() - start


class LimitRate(Network):
    def test_a_fetch_takes_as_long_as_its_rate_says(self):
        run, elapsed = self.timed("fetch", "--limit-rate", "100k", "-o", "kept",
                                  self.serve() + "/150")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.path / "kept").stat().st_size, 150 * KIB)
        self.assertGreaterEqual(elapsed, 1.5)

    def test_it_holds_for_all_shards_and_no_deadline_minds(self):
        pages = [self.serve(f"127.0.0.{i}") + "/100" for i in (1, 2, 3)]
        run, elapsed = self.timed("crawl", "--threads", "2", "--limit-rate", "100k",
                                  "--read-timeout", "0.2", "--timeout", "0.5", "--tries", "1",
                                  "--no-sitemaps", "-U", "x/1 (+http://x.test/)", "-o", "kept",
                                  *pages)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(elapsed, 3)
        for entry in self.pages("kept").values():
            self.assertEqual(entry["status"], 200, entry)
            self.assertEqual(entry["size"], 100 * KIB)

    def test_a_check_keeps_to_it_too(self):
        _, elapsed = self.timed("check", "--internal-only", "--no-sitemaps", "--limit-rate", "50k",
                                self.serve() + "/50")
        self.assertGreaterEqual(elapsed, 1)

    def test_nought_is_no_limit(self):
        run, elapsed = self.timed("fetch", "-o", "kept", self.serve() + "/1000",
                                  WEFT_LIMIT_RATE="0")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(elapsed, 5)

    def test_what_is_no_rate_is_said(self):
        run = self.weft("crawl", "--limit-rate", "fast", "http://127.0.0.1:1/")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--limit-rate takes a size, such as 500K", run.stderr)


class BindAddress(Network):
    def test_connections_come_from_it(self):
        home = self.serve()
        for arguments in ([], ["--interface", "127.0.0.2"], ["--bind-address", "127.0.0.2"]):
            run = self.weft("fetch", *arguments, home + "/from")
            self.assertEqual(run.stdout, "127.0.0.2" if arguments else "127.0.0.1", run.stderr)

    def test_a_crawl_keeps_it_for_resume(self):
        home = self.serve()
        (self.path / "weft.toml").write_text('bind-address = "127.0.0.2"\n')
        run = self.weft("--config", "weft.toml", "crawl", "--text", "--no-sitemaps", "--tries", "1",
                        "-o", "kept", home + "/from")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("bind-address = '127.0.0.2'",
                      (self.path / "kept/state/crawl.toml").read_text())
        archived = self.weft("warc", "cat-url", home + "/from",
                             *(self.path / "kept/archive").iterdir())
        self.assertIn("127.0.0.2", archived.stdout, archived.stderr)

    def test_what_is_no_address_of_this_machine_is_refused(self):
        for address, why in (("192.0.2.1", "not an address of this machine"),
                             ("2001:db8::1", "not an address of this machine"),
                             ("eth0", "not an address; write it like 192.0.2.1")):
            run = self.weft("crawl", "--bind-address", address, "http://127.0.0.1:1/")
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"--bind-address '{address}': {why}", run.stderr)
        run = self.weft("fetch", "-6", "--bind-address", "127.0.0.2", "http://127.0.0.1:1/")
        self.assertEqual(run.returncode, 2)
        self.assertIn("leaves only IPv4 addresses, and -6 none", run.stderr)


if __name__ == "__main__":
    unittest.main()
