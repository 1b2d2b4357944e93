"""tools/include-output: the commands of the documentation work, and say what it shows.

include_output_test.py BUILD_FOLDER [CLASS...]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools/include-output"

# A command in a code block, whether marked by a $ or not.
COMMAND = re.compile(r"^(?:\$ | {4,}\$ | {4,}(?=(?:\./)?weft [a-z-]))(?P<command>.+?)(?: +#.*)?$",
                     re.MULTILINE)
# Text of other kinds than commands: a workflow, a program.
OTHER_BLOCK = re.compile(r"^```(?!console)\w+\n.*?^```\n", re.MULTILINE | re.DOTALL)
# A block that is the tool's, with the marker above it.
RUN_BLOCK = re.compile(r"^<!-- run[^:]*: .+? -->\n```console\n.*?^```\n", re.MULTILINE | re.DOTALL)
# What another test does as it is written here, and that test.
ELSEWHERE = re.compile(r"^<!-- tested by: (?P<path>\S+) -->\n+(?:(?: {4}.*)?\n)+", re.MULTILINE)
# What sets the stage, and cannot be a part of it.
STAGE = re.compile(r"git clone <|\./test\b|(\./)?weft demo-site( &)?$|examples/ladder/play$")


def commands_not_run(text):
    """The commands in a page's code blocks that nothing runs."""
    for match in ELSEWHERE.finditer(text):
        if not (ROOT / match["path"]).is_file():
            yield match["path"]
    text = ELSEWHERE.sub("", OTHER_BLOCK.sub("", RUN_BLOCK.sub("", text)))
    for match in COMMAND.finditer(text):
        if not STAGE.match(match["command"]):
            yield match["command"]


def code_blocks(text):
    return re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL)


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, "--build", BUILD, *arguments],
                          capture_output=True, text=True, check=False)


class Shown(unittest.TestCase):
    """Every command works and says what is shown; in parts, as each takes its time."""

    def check(self, pages):
        result = run("--check", *pages)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)


class Guide(Shown):
    def test_every_command_works_and_says_what_is_shown(self):
        self.check([ROOT / "README.md", *sorted(ROOT.glob("docs/guide/*.md"))])


class Ladder(Shown):
    def test_every_command_works_and_says_what_is_shown(self):
        self.check(sorted(ROOT.glob("docs/ladder/**/*.md")))


