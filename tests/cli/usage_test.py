"""What the program says of what was typed: usage_test.py PATH_TO_WEFT. Only loopback."""

import json
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Scratch  # noqa: E402

DEAD = "http://127.0.0.1:1/"  # Nobody is there.


class Usage(Scratch):
    def refused(self, *arguments, **environment):
        """The one line that a wrong command line gets."""
        run = self.weft(*arguments, XDG_CONFIG_HOME=str(self.path), **environment)
        self.assertEqual(run.returncode, 2, (arguments, run.stdout, run.stderr))
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, r"\Aweft: error: [^\n]+\n\Z")
        return run.stderr.removeprefix("weft: error: ").rstrip("\n")

    def shown(self, *arguments, **environment):
        run = self.weft("--dry-run", *arguments, XDG_CONFIG_HOME=str(self.path), **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.splitlines()

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)


class Words(Usage):
    def test_commands(self):
        self.assertEqual(self.refused(), "'weft' needs a command; see 'weft --help'")
        self.assertEqual(self.refused("craw", DEAD),
                         "there is no command 'craw'; did you mean 'crawl'?")
        self.assertEqual(self.refused("resume"),
                         "'weft resume' needs the folder; see 'weft resume --help'")
        self.assertEqual(self.refused("resume", "a", "b"),
                         "'weft resume' has no use for 'b'; see 'weft resume --help'")
        self.assertEqual(self.refused("warc", "lss"),
                         "there is no command 'lss'; did you mean 'ls'?")

    def test_help_is_a_command_too(self):
        for words, same in [(["help"], ["--help"]), (["help", "crawl"], ["crawl", "--help"])]:
            self.assertEqual(self.weft(*words).stdout, self.weft(*same).stdout)

    def test_words_of_wget(self):
        shown = self.shown("crawl", "-np", "-P", "elsewhere", "-D", "*.Example.com,b.test", DEAD)
        for line in ["no-parent = true", "directory-prefix = 'elsewhere'",
                     "domains = ['*.Example.com', 'b.test']"]:
            self.assertIn(line, shown)
        self.assertEqual(self.refused("crawl", "-D", "http://b.test/", DEAD),
                         "--domains 'http://b.test/': not a domain; write it like example.com")

    def test_words_of_others_are_answered_with_ours(self):
        for words, option, way in [
                (["-k"], "-k", "--mirror DIR"),
                (["--convert-links"], "--convert-links", "--mirror DIR"),
                (["-E"], "-E", "--mirror DIR"), (["-m"], "-m", "--mirror DIR"),
                (["-Zk"], "-Zk", "--mirror DIR"), (["-N"], "-N", "'weft recrawl DIR'"),
                (["--resume", "kept"], "--resume", "'weft resume DIR'"),
                (["--continue"], "--continue", "'weft resume DIR'"),
                (["--explain", "http://a.test/"], "--explain", "'weft explain DIR URL'"),
                (["--reject=zip"], "--reject", "--exclude"),
                (["-e", "robots=off"], "-e", "--robots off"),
                (["--generateWACZ"], "--generateWACZ", "--wacz")]:
            message = self.refused("crawl", *words, DEAD)
            self.assertTrue(message.startswith(f"'weft crawl' has no option '{option}': "), message)
            self.assertIn(way, message)
        self.assertEqual(self.refused("crawl", "--mirror", DEAD),
                         f"--mirror '{DEAD}': not a folder; write it like --mirror DIR URL")
        self.assertIn("has no option '--convert-links'; see 'weft serve --help'",
                      self.refused("serve", "--convert-links"))

    def test_names_of_warc_files(self):
        self.assertIn("warc-file = 'weft'", self.shown("crawl", DEAD))
        for name, why in [("a/b", "not a name but a path"), ("", "not a name for files"),
                          (".x", "not a name for files"), ("x" * 201, "not a name for files")]:
            self.assertIn(f"--warc-file '{name}': {why}",
                          self.refused("crawl", "--warc-file", name, DEAD))

    def test_options(self):
        self.assertEqual(self.refused("crawl", "--depht", "2", DEAD),
                         "'weft crawl' has no option '--depht'; did you mean '--depth'?")
        self.assertEqual(self.refused("crawl", "-Z", DEAD),
                         "'weft crawl' has no option '-Z'; see 'weft crawl --help'")
        self.assertEqual(self.refused("crawl", DEAD, "--output"),
                         "--output needs a value: DIR; see 'weft crawl --help'")
        self.assertEqual(self.refused("--config"),
                         "--config needs a value: FILE; see 'weft --help'")

    def test_values(self):
        for option, value, message in [
                ("--scope", "all", "takes page, prefix, host, domain or any, not 'all'"),
                ("--depth", "x", "takes a whole number, not 'x'"),
                ("--depth", "-1", "takes a whole number, not '-1'"),
                ("--wait", "-1", "takes a number from 0 to 86400, not '-1'"),
                ("--wait", "nan", "takes a number from 0 to 86400, not 'nan'"),
                ("--threads", "0", "takes a whole number from 1 to 1024, not '0'"),
                ("--ports", "99999", "takes a whole number from 1 to 65535, not '99999'"),
                ("--quota", "1Q", "takes a size, such as 500K, 20M or '1 GiB', not '1Q'"),
                ("--memory", "10", "takes 64.0 MiB or more, not '10'"),
                ("--quiet=maybe", None, "--quiet takes true or false, not 'maybe'"),
                ("--include", "(", "'(': missing ): ("),
                ("--allow-net", "x", "'x': not an address range; write it like 10.0.0.0/8"),
                ("--ca-certificate", "absent", "'absent': there is no such file"),
                ("--psl", "absent", "'absent': there is no such file"),
                ("--scope", "\x1b[31m", "or any, not '\\x1b[31m'")]:
            words = [option] if value is None else [option, value]
            self.assertIn(message, self.refused("crawl", *words, DEAD))
            self.assertTrue(self.refused("crawl", *words, DEAD).startswith(option.split("=")[0]))

    def test_the_memory_that_is_asked_for_is_enough(self):
        """It said: give 1.25 GiB, and refused 1.25 GiB."""
        refusal = self.refused("crawl", "--concurrency", "10000", "--memory", "64MiB", DEAD)
        least = int(re.search(r"give (\d+) MiB or more", refusal)[1])

        self.shown("crawl", "--concurrency", "10000", "--memory", f"{least}MiB", DEAD)
        self.assertIn("too little", self.refused("crawl", "--concurrency", "10000", "--memory",
                                                 f"{least - 1}MiB", DEAD))

    def test_words_for_the_same_cannot_hold_at_once(self):
        for words in [["--strict", "--lenient"], ["--scope", "any", "--strict"],
                      ["--requisites", "none", "-p"]]:
            self.assertIn("cannot hold at once: give one of them",
                          self.refused("crawl", *words, DEAD))

    def test_of_a_value_given_twice_the_last_holds(self):
        lines = self.shown("crawl", "-o", "a", "-o", "b", "--wait", "1", "--wait", "2",
                           "--include", "x", "--include", "y", DEAD)

        for line in ["output = 'b'", "wait = 2", "include = ['x', 'y']"]:
            self.assertIn(line, lines)

    def test_a_seed_is_named_as_it_was_typed(self):
        self.assertEqual(self.refused("crawl", ""), "bad URL '': empty; write one, such as "
                                                    "https://example.com/")
        self.assertIn("bad URL 'exa mple.com': ", self.refused("crawl", "exa mple.com"))
        self.assertIn("-i - reads standard input", self.refused("crawl"))

    def test_the_name_of_a_list_is_not_taken_for_a_host(self):
        self.write("my seeds.txt", DEAD)
        self.write("seeds.txt", DEAD)
        self.assertEqual(self.refused("crawl", "seeds.txt"),
                         "'seeds.txt' is a file here; to start from the URLs in it: -i seeds.txt; "
                         "to crawl the host of that name: http://seeds.txt/")
        self.assertIn("'./my seeds.txt' is no URL but a path; to start from the URLs in it: "
                      "-i './my seeds.txt'", self.refused("crawl", "./my seeds.txt"))

    def test_an_agent_that_cannot_be_sent_is_refused_at_once(self):
        for agent in ["", " x/1", "x\ny"]:
            self.assertIn("--user-agent '", self.refused("crawl", "-U", agent, DEAD))
        self.assertIn("--from '", self.refused("crawl", "--from", "a\nb", DEAD))

    # It was refused only when the first request was sent, once the folder was made.
    def test_a_field_of_two_lines_is_refused_at_once(self):
        for command in ["crawl", "fetch"]:
            self.assertIn("--header 'a: [removed]': a field of a request is one line of text",
                          self.refused(command, "-H", "a: b\r\nc: d", DEAD))


