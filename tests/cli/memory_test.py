"""What a process holds whatever servers send: memory_test.py PATH_TO_WEFT [table]. Only loopback.
Or memory_test.py PATH_TO_WEFT hosts COUNT MEMORY_MIB SECONDS: a crawl of very many hosts.

Each attack runs at full concurrency against many hosts; the most memory that the process ever held
(VmHWM) must stay within --memory and 64 MiB. With "table" every attack runs with every command and
several sizes, and the table of docs/internals/hostile.md is printed.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import WEFT, Scratch  # noqa: E402

import hostile_site as hostile  # noqa: E402

MIB = 1 << 20
ALLOWANCE_MIB = 64

# Of a crawl: nothing that makes it slow, one loop to be sure of full concurrency.
BASICS = ["--allow-net", "127.0.0.0/8", "--wait", "0", "--tries", "1", "--max-per-address", "64",
          "--timeout", "20", "-U", "x/1 (+http://x.test/)"]


def seeds(port, count):
    return [f"http://127.{1 + n // 60_000}.{n // 250 % 240}.{n % 250 + 1}:{port}/"
            for n in range(count)]


class Attack:
    def __init__(self, name, site, hosts=100, options=(), commands=("crawl", "archive", "check")):
        self.name = name
        self.site = site
        self.hosts = hosts
        self.options = list(options)
        self.commands = commands


ATTACKS = [
    Attack("sitemaps of 45 MiB", hostile.sitemap_bombs, 130),
    Attack("pages of 500,000 links", hostile.wide_pages),
    Attack("links that become 8,000 bytes", hostile.long_base),
    Attack("attributes of 60,000 bytes", hostile.huge_attributes),
    Attack("700,000 ids", hostile.many_ids),
    Attack("a tag without end", hostile.one_tag),
    Attack("coded pages of 8 MiB", hostile.large_pages, 256),
    Attack("plain files of 8 MiB", hostile.plain_pages, 256),
    Attack("robots.txt of 512 KiB, redirects", hostile.endless_robots, 256),
    Attack("heads of 250 KiB", hostile.large_heads, 256),
    Attack("cookies", hostile.cookies, 20, ["--save-cookies", "jar", "--limit", "2000"],
           ("crawl",)),
    Attack("20,000 hosts", lambda: hostile.many_hosts(20_000), 1,
           ["--scope", "any", "--hosts-per-domain", "0"], ("crawl", "archive")),
    Attack("external links", hostile.external_links, 10),
    Attack("links without end", hostile.new_links_forever, 20),
]


def held_mib(process):
    """The most it held so far. Not by rusage, which begins with what its parent held."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    line = re.search(r"VmHWM:\s+(\d+)", status)
    return int(line[1]) / 1024 if line else 0


def peak_mib(arguments, folder, timeout):
    """The most that the process held, its exit status and what it said."""
    with tempfile.TemporaryFile(mode="w+") as said:
        process = subprocess.Popen([WEFT, *arguments], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=said)
        deadline = time.monotonic() + timeout
        peak = 0
        while process.poll() is None:
            peak = max(peak, held_mib(process))
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.01)
        said.seek(0)
        return peak, process.returncode, said.read()


def run_attack(attack, command, memory_mib, folder, port, threads=1, seconds=10, hosts=None):
    options = [*BASICS, "--memory", f"{memory_mib}MiB", "--max-time", str(seconds),
               "--threads", str(threads), *attack.options]
    if command == "check":
        arguments = ["check", "-q", *options]
    else:
        arguments = ["crawl", "-q", *options, "--disk-reserve", "0", "-o", "kept"]
        if command == "crawl":
            arguments.append("--no-archive")
        if command == "text":
            arguments.append("--text=markdown")
    return peak_mib([*arguments, *seeds(port, hosts or attack.hosts)], folder, seconds + 60)


