"""The folder of a crawl, as others may hand it on: folder_test.py PATH_TO_WEFT. Loopback only."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time
import unittest

from program import PATIENCE_SECONDS, WEFT, Scratch

CALLS = ["write", "fdatasync", "fsync", "rename", "renameat", "ftruncate", "unlink", "unlinkat",
         "openat", "openat2", "mkdirat"]


class Folder(Scratch):
    def setUp(self):
        super().setUp()
        self.url = self.start_demo_site("--pages", "30", "--slow-delay", "0.01")

    def crawl(self, *arguments, output="crawl", status=0):
        run = self.weft("crawl", "--wait", "0", "--max-per-host", "8", "--quiet", "--output",
                        output, *arguments, self.url)
        self.assertEqual(run.returncode, status, run.stderr)
        return self.path / output

    def settings(self, text):
        """Adds to what the folder keeps."""
        path = self.path / "crawl/state/crawl.toml"
        keys = {line.split(" =")[0] for line in text.splitlines()}
        kept = [line for line in path.read_text().splitlines() if line.split(" =")[0] not in keys]
        path.write_text("\n".join([text, *kept]) + "\n")

    def wait_for_pages(self, folder, count):
        log = self.path / folder / "pages/pages.jsonl"
        while not log.exists() or log.read_bytes().count(b"\n") <= count:
            time.sleep(0.005)  # Until the crawl has got so far.


class Trust(Folder):
    """A folder sets nothing and reaches nothing outside of it."""

    def test_options_that_a_crawl_does_not_keep_are_not_taken_from_its_folder(self):
        self.crawl("--limit", "20", status=14)
        victim = self.path / "victim"
        victim.write_text("precious")
        self.settings(f'save-cookies = "{victim}"\nmirror = "{self.path}/mirrored"\n'
                      'netrc = true\n'
                      f'netrc-file = "{victim}"\nload-cookies = "/dev/zero"\n'
                      f'metrics = "127.0.0.1:1"\npsl = "{victim}"\n'
                      f'ca-certificate = "{victim}"\ncert = "{victim}"\nkey = "{victim}"\n'
                      'user = "a:b"\npassword = "c"\noauth2-bearer = "d"\n')

        run = self.weft("resume", "--quiet", "--limit", "1000", "crawl")

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("--save-cookies is not taken from a crawl's folder", run.stderr)
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse((self.path / "mirrored").exists())

    def test_settings_that_are_no_toml_are_an_error_that_names_the_line(self):
        """A key of 300,000 parts overflowed the stack, and so did nested values with such keys."""
        self.crawl("--limit", "20", status=14)
        path = self.path / "crawl/state/crawl.toml"
        kept = path.read_text()
        deep = ".".join(["a"] * 300_000)
        long_text = 'x = ["""\n\'""", {'  # The quote in it begins nothing.
        for text in (f"{deep} = 1", f"[{deep}]", f"[[{deep}]]", '"a"' + ".a" * 300_000 + " = 1",
                     f"x = {{ {deep} = 1 }}", f"{long_text}{deep} = 1}}]",
                     "x = [" + "{a.b = [" * 100_000, "x = " + "[" * 1_000_000,
                     "[{a = 1}]", "[[=", "[\x0b"):  # These met an assertion of the TOML library.
            path.write_text(f"{kept}{text}\n")
            for command in (["resume", "--quiet", "crawl"], ["explain", "crawl", self.url],
                            ["repair", "crawl"]):
                with self.subTest(text=text[:30], command=command[0]):
                    (self.path / "crawl/pages/crawl.toml").unlink(missing_ok=True)
                    run = self.weft(*command)

                    self.assertEqual(run.returncode, 2, run.stderr[-500:])
                    self.assertIn("crawl.toml", run.stderr)

    def test_dots_in_values_are_not_counted(self):
        self.crawl("--limit", "20", status=14)
        many = ", ".join(f'"a.b.c.d.e.{number}"' for number in range(1_000))
        quotes = """'f.g."h', "i.'j" """
        self.settings(f"exclude = [{many}, {quotes}]  # {'a.' * 100}\n")

        run = self.weft("resume", "--quiet", "--limit", "1000", "crawl")

        self.assertEqual(run.returncode, 0, run.stderr)

    def test_explain_reads_no_file_that_the_folder_names(self):
        self.crawl()
        self.settings('load-cookies = "/dev/zero"')

        run = self.weft("explain", "crawl", self.url)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("fetched", run.stdout)

    def test_what_names_a_file_is_given_again(self):
        (self.path / "list").write_text("com\n")
        self.crawl("--limit", "20", "--psl", "list", status=14)

        run = self.weft("resume", "crawl")

        self.assertEqual(run.returncode, 2)
        self.assertIn("started with --psl, which is not saved in its folder: give it again",
                      run.stderr)
        self.assertEqual(self.weft("resume", "--quiet", "--limit", "1000", "--psl", "list",
                                   "crawl").returncode, 0)

    def test_links_in_the_folder_are_not_followed(self):
        whole = self.crawl("--limit", "20", status=14)
        names = [str(path.relative_to(whole)) for path in whole.rglob("*")
                 if path.parent.name != "reports"]
        for name in names:
            shutil.rmtree(self.path / "copy", ignore_errors=True)
            shutil.rmtree(self.path / "outside", ignore_errors=True)
            (self.path / "outside").unlink(missing_ok=True)
            shutil.copytree(whole, self.path / "copy")
            # What is there has the same content, so that only the way to it is wrong.
            outside = self.path / "outside"
            shutil.move(self.path / "copy" / name, outside)
            (self.path / "copy" / name).symlink_to(outside)
            before = self.content(outside)
            for command in [["repair"], ["resume", "--quiet"], ["report"],
                            ["wacz", "-o", "x.wacz"]]:
                self.weft(*command, "copy")
                self.assertEqual(self.content(outside), before, (name, command))

    def content(self, path):
        if path.is_dir():
            return {str(each): each.read_bytes() for each in path.rglob("*") if each.is_file()}
        return path.read_bytes()

    def test_a_link_is_named(self):
        folder = self.crawl("--limit", "20", status=14)
        log = folder / "pages/pages.jsonl"
        shutil.move(log, self.path / "log")
        log.symlink_to(self.path / "log")
        for command in [["resume"], ["report"], ["repair"]]:
            run = self.weft(*command, "crawl")
            self.assertEqual(run.returncode, 3, run.stdout)
            self.assertIn("symbolic link", run.stderr)

    def test_pipes_are_not_opened(self):
        folder = self.crawl("--limit", "20", status=14)
        for name in ["state/crawl.toml", "pages/pages.jsonl"]:
            shutil.rmtree(self.path / "copy", ignore_errors=True)
            shutil.copytree(folder, self.path / "copy")
            (self.path / "copy" / name).unlink()
            os.mkfifo(self.path / "copy" / name)
            for command in [["resume"], ["report"], ["explain"], ["wacz"], ["mirror"]]:
                more = {"explain": [self.url], "mirror": ["target"]}.get(command[0], [])
                if name == "state/crawl.toml" and command[0] in ("report", "wacz", "mirror"):
                    continue
                run = self.weft(*command, "copy", *more)
                self.assertIn(run.returncode, (2, 3), (name, command, run.stdout))

    def test_the_folder_itself_may_be_reached_by_a_link(self):
        self.crawl("--limit", "20", status=14)
        (self.path / "way").symlink_to("crawl")

        self.assertEqual(self.weft("resume", "--quiet", "--limit", "1000", "way").returncode, 0)
        self.assertEqual(self.weft("report", "way/").returncode, 0)


