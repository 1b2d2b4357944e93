"""The .deb files: made, installed into roots of their own, used: package_test.py BUILD CPACK."""

import json
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
SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCS = SOURCE / "docs"
OF_THE_LIBRARIES = "aio.md", "from-asyncio.md", "library.md"
PATIENCE_SECONDS = 300


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                          check=True, **options)


def installed(root, *packages):
    """Installs packages, and none that they depend on, as root of a machine of their own. Those are
    this machine's."""
    for name in "info", "updates":
        (root / "var/lib/dpkg" / name).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    run("dpkg", f"--root={root}", "--force-depends", "--force-not-root",
        "--force-script-chrootless", "--install", *packages)
    return root


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def names(depends):
    """Of packages, without their versions."""
    return {name.split()[0] for name in depends.split(",")}


def setUpModule():
    for tool in "dpkg", "dpkg-deb", "dpkg-shlibdeps":
        if not shutil.which(tool):
            raise unittest.SkipTest(f"no {tool}")
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    global SCRATCH, PACKAGES
    SCRATCH = pathlib.Path(folder.name)
    run(CPACK, "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", SCRATCH / "made")
    PACKAGES = {path.name.split("_")[0]: path for path in (SCRATCH / "made").glob("*.deb")}


def field(package, name):
    return run("dpkg-deb", "--field", PACKAGES[package], name).stdout.strip()


class Libraries(unittest.TestCase):
    """libweft-aio-dev and libweft-dev. The test InstallAio builds programs with the first."""

    @classmethod
    def setUpClass(cls):
        cls.aio = installed(SCRATCH / "aio", PACKAGES["libweft-aio-dev"])
        cls.all = installed(SCRATCH / "all", *PACKAGES.values())

    def test_no_file_is_in_two_packages(self):
        apart = [files_below(installed(SCRATCH / f"only-{name}", path) / "usr")
                 for name, path in PACKAGES.items()]
        self.assertEqual(len(apart), 3)
        self.assertEqual(sum(map(len, apart)), len(files_below(self.all / "usr")))

    def test_aio_has_its_two_libraries_and_nothing_of_the_others(self):
        files = files_below(self.aio / "usr")
        self.assertEqual({name for name in files if name.endswith((".a", ".pc"))},
                         {"lib/libweft_base.a", "lib/libweft_aio.a", "lib/pkgconfig/weft-base.pc",
                          "lib/pkgconfig/weft-aio.pc"})
        self.assertEqual({name.split("/")[2] for name in files if name.startswith("include/")},
                         {"base", "aio"})
        self.assertIn("share/doc/libweft-aio-dev/copyright", files)
        self.assertIn("share/doc/libweft-aio-dev/guide/aio.md", files)

    def test_the_libraries_hold_code_that_any_linker_reads(self):
        for library in (self.all / "usr/lib").glob("*.a"):
            self.assertNotIn(b"BC\xc0\xde", library.read_bytes(), library.name)

    def test_each_says_what_it_is(self):
        said = {name: field(name, "Description").splitlines()[0] for name in PACKAGES}
        self.assertEqual(said, {
            "weft": "crawls web sites, archives them, checks their links",
            "libweft-aio-dev": "asyncio for C++ coroutines, to build programs with",
            "libweft-dev": "a web crawler's parts, to build programs with"})

    def test_they_ask_for_what_is_built_with(self):
        self.assertEqual(names(field("libweft-aio-dev", "Depends")),
                         {"libfmt-dev", "libssl-dev", "libc-ares-dev", "libxxhash-dev", "pkgconf"})
        version = field("libweft-dev", "Version")
        self.assertIn(f"libweft-aio-dev (= {version})", field("libweft-dev", "Depends"))
        listed = {line.split()[0] for line in
                  (SOURCE / "packages/build.txt").read_text().splitlines()
                  if line and not line.startswith("#")}
        for package in "libweft-aio-dev", "libweft-dev":
            self.assertLessEqual(names(field(package, "Depends")) - {"libweft-aio-dev"}, listed)
        guide = re.search(r"apt install (clang.*)", (DOCS / "guide/aio.md").read_text())[1].split()
        self.assertLessEqual(set(guide), listed)
        self.assertLessEqual(names(field("libweft-aio-dev", "Depends")), set(guide))

    def test_every_library_is_known_to_pkg_config_with_all_that_it_links(self):
        environment = {"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": self.all / "usr/lib/pkgconfig"}
        for library in (self.all / "usr/lib").glob("libweft_*.a"):
            name = library.stem.removeprefix("libweft_")
            said = run("pkg-config", "--cflags", "--libs", f"weft-{name}", env=environment).stdout
            self.assertIn(f"-lweft_{name} ", said)
            self.assertIn("-lweft_base ", said)

    def test_every_link_between_the_documents_leads_somewhere_in_the_package(self):
        self.assertEqual(broken_links(self.aio / "usr"), [])
        self.assertEqual(broken_links(self.all / "usr"), [])

    def test_the_presets_of_the_guides_make_these_packages(self):
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())
        workflows = {workflow["name"] for workflow in presets["workflowPresets"]}
        for page in "aio.md", "library.md":
            named = re.findall(r"--workflow --preset (\S+)", (DOCS / "guide" / page).read_text())
            self.assertLessEqual({name.strip("`") for name in named}, workflows)
        variables = {preset["name"]: preset.get("cacheVariables", {})
                     for preset in presets["configurePresets"]}
        for name in "package-dev", "package-aio":
            self.assertNotIn("CMAKE_INTERPROCEDURAL_OPTIMIZATION", variables[name])


class Program(unittest.TestCase):
    """The package weft."""

    @classmethod
    def setUpClass(cls):
        cls.package = PACKAGES["weft"]
        cls.root = installed(SCRATCH / "root", cls.package)
        cls.weft = cls.root / "usr/bin/weft"

    def test_it_is_installed_and_holds_the_program_alone(self):
        status = run("dpkg", f"--root={self.root}", "--status", "weft").stdout
        self.assertIn("Status: install ok installed", status)
        files = files_below(self.root / "usr")
        self.assertEqual({f"usr/{name}" for name in files}, {
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