class Sources(Usage):
    def test_every_name_of_an_option_is_a_key_and_a_variable(self):
        named = self.write("a.toml", "level = 3\n")
        self.assertIn("depth = 3", self.shown("--config", named, "crawl", DEAD))
        self.assertIn("depth = 4", self.shown("crawl", DEAD, WEFT_LEVEL="4"))

    def test_a_stronger_word_for_the_same_wins(self):
        named = self.write("a.toml", "strict = true\npage-requisites = true\n")
        lines = self.shown("--config", named, "crawl", "--scope", "any", "--requisites", "none",
                           DEAD)
        for line in ["scope = 'any'", "strict = false", "page-requisites = false"]:
            self.assertIn(line, lines)
        named = self.write("b.toml", "scope = 'any'\n")
        lines = self.shown("--config", named, "crawl", DEAD, WEFT_STRICT="true")
        for line in ["scope = 'host'", "strict = true"]:
            self.assertIn(line, lines)

    def test_a_bad_value_is_named_with_its_place(self):
        for text, message in [
                ("\nwait = 'x'\n", ":2: --wait takes a number from 0 to 86400, not 'x'"),
                ("depth = 2.5\n", ":1: --depth takes a whole number, not '2.5'"),
                ("include = ['a', '(']\n", ":1: --include '(': missing ): ("),
                ("allow-net = 'x'\n", ":1: --allow-net 'x': not an address range"),
                ("no-archive = 'maybe'\n", ":1: --no-archive takes true or false, not 'maybe'"),
                ("memory = 3\n", ":1: --memory takes 64.0 MiB or more, not '3'")]:
            named = self.write("bad.toml", text)
            self.assertIn("bad.toml" + message, self.refused("--config", named, "crawl", DEAD))
        self.assertEqual(self.refused("crawl", DEAD, WEFT_DEPTH="abc"),
                         "$WEFT_DEPTH: --depth takes a whole number, not 'abc'")

    def test_flags_said_in_other_words_are_kept_as_true_and_false(self):
        lines = self.shown("crawl", DEAD, "--wacz=0", WEFT_NO_ARCHIVE="yes", WEFT_QUIET="1",
                           WEFT_LINKS="off")
        for line in ["no-archive = true", "quiet = true", "links = false", "wacz = false"]:
            self.assertIn(line, lines)
        self.weft("crawl", "--tries", "1", "-o", "kept", DEAD, WEFT_NO_ARCHIVE="yes")
        self.assertEqual(self.weft("resume", "kept").returncode, 4)

    def test_an_empty_variable_says_nothing(self):
        lines = self.shown("crawl", DEAD, WEFT_DEPTH="", WEFT_NO_ARCHIVE="", WEFT_INCLUDE="")
        for line in ["# depth is not set", "no-archive = false", "# include is not set"]:
            self.assertIn(line, lines)

    def test_a_file_that_is_none_is_named(self):
        self.assertIn("there is no such file", self.refused("--config", "absent", "crawl", DEAD))
        self.assertIn("there is no such file", self.refused("--config", ".", "crawl", DEAD))

    def test_resume_shows_its_options_and_does_nothing(self):
        self.weft("crawl", "-q", "--tries", "1", "--depth", "3", "-o", "kept", DEAD)
        before = (self.path / "kept/pages/pages.jsonl").read_text()

        lines = self.shown("resume", "kept", "--wait", "2", "--retry-failed")

        self.assertEqual(lines[0], "[resume]")
        for line in ["depth = 3", "wait = 2", f"url = ['{DEAD}']"]:
            self.assertIn(line, lines)
        self.assertEqual((self.path / "kept/pages/pages.jsonl").read_text(), before)


    # They were ignored without a word.
    def test_resume_takes_settings_that_its_folder_does_not_keep(self):
        self.weft("crawl", "-q", "--tries", "1", "-o", "kept", DEAD)
        named = self.write("a.toml", "color = 'never'\nwait = 7\n")
        for command in ["resume", "recrawl"]:
            lines = self.shown("--config", named, command, "kept", WEFT_PROGRESS="none",
                               WEFT_DEPTH="3")
            for line in ["color = 'never'", "progress = 'none'", "# wait is not set",
                         "# depth is not set"]:
                self.assertIn(line, lines)