class Settings(Folder):
    def test_settings_that_are_damaged_are_named_and_restored(self):
        folder = self.crawl("--limit", "20", "--depth", "5", status=14)
        path = folder / "state/crawl.toml"
        whole = path.read_text()
        for damaged in ["", "url = [", whole[:30], "\0" * 100, "no-such-option = 1\n", None]:
            if damaged is None:
                path.unlink()
            else:
                path.write_text(damaged)
            run = self.weft("resume", "crawl")
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn("state/crawl.toml", run.stderr)
            self.assertIn("weft repair crawl", run.stderr)

            run = self.weft("repair", "crawl")

            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("state/crawl.toml is restored", run.stdout)
            self.assertEqual(path.read_text(), whole)
        self.assertEqual(self.weft("resume", "--quiet", "--limit", "1000", "crawl").returncode, 0)

    def test_a_folder_without_a_copy_gets_one(self):
        folder = self.crawl("--limit", "20", status=14)
        (folder / "pages/crawl.toml").unlink()
        self.weft("resume", "--quiet", "--limit", "30", "crawl")
        (folder / "state/crawl.toml").write_text("")

        self.assertIn("is restored", self.weft("repair", "crawl").stdout)


class Report(Folder):
    # It said "498555 h" with exit status 0.
    def test_damaged_lines_are_counted_and_named(self):
        folder = self.crawl()
        log = folder / "pages/pages.jsonl"
        lines = log.read_text().splitlines(keepends=True)
        lines[5] = lines[5].replace('"ts"', '"tz"')
        lines[8] = lines[8][:20] + "\n"
        log.write_text("".join(lines))

        run = self.weft("report", "crawl")

        self.assertEqual(run.returncode, 3)
        self.assertIn("2 lines of crawl/pages/pages.jsonl cannot be read, the first is line 6",
                      run.stderr)
        self.assertIn("weft repair crawl", run.stderr)
        self.assertNotRegex(run.stdout, r"\d h")
        self.assertEqual(json.loads(self.weft("report", "--format", "json", "crawl").stdout)
                         ["damaged_lines"], 2)
        self.assertEqual(self.weft("repair", "crawl").returncode, 0)
        self.assertEqual(self.weft("report", "crawl").returncode, 0)

    def test_pages_known_from_the_archive_alone_tell_all_that_it_tells(self):
        folder = self.crawl()
        before = self.pages("crawl")
        (folder / "pages/pages.jsonl").unlink()

        self.assertEqual(self.weft("repair", "crawl").returncode, 0)

        after = self.pages("crawl")
        for url, page in after.items():
            if page.get("revisit"):
                continue
            for name in ["size", "digest", "title", "charset", "address", "status", "mime"]:
                self.assertEqual(page.get(name), before[url].get(name), (url, name))