class Memory(Scratch):
    def attack(self, name, command, memory_mib=64, **options):
        attack = next(each for each in ATTACKS if each.name == name)
        with hostile.hostile(attack.site) as port:
            peak, status, said = run_attack(attack, command, memory_mib, self.path, port, **options)
        self.assertIn(status, (0, 4, 8, 14, 15), said)
        self.assertLessEqual(peak, memory_mib + ALLOWANCE_MIB, f"{name}, {command}: {said}")

    def test_h83_sitemaps_that_are_bombs(self):
        """130 answers of 93 KB held 4.3 GiB at --memory 512 MiB."""
        self.attack("sitemaps of 45 MiB", "crawl", seconds=2, hosts=40)

    def test_h70_pages_of_very_many_links(self):
        self.attack("pages of 500,000 links", "crawl", seconds=2, hosts=40)

    def test_h70_links_that_grow_by_their_base(self):
        self.attack("links that become 8,000 bytes", "crawl", seconds=2, hosts=40)

    def test_h98_large_coded_pages_for_an_archive(self):
        self.attack("coded pages of 8 MiB", "archive", seconds=2, hosts=100)

    def test_h98_texts_of_large_pages(self):
        for threads in (1, 2):
            self.attack("coded pages of 8 MiB", "text", seconds=2, hosts=100, threads=threads)
            shutil.rmtree(self.path / "kept")
        self.attack("pages of 500,000 links", "text", seconds=2, hosts=40)
        shutil.rmtree(self.path / "kept")
        self.attack("links that become 8,000 bytes", "text", seconds=2, hosts=40)

    def test_h75_robots_files_at_their_limit(self):
        self.attack("robots.txt of 512 KiB, redirects", "archive", seconds=2, hosts=100)

    def test_h70_a_report_of_very_long_urls(self):
        """The report at the end of a crawl of 8,000 URLs of 8,000 bytes held 511 MiB."""
        folder = self.path / "kept"
        subprocess.run([WEFT, "crawl", "-q", *BASICS, "--memory", "64MiB", "--disk-reserve", "0",
                        "--no-archive", "-o", folder, "http://127.0.0.1:9/"],
                       stderr=subprocess.DEVNULL)
        log = folder / "pages/pages.jsonl"
        entry = json.loads(log.read_text().splitlines()[-1])
        with log.open("a") as lines:
            for number in range(8_000):
                entry["url"] = f"http://127.0.0.1:9/{number}/{'b' * 7_900}"
                entry["referrer"] = f"http://127.0.0.1:9/{'c' * 7_900}"
                lines.write(json.dumps(entry) + "\n")
        for form in ("json", "html", "csv", "markdown"):
            peak, status, said = peak_mib(["report", "-f", form, folder], self.path, 60)
            self.assertEqual(status, 0, said)
            self.assertLessEqual(peak, ALLOWANCE_MIB, form)

    def test_a_check_of_pages_of_very_many_links(self):
        """A check held 2.9 GiB after 2.8 MB on the wire, whatever --memory said."""
        self.attack("external links", "check", seconds=2)


def table():
    only = sys.argv[2:]
    for attack in ATTACKS:
        if only and not any(word in attack.name for word in only):
            continue
        with hostile.hostile(attack.site) as port:
            for memory_mib in (64, 512):
                row = []
                for command in ("crawl", "archive", "check"):
                    if command not in attack.commands:
                        row.append("")
                        continue
                    for threads in (1, 2) if command == "crawl" else (1,):
                        with tempfile.TemporaryDirectory() as folder:
                            start = time.monotonic()
                            peak, status, said = run_attack(attack, command, memory_mib, folder,
                                                            port, threads, 20)
                            row.append(f"{peak:.0f}")
                            print(f"    {attack.name} {command} {threads} {memory_mib}: {peak:.0f} "
                                  f"status {status}, {time.monotonic() - start:.1f} s "
                                  f"{said[-200:].strip()}", file=sys.stderr, flush=True)
                print(f"| {attack.name} | {memory_mib} | {' | '.join(row)} |", flush=True)


def many_hosts(count, memory_mib, seconds):
    """One crawl without an archive of so many hosts of one page each."""
    attack = Attack("hosts", lambda: hostile.many_hosts(count), 1,
                    ["--scope", "any", "--hosts-per-domain", "0"])
    start = time.monotonic()
    with hostile.hostile(attack.site) as port, tempfile.TemporaryDirectory() as folder:
        peak, status, said = run_attack(attack, "crawl", memory_mib, folder, port, seconds=seconds)
        lines = (pathlib.Path(folder) / "kept/pages/pages.jsonl").read_text().count("\n")
    print(f"{count} hosts, {lines - 1} lines in the log, status {status}: {peak:.0f} MiB "
          f"at --memory {memory_mib}MiB, {time.monotonic() - start:.0f} s {said[-200:]}")
    return 0 if peak <= memory_mib + ALLOWANCE_MIB else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["table"]:
        table()
    elif sys.argv[1:2] == ["hosts"]:
        sys.exit(many_hosts(*map(int, sys.argv[2:5])))
    else:
        unittest.main()