class WayOn(Usage):
    def test_the_command_to_type_is_one_that_can_be_typed(self):
        folder = "it's mine & yours"
        self.weft("crawl", "-q", "--tries", "1", "-o", folder, DEAD)

        self.assertIn("`weft resume 'it'\\''s mine & yours'`",
                      self.refused("crawl", "-o", folder, DEAD))

    def test_lists_of_other_systems_are_read(self):
        (self.path / "list").write_bytes(b"\xef\xbb\xbf# mine\r\n" + DEAD.encode() + b"\r\n")
        run = self.weft("crawl", "-q", "--tries", "1", "-o", "kept", "-i", "list")
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertEqual(list(self.pages("kept")), [DEAD])
        (self.path / "list").write_bytes(b"\xef\xbb\xbf" + DEAD.encode() + b"\r\n")
        run = self.weft("crawl", "-q", "--tries", "1", "-o", "again", "-i", "list")
        self.assertEqual(list(self.pages("again")), [DEAD])


class Nought(Usage):
    """0 is no limit, wherever a limit is given: as with wget and Browsertrix."""

    def test_it_is_no_limit(self):
        home = self.start_demo_site("--pages", "20")
        noughts = [word for name in ("limit", "quota", "max-time", "host-limit", "host-quota",
                                     "host-time", "domain-limit", "domain-quota", "domain-time",
                                     "hosts-per-domain", "pattern-limit", "max-body-size",
                                     "rate-limit", "limit-rate") for word in ("--" + name, "0")]
        run = self.weft("crawl", "--wait", "0", "--max-per-host", "8", "-o", "all", *noughts, home)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(self.pages("all")), 30)

    def test_it_lifts_the_limit_of_a_crawl_that_is_resumed(self):
        home = self.start_demo_site("--pages", "20")
        first = self.weft("crawl", "--wait", "0", "--limit", "3", "-o", "kept", home)
        self.assertEqual(first.returncode, 14, first.stderr)
        self.assertEqual(len(self.pages("kept")), 3)
        rest = self.weft("resume", "--limit", "0", "kept")
        self.assertEqual(rest.returncode, 0, rest.stderr)
        self.assertGreater(len(self.pages("kept")), 30)

    def test_help_says_so(self):
        help_text = self.weft("crawl", "--help").stdout
        self.assertRegex(help_text, r"--limit N .*0, here and below: no limit")
        self.assertRegex(help_text, r"--rate-limit N .*0: no limit")
        self.assertRegex(help_text, r"--limit-rate RATE .*0: no limit")


class Names(Usage):
    def test_warc_files_are_named_as_asked_and_go_on_so(self):
        home = self.start_demo_site("--pages", "20")
        self.weft("crawl", "--wait", "0", "--limit", "5", "--warc-file", "example-2026",
                  "--warc-cdx", "--jsonl", "--wacz", "-o", "kept", home)
        self.weft("resume", "--limit", "10", "kept")
        names = [path.name for path in (self.path / "kept/archive").iterdir()]
        self.assertEqual(len(names), 2)
        for name in names:
            self.assertRegex(name, r"^example-2026-\d+-0000[01]\.warc\.gz$")
        log = (self.path / "kept/logs/crawl.jsonl").read_text().splitlines()
        self.assertEqual({json.loads(line)["url"] for line in log}, set(self.pages("kept")))
        for path in (self.path / "kept/archive").iterdir():
            self.assertEqual(self.weft("warc", "verify", path).returncode, 0)


if __name__ == "__main__":
    unittest.main()
