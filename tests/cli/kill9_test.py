"""A crawl that is killed again and again ends as if nothing had happened (H85).

kill9_test.py PATH_TO_WEFT [KILLS [SEED [calls]]]: crawls the made web, ends the process by SIGKILL
at random moments, or (calls) as it makes its N-th call of write, fdatasync, rename and the like;
resumes until the crawl is done, and compares what is kept with an undisturbed crawl: no URL lost,
none recorded twice, every WARC file valid (for an independent reader too, where it is installed),
the same texts and report.
"""

import collections
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WEFT = pathlib.Path(sys.argv[1]).resolve()
WARCIO = pathlib.Path(__file__).resolve().parents[2] / "build/npm/node_modules/warcio/dist/cli.js"
CALLS = ["write", "fdatasync", "fsync", "rename", "ftruncate", "unlink", "openat"]
PATIENCE_SECONDS = 120


class Site:
    def __init__(self):
        self.process = subprocess.Popen([WEFT, "demo-site", "--port", "0"], text=True,
                                        stdout=subprocess.PIPE)
        self.url = re.search(r"http://127\.0\.0\.1:\d+/", self.process.stdout.readline())[0]

    def end(self):
        self.process.kill()
        self.process.communicate()


def crawl_command(url, folder):
    return [WEFT, "crawl", "--wait", "0", "--max-per-host", "4", "--quiet", "--links",
            "--text=markdown", "--output", folder, url]


def run_to_end(command):
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert run.returncode == 0, f"{command}: {run.returncode}\n{run.stderr}"


class Moments:
    """Kills after a random time."""

    def __init__(self, chance, url, scratch):
        self.chance = chance
        start = time.monotonic()
        run_to_end(crawl_command(url, scratch / "timed"))
        self.whole_seconds = self.longest = time.monotonic() - start

    def begin_crawl(self):
        self.longest = self.whole_seconds * 0.6

    def kills(self, command):
        """Whether the process was still at work after so long, and was killed."""
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            _, errors = process.communicate(timeout=self.chance.uniform(0.01, self.longest))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.longest *= 1.1  # So that it comes to an end, however slow the machine is now.
            return True
        assert process.returncode == 0, f"{command}: {process.returncode}\n{errors}"
        return False


class Calls:
    """Kills in a random call that changes files; strace counts each thread's calls apart."""

    def __init__(self, chance, url, scratch):
        self.chance = chance
        trace = scratch / "trace"
        run_to_end(["strace", "-f", "-qq", "-o", trace, "-e", "trace=" + ",".join(CALLS),
                    *crawl_command(url, scratch / "traced")])
        made = collections.Counter(re.findall(r"^(\d+) +(\w+)\(", trace.read_text(), re.M))
        self.most = {}
        for (_, call), count in made.items():
            self.most[call] = max(count, self.most.get(call, 0))
        self.share = 1.0

    def begin_crawl(self):
        self.share = 1.0

    def kills(self, command):
        call = self.chance.choice(sorted(self.most))
        number = self.chance.randint(1, max(1, round(self.most[call] * self.share)))
        run = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                              f"inject={call}:signal=SIGKILL:when={number}", *command],
                             capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        # strace ends as the program does.
        if run.returncode == -signal.SIGKILL:
            self.share = min(1.0, self.share * 1.2)
            return True
        assert run.returncode == 0, f"{call} {number}: {command}: {run.returncode}\n{run.stderr}"
        return False