class Documentation(Shown):
    def test_every_command_elsewhere_works_too(self):
        elsewhere = [page for page in sorted(ROOT.glob("docs/**/*.md"))
                     if page.relative_to(ROOT).parts[1] not in ("guide", "ladder")]
        self.assertGreater(len(elsewhere), 5)
        self.check(elsewhere)

    def test_no_command_is_shown_that_nothing_runs(self):
        pages = [ROOT / "README.md", *ROOT.glob("docs/guide/*.md"),
                 *ROOT.glob("docs/ladder/**/*.md")]
        self.assertGreater(len(pages), 20)
        for page in pages:
            self.assertEqual(list(commands_not_run(page.read_text())), [], page)

    def test_every_option_that_is_named_exists(self):
        weft = BUILD / "src/cli/weft"
        man = subprocess.run([weft, "--generate", "man"], capture_output=True, text=True,
                             check=True).stdout
        known = set(re.findall(r"--[a-z][a-z0-9-]+", man.replace("\\-", "-"))) | {"--all"}
        for page in [ROOT / "README.md", *ROOT.glob("docs/guide/*.md")]:
            text = re.sub(r"(?m)^.*\b(cmake|timeout|pkg-config) .*$", "", page.read_text())
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", text))
            of_tools = {option for tool in re.findall(r"\btools/([a-z0-9-]+)", text)
                        for option in re.findall(r'add_argument\("(--[a-z-]+)"',
                                                 (ROOT / "tools" / tool).read_text())}
            self.assertEqual(named - known - of_tools, set(), page.name)

    def test_what_the_book_says_of_its_figures_holds(self):
        stored = json.loads((ROOT / "docs/ladder/figures.json").read_text())
        of = {row["name"]: row["figures"] for row in stored["rows"]}
        for name in ("3_spin", "4_callbacks", "5_coroutines"):
            self.assertGreater(of["2_threads"]["busy_rate"], of[name]["busy_rate"] / 2,
                               "chapters 2 and 6: on few busy connections threads keep up")
        self.assertGreater(of["3_spin"]["sleepy_cpu_us"], 2 * of["2_threads"]["sleepy_cpu_us"],
                           "chapter 3: most of its work is asking")
        for name in ("4_callbacks", "5_coroutines", "6_aio"):
            self.assertGreater(of["2_threads"]["sleepy_cpu_us"], of[name]["sleepy_cpu_us"],
                               "chapter 6: many waiting threads pay for their switches")
        self.assertGreater(of["5_coroutines"]["connection_kib"],
                           2 * of["4_callbacks"]["connection_kib"], "chapter 5: the buffer")

    def test_every_program_of_the_ladder_is_run_in_the_book(self):
        book = "".join(page.read_text() for page in (ROOT / "docs/ladder").glob("*.md"))
        for program in sorted((ROOT / "examples/ladder").glob("*.cpp")):
            self.assertRegex(book, rf"<!-- run[^:]*: {program.stem}\b")

    def test_every_chapter_is_translated_with_the_same_programs(self):
        for page in (ROOT / "docs/ladder").glob("*.md"):
            other = (ROOT / "docs/ladder/zh" / page.name).read_text()
            marks = [line for line in page.read_text().splitlines() if line.startswith("<!-- ")]
            self.assertEqual([line for line in other.splitlines() if line.startswith("<!-- ")],
                             marks, page.name)

    def test_a_translation_shows_the_same_code_and_links_to_the_same_files(self):
        for page in (ROOT / "docs/ladder").glob("*.md"):
            text = page.read_text()
            other = (ROOT / "docs/ladder/zh" / page.name).read_text()
            self.assertEqual(code_blocks(other), code_blocks(text), page.name)
            targets = [set(re.findall(r"\]\(([^)#]+)\)", each)) for each in (text, other)]
            outside = {f"../{target}" if target.startswith("../") else target
                       for target in targets[0] if target != f"zh/{page.name}"}
            self.assertEqual(targets[1] - {f"../{page.name}"}, outside, page.name)


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "docs/ladder/zh").mkdir(parents=True)
        self.page = self.root / "docs/ladder/page.md"
        self.translation = self.root / "docs/ladder/zh/page.md"

    def test_puts_the_output_under_the_command(self):
        self.page.write_text("Above.\n\n<!-- run: printf 'a\\nb\\n' -->\n\nBelow.\n")

        self.assertEqual(run("--root", self.root).returncode, 0)
        self.assertEqual(self.page.read_text(),
                         "Above.\n\n<!-- run: printf 'a\\nb\\n' -->\n```console\n"
                         "$ printf 'a\\nb\\n'\na\nb\n```\n\nBelow.\n")
        self.assertEqual(run("--check", "--root", self.root).returncode, 0)

    def test_commands_run_as_they_are_written(self):
        # Ports were replaced on the way, and hid that no reader had what the chapters ask for.
        urls = ["http://127.0.0.2:8080/", "http://127.0.0.2:8081/", "https://127.0.0.1:8443/"]
        self.page.write_text("".join(
            f"<!-- run: 5_coroutines --list {url} | grep -c '^200 /$' -->\n" for url in urls))
        result = run("--root", self.root)
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(self.page.read_text().count("\n1\n"), 3)

        guide = self.root / "docs/page.md"
        guide.write_text("<!-- run, exits 1: 1_blocking http://127.0.0.2:8080/ 2>/dev/null || "
                         "exit 1 -->\n<!-- run, exits 4: weft fetch -q http://127.0.0.2:8081/ "
                         ">/dev/null 2>&1 -->\n")
        result = run("--root", self.root, guide)
        self.assertEqual((result.returncode, result.stdout), (0, ""),
                         "outside of the book there is weft and its demo site, and no more")

    def test_the_folder_of_the_run_is_not_shown(self):
        self.page.write_text("<!-- run: pwd -->\n")

        run("--root", self.root)
        self.assertIn("$ pwd\n~\n", self.page.read_text())

    def test_a_difference_is_seen_and_not_written(self):
        text = "<!-- run: echo new -->\n```console\n$ echo new\nold\n```\n"
        self.page.write_text(text)

        result = run("--check", "--root", self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("not what the programs say", result.stdout)
        self.assertEqual(self.page.read_text(), text)

    def test_what_varies_is_run_but_not_compared(self):
        self.page.write_text("<!-- run, varies: echo new -->\n```console\n$ echo new\nold\n```\n")
        self.assertEqual(run("--check", "--root", self.root).returncode, 0)

        self.page.write_text("<!-- run, varies: false -->\n```console\n$ false\n```\n")
        result = run("--check", "--root", self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("false: exit status 1", result.stdout)

    def test_of_a_bare_command_the_output_is_not_shown(self):
        self.page.write_text("<!-- run, bare: ./weft --version; echo https://example.com/ -->\n")

        self.assertEqual(run("--root", self.root).returncode, 0)
        self.assertEqual(self.page.read_text().split("```console\n")[1],
                         "$ ./weft --version; echo https://example.com/\n```\n")

    def test_a_long_output_may_be_cut(self):
        self.page.write_text("<!-- run, first 2: seq 9 -->\n")

        self.assertEqual(run("--root", self.root).returncode, 0)
        self.assertIn("$ seq 9\n1\n2\n...\n```\n", self.page.read_text())

    def test_a_command_that_nothing_runs_is_seen(self):
        for page in ["```console\n$ weft crawl x\n```\n", "    $ weft crawl x\n",
                     "    weft crawl x\n", "<!-- tested by: tests/none -->\n\n    $ make\n"]:
            self.assertEqual(len(list(commands_not_run(page))), 1, page)
        for page in ["<!-- run: weft crawl x -->\n```console\n$ weft crawl x\n```\n",
                     "<!-- tested by: README.md -->\n\n    $ make\n    $ make x\n",
                     "    $ ./test Ladder   # all\n", "Say weft crawl x.\n"]:
            self.assertEqual(list(commands_not_run(page)), [], page)

    def test_an_exit_status_may_be_named(self):
        self.page.write_text("<!-- run, exits 3: exit 3 -->\n```console\n$ exit 3\n```\n")
        self.assertEqual(run("--check", "--root", self.root).returncode, 0)

    def test_a_translation_shows_what_the_page_shows(self):
        self.page.write_text("<!-- run, varies: date +%N -->\n")
        self.translation.write_text("上\n\n<!-- run, varies: date +%N -->\n")

        run("--root", self.root)
        self.assertEqual(self.translation.read_text(), "上\n\n" + self.page.read_text())

    def test_figures_are_those_up_to_the_step(self):
        rows = [{"step": n, "cells": [str(n)], "cells_zh": [f"第{n}"]} for n in (1, 2, 3)]
        (self.root / "docs/ladder/figures.json").write_text(
            json.dumps({"columns": ["step"], "columns_zh": ["步"], "rows": rows}))
        self.page.write_text("<!-- figures: 2 -->\n")
        self.translation.write_text("<!-- figures: 1 -->\n")

        self.assertEqual(run("--root", self.root).returncode, 0)
        self.assertEqual(self.page.read_text(),
                         "<!-- figures: 2 -->\n| step |\n|---|\n| 1 |\n| 2 |\n")
        self.assertEqual(self.translation.read_text(),
                         "<!-- figures: 1 -->\n| 步 |\n|---|\n| 第1 |\n")


if __name__ == "__main__":
    unittest.main()
