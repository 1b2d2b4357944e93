"""The program under test, for scripts that are called as SCRIPT PATH_TO_WEFT [...]."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60


class Scratch(unittest.TestCase):
    """A folder of its own to run the program in; what is started is ended."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def weft(self, *arguments, stdin=None, **environment):
        clean = {name: value for name, value in os.environ.items()
                 if not name.lower().endswith("_proxy")}
        return subprocess.run([WEFT, *arguments], cwd=self.path, capture_output=True, text=True,
                              input=stdin, env={**clean, **environment}, timeout=PATIENCE_SECONDS)

    def start(self, *arguments):
        process = subprocess.Popen([WEFT, *arguments], cwd=self.path, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def start_demo_site(self, *arguments):
        site = self.start("demo-site", "--port", "0", *arguments)
        return re.search(r"http://127\.0\.0\.1:\d+/", site.stdout.readline())[0]

    def pages(self, folder):
        """What became of each URL, by URL; each has one line."""
        lines = (self.path / folder / "pages/pages.jsonl").read_text().splitlines()[1:]
        entries = [json.loads(line) for line in lines]
        found = {entry["url"]: entry for entry in entries}
        self.assertEqual(len(found), len(entries), "a URL has two lines")
        return found
