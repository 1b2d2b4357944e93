"""A crawl that is killed again and again ends as if nothing had happened (H85).

kill9_test.py PATH_TO_WEFT [KILLS [SEED]]: crawls the made web, ends the process by SIGKILL at
random moments, resumes until the crawl is done, and compares what is kept with an undisturbed
crawl: no URL lost, none recorded twice, every WARC file valid, the same report.
"""

import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

WEFT = pathlib.Path(sys.argv[1]).resolve()
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
            "--output", folder, url]


def run_to_end(command):
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert run.returncode == 0, f"{command}: {run.returncode}\n{run.stderr}"


def killed(command, seconds):
    """Whether the process was still at work after so long, and was killed."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    assert process.returncode == 0, f"{command}: {process.returncode}\n{errors}"
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
    return collections.Counter(row[5] for row in rows if row[2] in ("response", "revisit"))


def essence(folder):
    """What the two crawls must agree in: all but times and places."""
    rows = {}
    for page in pages(folder):
        key = page["url"]
        assert key not in rows, f"recorded twice: {key}"
        rows[key] = (page["ending"], page.get("status"), page.get("mime"), page.get("size"),
                     page.get("digest"), page.get("redirect"))
    return rows


def check(folder, truth, truth_archived):
    found = essence(folder)
    assert found.keys() == truth.keys(), (
        f"lost: {sorted(truth.keys() - found.keys())[:5]}, "
        f"invented: {sorted(found.keys() - truth.keys())[:5]}")
    for url, row in truth.items():
        assert found[url] == row, f"{url}: {found[url]} is not {row}"
    counts = archived(folder)
    assert counts == truth_archived, f"archived otherwise: {counts - truth_archived} more, " \
                                     f"{truth_archived - counts} less"


def main():
    kill_count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())
    chance = random.Random(seed)
    site = Site()
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        whole = scratch / "whole"
        start = time.monotonic()
        run_to_end(crawl_command(site.url, whole))
        whole_seconds = time.monotonic() - start
        truth, truth_archived = essence(whole), archived(whole)
        kills = crawls = 0
        while kills < kill_count:
            folder = scratch / f"crawl-{crawls}"
            command = crawl_command(site.url, folder)
            longest = whole_seconds * 0.6
            while killed(command, chance.uniform(0.01, longest)):
                kills += 1
                longest *= 1.1  # So that it comes to an end, however slow the machine is now.
                if (folder / "state/crawl.toml").exists():
                    command = [WEFT, "resume", "--quiet", folder]
                else:
                    shutil.rmtree(folder, ignore_errors=True)  # Killed before it was a crawl.
                    command = crawl_command(site.url, folder)
            check(folder, truth, truth_archived)
            crawls += 1
            shutil.rmtree(folder)
        print(f"{kills} kills in {crawls} crawls of {len(truth)} URLs: nothing lost, nothing twice "
              f"(seed {seed})")
    except AssertionError as error:
        print(f"seed {seed}: {error}")
        return 1
    finally:
        site.end()
        shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