class Resume(Folder):
    # After a kill 256 contents were stored twice.
    def test_contents_of_the_run_before_are_not_stored_again(self):
        undisturbed = self.stored(self.crawl(output="whole"))
        folder = self.crawl("--limit", "60", status=14)
        for limit in ["90", "1000000"]:
            self.weft("resume", "--quiet", "--limit", limit, "crawl")

        stored = self.stored(folder)

        twice = [payload for payload, count in stored.items() if count > 1]
        expected = [payload for payload, count in undisturbed.items() if count > 1]
        self.assertEqual(sorted(twice), sorted(expected))

    def test_contents_of_a_run_that_was_killed_are_not_stored_again(self):
        undisturbed = self.stored(self.crawl(output="whole"))
        expected = sorted(payload for payload, count in undisturbed.items() if count > 1)
        command = ["crawl", "--wait", "0", "--max-per-host", "8", "--quiet", "--output", "crawl",
                   self.url]
        for count in [20, 60, 100]:
            running = self.start(*command)
            self.wait_for_pages("crawl", count)
            self.end(running)
            command = ["resume", "--quiet", "crawl"]
        run = self.weft(*command)

        self.assertEqual(run.returncode, 0, run.stderr)
        stored = self.stored(self.path / "crawl")
        self.assertEqual(sorted(payload for payload, count in stored.items() if count > 1),
                         expected)

    def stored(self, folder):
        """How often each content of a page is in the archive with its body."""
        count = {}
        for page in self.pages(folder.name).values():
            if page.get("status") == 200 and "payload" in page and not page.get("revisit"):
                count[page["payload"]] = count.get(page["payload"], 0) + 1
        return count

    def test_too_little_memory_is_said_and_the_crawl_can_be_resumed(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

        run = subprocess.run([WEFT, "crawl", "--wait", "0", "--quiet", "--threads", "1", "--output",
                              "small", self.url], cwd=self.path, capture_output=True, text=True,
                             preexec_fn=limit, timeout=PATIENCE_SECONDS)
        if run.returncode != 0:
            self.assertNotIn("bad_alloc", run.stderr)
            self.assertIn("memory", run.stderr)
        if (self.path / "small/state/crawl.toml").exists():
            self.assertEqual(self.weft("resume", "--quiet", "small").returncode, 0)


    # It was "Resource temporarily unavailable" with status 1, where no thread could be had, or a
    # crash of the allocator.
    def test_however_little_memory_there_is_the_message_is_ours(self):
        self.crawl("--limit", "20", status=14)
        seed = ["crawl", "--wait", "0", "--quiet", "--limit", "20", self.url]
        refused = 0
        for size in [40, 48, 60, 70, 90, 100, 150, 255, 256, 270, 300]:
            for number, command in enumerate([seed, ["repair", "crawl"], ["report", "crawl"]]):
                output = ["--output", f"small{size}"] if number == 0 else []
                run = subprocess.run(
                    [WEFT, *command, *output], cwd=self.path, capture_output=True, text=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                          (size << 20, size << 20)),
                    timeout=PATIENCE_SECONDS)
                if run.returncode == 127:
                    continue  # It did not even come to run: its libraries have no room.
                self.assertIn(run.returncode, [0, 3, 14], (size, command, run.stderr))
                if size < 256:
                    self.assertIn("weft needs 256 MiB", run.stderr)
                if run.returncode == 3:
                    refused += 1
                    self.assertIn("weft: error: ", run.stderr)
                    self.assertRegex(run.stderr, "memory|thread")
                    self.assertNotIn("bad_alloc", run.stderr)
            if (self.path / f"small{size}/state/crawl.toml").exists():
                run = self.weft("resume", "--quiet", f"small{size}")
                self.assertIn(run.returncode, [0, 14], run.stderr)
        self.assertGreater(refused, 0)