def pages(folder):
    lines = (folder / "pages/pages.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


def archived(folder):
    """How often each address was archived."""
    files = sorted(folder.glob("archive/*.warc.gz"))
    verify = subprocess.run([WEFT, "warc", "verify", *files], capture_output=True, text=True)
    assert verify.returncode == 0, verify.stdout + verify.stderr
    listing = subprocess.run([WEFT, "warc", "ls", *files], capture_output=True, text=True)
    rows = [line.split() for line in listing.stdout.splitlines()]
    found = collections.Counter(row[5] for row in rows if row[2] in ("response", "revisit"))
    if WARCIO.exists():
        index = subprocess.run(["node", WARCIO, "index", *files, "--fields",
                                "warc-type,warc-target-uri"], capture_output=True, text=True,
                               check=True)
        records = [json.loads(line) for line in index.stdout.splitlines()]
        others = collections.Counter(record["warc-target-uri"] for record in records
                                     if record["warc-type"] in ("response", "revisit"))
        assert others == found, f"warcio sees it otherwise: {others - found}, {found - others}"
    check_robots(folder, files, found)
    return found


def check_robots(folder, files, found):
    """Each run asks for robots.txt: every answer is listed, and nothing else; takes them out."""
    lines = (folder / "pages/robots.jsonl").read_text().splitlines()[1:]
    listed = collections.Counter(json.loads(line)["url"] for line in lines)
    assert listed, "no robots.txt is listed"
    for url, count in listed.items():
        assert found.pop(url) == count, f"{url}: listed {count} times"
    index = subprocess.run([WEFT, "warc", "index", *files], capture_output=True, text=True,
                           check=True)
    assert index.stdout == (folder / "indexes/index.cdxj").read_text(), "the index is another's"


def essence(folder):
    """What the two crawls must agree in: all but times and places."""
    rows = {}
    for page in pages(folder):
        key = page["url"]
        assert key not in rows, f"recorded twice: {key}"
        rows[key] = (page["ending"], page.get("status"), page.get("mime"), page.get("size"),
                     page.get("digest"), page.get("redirect"))
    return rows


def texts(folder):
    """The lines of text.jsonl without the time of the fetch."""
    rows = {}
    for line in (folder / "pages/text.jsonl").read_text().splitlines():
        row = json.loads(line)
        assert row["url"] not in rows, f"its text is there twice: {row['url']}"
        del row["ts"]
        rows[row["url"]] = row
    return rows


def report(folder):
    """All of the report but times, and what hangs on the order of fetches."""
    report = json.loads((folder / "reports/report.json").read_text())
    for key in ("folder", "output", "started", "seconds", "elapsed", "slowest", "largest",
                "by_time"):
        report.pop(key, None)

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items()
                    if key not in ("reason", "seconds", "elapsed_ms", "ms")}
        if isinstance(value, list):
            return sorted((plain(each) for each in value), key=json.dumps)
        return value

    return plain(report)


def check(folder, truth, truth_archived, truth_report, truth_texts):
    found = essence(folder)
    assert found.keys() == truth.keys(), (
        f"lost: {sorted(truth.keys() - found.keys())[:5]}, "
        f"invented: {sorted(found.keys() - truth.keys())[:5]}")
    for url, row in truth.items():
        assert found[url] == row, f"{url}: {found[url]} is not {row}"
    counts = archived(folder)
    assert counts == truth_archived, f"archived otherwise: {counts - truth_archived} more, " \
                                     f"{truth_archived - counts} less"
    found_texts = texts(folder)
    assert found_texts == truth_texts, \
        f"texts: {len(found_texts)} of {len(truth_texts)}, or other ones"
    found_report = report(folder)
    for key, value in truth_report.items():
        assert found_report.get(key) == value, f"the report's {key}: {found_report.get(key)} is " \
                                               f"not {value}"


def can_trace():
    try:
        return subprocess.run(["strace", "-f", "-o", "/dev/null", "-e",
                               "inject=fsync:signal=SIGKILL:when=9", "true"],
                              capture_output=True).returncode == 0
    except OSError:
        return False


def crawl_and_kill(killer, url, folder):
    """Returns how often it was killed."""
    kills = 0
    command = crawl_command(url, folder)
    killer.begin_crawl()
    while killer.kills(command):
        kills += 1
        if (folder / "state/crawl.toml").exists():
            command = [WEFT, "resume", "--quiet", folder]
        else:
            shutil.rmtree(folder, ignore_errors=True)  # Killed before it was a crawl.
            command = crawl_command(url, folder)
    return kills


def main():
    kill_count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())
    kind = Calls if sys.argv[4:] == ["calls"] else Moments
    if kind is Calls and not can_trace():
        print("SKIPPED: no strace, or no right to use it")
        return 0
    chance = random.Random(seed)
    site = Site()
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        whole = scratch / "whole"
        run_to_end(crawl_command(site.url, whole))
        truth = essence(whole), archived(whole), report(whole), texts(whole)
        killer = kind(chance, site.url, scratch)
        kills = crawls = 0
        while kills < kill_count:
            folder = scratch / f"crawl-{crawls}"
            kills += crawl_and_kill(killer, site.url, folder)
            check(folder, *truth)
            crawls += 1
            shutil.rmtree(folder)
        print(f"{kills} kills ({kind.__name__.lower()}) in {crawls} crawls of {len(truth[0])} "
              f"URLs: nothing lost, nothing twice, the same report (seed {seed})")
    except AssertionError as error:
        print(f"seed {seed}: {error}")
        return 1
    finally:
        site.end()
        shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
