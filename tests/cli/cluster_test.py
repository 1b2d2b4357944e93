"""Crawls on several machines, as a user runs them: cluster_test.py PATH_TO_WEFT. Only loopback.

The machines are processes on this one, and Redis is one server without replicas.
"""

import json
import pathlib
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

REDIS = shutil.which("redis-server")
# Without the hosts that ask for long pauses or do not answer: these take a minute each time.
ACCESS = ["--allow-net", "127.0.0.0/8", "--scope", "any", "--wait", "0.02",
          "--exclude", "//127[.]0[.]0[.][39]:"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(check, what):
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if check():
            return
        time.sleep(0.05)
    raise AssertionError("not within a minute: " + what)


def without_traps(urls):
    """The next owner of a host watches for traps anew: it may see more of an endless calendar."""
    return {url for url in urls if "/calendar/" not in url}


@unittest.skipUnless(REDIS, "redis-server is not installed")
class Cluster(Scratch):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.address = f"redis://127.0.0.1:{self.port}/news"
        self.start_redis()

    def start_redis(self, *options):
        server = subprocess.Popen([REDIS, "--port", str(self.port), "--save", "", "--bind",
                                   "127.0.0.1", "--dir", self.path, *options],
                                  stdout=subprocess.DEVNULL)
        self.addCleanup(self.end, server)
        until(self.is_listening, "redis-server listens")
        return server

    def is_listening(self):
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def status(self):
        answer = self.weft("status", "--json", self.address)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return json.loads(answer.stdout)

    def finish(self, process):
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, output + errors

    def embedded(self, site):
        done = self.weft("crawl", *ACCESS, "--quiet", "--output", "alone", site)
        self.assertEqual(done.returncode, 0, done.stderr)
        return without_traps(self.pages("alone"))

    def all_pages(self, *folders):
        """Of all workers: no URL is in two folders."""
        found = {}
        for folder in folders:
            for url, entry in self.pages(folder).items():
                self.assertNotIn(url, found, "two workers have recorded it")
                found[url] = entry
        return found

    def test_two_workers_find_what_one_finds(self):
        site = self.start_demo_site("--pages", "60")
        first = self.start("crawl", "--cluster", self.address, *ACCESS, "--quiet", "--output", "a",
                           site)
        until(lambda: self.weft("status", self.address).returncode == 0, "the crawl has begun")
        second = self.start("join", self.address, "--quiet", "--output", "b")
        for process in (first, second):
            status, said = self.finish(process)
            self.assertEqual(status, 0, said)
        pages = self.all_pages("a", "b")
        self.assertEqual(without_traps(pages), self.embedded(site))
        told = self.status()
        self.assertEqual((told["state"], told["waiting"], told["done"]), ("over", 0, len(pages)))
        names = [file.name for folder in "ab"
                 for file in (self.path / folder / "archive").iterdir()]
        self.assertEqual(len(names), len(set(names)))

    def test_a_worker_that_is_killed_goes_on_with_its_folder(self):
        site = self.start_demo_site("--pages", "60", "--delay", "0.02")
        first = self.start("crawl", "--cluster", self.address, *ACCESS, "--quiet", "--output", "a",
                           site)
        until(lambda: self.weft("status", self.address).returncode == 0, "the crawl has begun")
        second = self.start("join", self.address, "--quiet", "--output", "b")
        for _ in range(3):
            until(lambda: second.poll() is not None or
                  any(worker["pages"] > 0 for worker in self.status()["workers"]), "pages come")
            time.sleep(0.7)
            second.send_signal(signal.SIGKILL)
            second.wait()
            second = self.start("resume", "b", "--quiet")
        for process in (first, second):
            status, said = self.finish(process)
            self.assertEqual(status, 0, said)
        self.assertEqual(without_traps(self.all_pages("a", "b")), self.embedded(site))

    def test_the_limit_is_exact_over_two_workers(self):
        site = self.start_demo_site()
        first = self.start("crawl", "--cluster", self.address, *ACCESS, "--limit", "150", "--quiet",
                           "--output", "a", site)
        until(lambda: self.weft("status", self.address).returncode == 0, "the crawl has begun")
        second = self.start("join", self.address, "--quiet", "--output", "b")
        for process in (first, second):
            status, said = self.finish(process)
            self.assertEqual(status, 14, said)
        asked = [entry for entry in self.all_pages("a", "b").values()
                 if entry.get("status") or entry.get("failure")]
        self.assertEqual(len(asked), 150)

    def test_stop_ends_all_workers_and_resume_goes_on(self):
        site = self.start_demo_site("--pages", "60", "--delay", "0.02")
        first = self.start("crawl", "--cluster", self.address, *ACCESS, "--quiet", "--output", "a",
                           site)
        until(lambda: self.weft("status", self.address).returncode == 0 and
              self.status()["done"] > 20, "pages come")
        told = self.weft("stop", self.address)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("weft resume DIR", told.stdout)
        self.assertEqual(self.finish(first)[0], 11)
        self.assertEqual(self.status()["state"], "stopped")
        self.assertEqual(self.status()["shards_owned"], 0)
        rest = self.weft("resume", "a", "--quiet")
        self.assertEqual(rest.returncode, 0, rest.stderr)
        self.assertEqual(without_traps(self.all_pages("a")), self.embedded(site))

    def test_refusals_name_the_way_out(self):
        site = self.start_demo_site()
        self.weft("crawl", "--cluster", self.address, *ACCESS, "--limit", "3", "--quiet",
                  "--output", "a", site)
        taken = self.weft("crawl", "--cluster", self.address, "--output", "b", site)
        self.assertEqual(taken.returncode, 2)
        self.assertIn("`weft join redis://127.0.0.1", taken.stderr)
        depth = self.weft("join", self.address, "--depth", "2", "--output", "c")
        self.assertEqual(depth.returncode, 2)
        self.assertIn("--depth belongs to the crawl", depth.stderr)
        unknown = self.weft("join", self.address + "2", "--output", "c")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("there is no crawl 'news2'", unknown.stderr)
        for option in (["--mirror", "m"], ["--save-cookies", "c.txt"], ["--text"]):
            refused = self.weft("crawl", "--cluster", self.address + "3", *option, site)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("does not work with --cluster yet", refused.stderr)
        nameless = self.weft("status", f"redis://127.0.0.1:{self.port}")
        self.assertEqual(nameless.returncode, 2)
        self.assertIn("the name of the crawl is missing", nameless.stderr)
        nobody = self.weft("status", f"redis://127.0.0.1:{free_port()}/news")
        self.assertEqual(nobody.returncode, 3)

    def test_a_password_is_not_kept_in_the_folder(self):
        self.port = free_port()
        self.start_redis("--requirepass", "open-sesame")
        self.address = f"redis://:open-sesame@127.0.0.1:{self.port}/news"
        site = self.start_demo_site()
        wrong = self.weft("status", self.address.replace("sesame", "barley"))
        self.assertEqual(wrong.returncode, 6, wrong.stderr)
        self.assertNotIn("barley", wrong.stderr)
        begun = self.weft("crawl", *ACCESS, "--limit", "5", "--output", "a", site,
                          WEFT_CLUSTER=self.address)
        self.assertEqual(begun.returncode, 14, begun.stderr)
        self.assertNotIn("sesame", begun.stdout + begun.stderr)
        for file in (self.path / "a").rglob("*"):
            if file.is_file():
                self.assertNotIn(b"open-sesame", file.read_bytes(), file)
        alone = self.weft("resume", "a")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("WEFT_CLUSTER", alone.stderr)
        again = self.weft("resume", "a", "--quiet", WEFT_CLUSTER=self.address)
        self.assertEqual(again.returncode, 14, again.stderr)


if __name__ == "__main__":
    unittest.main()
