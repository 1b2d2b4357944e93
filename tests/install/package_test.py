"""The .deb: made, installed into a root of its own, run: package_test.py BUILD CPACK."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from links import broken_links  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
CPACK = sys.argv.pop(1)
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
OF_THE_LIBRARIES = "aio.md", "from-asyncio.md", "library.md"
PATIENCE_SECONDS = 300


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                          check=True, **options)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in "dpkg", "dpkg-deb", "dpkg-shlibdeps":
            if not shutil.which(tool):
                raise unittest.SkipTest(f"no {tool}")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path = pathlib.Path(cls.folder.name)
        run(CPACK, "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", path / "made")
        cls.package, = (path / "made").glob("*.deb")
        cls.root = path / "root"
        for name in "info", "updates":
            (cls.root / "var/lib/dpkg" / name).mkdir(parents=True)
        (cls.root / "var/lib/dpkg/status").touch()
        # Its dependencies are those of this machine: only the package itself goes into the root.
        run("dpkg", f"--root={cls.root}", "--force-depends", "--force-not-root",
            "--force-script-chrootless", "--install", cls.package)
        cls.weft = cls.root / "usr/bin/weft"

    def test_it_is_installed_and_holds_the_program_alone(self):
        status = run("dpkg", f"--root={self.root}", "--status", "weft").stdout
        self.assertIn("Status: install ok installed", status)
        files = {str(path.relative_to(self.root)) for path in (self.root / "usr").rglob("*")
                 if path.is_file()}
        self.assertEqual(files, {
            "usr/bin/weft", "usr/share/man/man1/weft.1", "usr/share/doc/weft/copyright",
            "usr/share/doc/weft/CHANGELOG.md", "usr/share/bash-completion/completions/weft",
            "usr/share/zsh/vendor-completions/_weft",
            "usr/share/fish/vendor_completions.d/weft.fish",
            *(f"usr/share/doc/weft/{part}/{path.name}" for part in ("guide", "reference")
              for path in (DOCS / part).iterdir() if path.name not in OF_THE_LIBRARIES)})

    def test_every_link_between_its_documents_leads_to_one_of_them(self):
        self.assertEqual(broken_links(self.root / "usr/share/doc"), [])

    def test_a_link_that_leads_nowhere_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder)
            (pages / "a.md").write_text(
                "# A b\n[ok](b.md#c) [ok](#a-b) `[](code)` [ok](http://x/)\n"
                "[gone](gone.md) [no such part](b.md#d) [out](../)\n")
            (pages / "b.md").write_text("# C\n")
            self.assertEqual([link for _, link in broken_links(pages)],
                             ["gone.md", "b.md#d", "../"])

    def test_it_names_the_libraries_it_needs(self):
        depends = run("dpkg-deb", "--field", self.package, "Depends").stdout
        for name in "libc6", "libstdc++6", "libssl3", "libc-ares2", "libjemalloc2", "publicsuffix":
            self.assertIn(name, depends)

    def test_it_runs(self):
        self.assertRegex(run(self.weft, "--version").stdout, r"\d+\.\d+\.\d+")
        with tempfile.TemporaryDirectory() as folder:
            demo = run(self.weft, "demo", cwd=folder)
        self.assertIn("358 URLs in ", demo.stdout)

    def test_every_command_and_option_is_in_the_man_page(self):
        page = (self.root / "usr/share/man/man1/weft.1").read_text().replace("\\-", "-")
        helps = run(self.weft, "--help").stdout
        commands = re.findall(r"^  (\w[\w-]*)  ", helps.split("Subcommands:")[1], re.M)
        self.assertIn("crawl", commands)
        for command in commands:
            self.assertIn(f"weft {command}", page)
            for option in re.findall(r"--[a-z][\w-]+", run(self.weft, command, "--help").stdout):
                self.assertIn(option, page, command)

    def test_the_man_page_is_good_roff(self):
        if not shutil.which("man"):
            self.skipTest("no man")
        page = self.root / "usr/share/man/man1/weft.1"
        shown = run("man", "--warnings", "-E", "UTF-8", "-l", page,
                    env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80"})
        self.assertEqual(shown.stderr, "")
        self.assertRegex(shown.stdout, r"--max-per-host")

    def complete(self, *words):
        script = self.root / "usr/share/bash-completion/completions/weft"
        code = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", code, "bash", script, *words).stdout.split()

    def test_bash_completes_commands_options_and_values(self):
        self.assertIn("crawl", self.complete("weft", "cr"))
        self.assertEqual(self.complete("weft", "crawl", "--max-per-h"), ["--max-per-host"])
        self.assertEqual(self.complete("weft", "crawl", "--scope", "pr"), ["prefix"])
        self.assertIn("verify", self.complete("weft", "warc", "v"))
        self.assertIn("--offset", self.complete("weft", "warc", "cat", "--o"))
        self.assertIn("junit", self.complete("weft", "check", "--format", ""))

    def test_the_other_shells_can_read_theirs(self):
        for shell, path in [("zsh", "zsh/vendor-completions/_weft"),
                            ("fish", "fish/vendor_completions.d/weft.fish")]:
            text = (self.root / "usr/share" / path).read_text()
            self.assertIn("max-per-host", text)
            self.assertEqual(text.replace("'\\''", "").count("'") % 2, 0)
            if shutil.which(shell):
                run(shell, "-n", self.root / "usr/share" / path)


if __name__ == "__main__":
    unittest.main()