class Copied(Folder):
    """The folder of a crawl that runs is copied, file after file."""

    COPY_COUNT = 6

    def test_a_copy_goes_on_from_what_it_has_or_names_what_it_lacks(self):
        whole = {url: page["ending"] for url, page in self.pages(self.crawl(output="w")).items()}
        running = self.start("crawl", "--wait", "0.02", "--quiet", "--warc-max-size", "40000",
                             "--output", "crawl", self.url)
        copies = []
        for number in range(self.COPY_COUNT):
            self.wait_for_pages("crawl", number * len(whole) // (self.COPY_COUNT + 1) + 1)
            copies.append(f"copy{number}")
            self.copy("crawl", copies[-1])
        self.end(running)
        for copy in copies:
            run = self.weft("resume", "--quiet", "--wait", "0", copy)
            if run.returncode != 0:
                self.assertEqual(run.returncode, 3, run.stderr)
                self.assertIn(copy, run.stderr)
                self.assertIn("weft repair", run.stderr)
                self.assertEqual(self.weft("repair", copy).returncode, 0)
                run = self.weft("resume", "--quiet", "--wait", "0", copy)
            self.assertEqual(run.returncode, 0, (copy, run.stderr))
            self.assertEqual({url: page["ending"] for url, page in self.pages(copy).items()}, whole)
            verify = self.weft("warc", "verify", *(self.path / copy).glob("archive/*"))
            self.assertEqual(verify.returncode, 0, (copy, verify.stdout))

    def copy(self, source, target):
        try:
            shutil.copytree(self.path / source, self.path / target)
        except shutil.Error:
            pass  # A file that was listed is gone: a copy as good as any.


@unittest.skipUnless(shutil.which("strace"), "needs strace")
class KilledRepair(Folder):
    """kill -9 in `repair`, at calls of the system that change files."""

    SHARE = int(os.environ.get("WEFT_KILLED_REPAIR_STEP", "40"))

    def test_run_again_it_comes_to_the_same_end(self):
        folder = self.crawl("--limit", "40", "--warc-max-size", "40000", status=14)
        first, second, *_ = sorted(folder.glob("archive/*"))
        content = bytearray(first.read_bytes())
        content[len(content) // 2] ^= 0x55
        first.write_bytes(content)
        second.unlink()
        trace = self.path / "trace"
        self.repair_copy("undisturbed", ["strace", "-f", "-qq", "-o", trace, "-e",
                                         "trace=" + ",".join(CALLS)])
        expected = self.result("undisturbed")
        made = re.findall(r"^(\d+) +(\w+)\(", trace.read_text(), re.M)
        most = {}
        for call in set(made):
            most[call[1]] = max(most.get(call[1], 0), made.count(call))
        killed = 0
        for call, count in sorted(most.items()):
            for number in range(1, count + 1, self.SHARE):
                run = self.repair_copy("killed", ["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                                  f"inject={call}:signal=SIGKILL:when={number}"])
                killed += run.returncode != 0
                run = self.weft("repair", "killed")
                self.assertEqual(run.returncode, 0, (call, number, run.stderr))
                self.assertEqual(self.result("killed"), expected, (call, number))
        self.assertGreater(killed, 5)

    def repair_copy(self, name, before):
        shutil.rmtree(self.path / name, ignore_errors=True)
        shutil.copytree(self.path / "crawl", self.path / name)
        return subprocess.run([*before, WEFT, "repair", name], cwd=self.path, capture_output=True,
                              text=True, timeout=PATIENCE_SECONDS)

    def result(self, name):
        folder = self.path / name
        verify = self.weft("warc", "verify", *folder.glob("archive/*"))
        self.assertEqual(verify.returncode, 0, verify.stdout)
        self.assertEqual([path.name for path in folder.glob("repair/*")
                          if path.name in ("plan", "work")], [])
        return (self.pages(name), {path.name: path.read_bytes()
                                   for path in folder.glob("archive/*")},
                (folder / "indexes/index.cdxj").read_text())


if __name__ == "__main__":
    unittest.main()
