"""What goes wrong around a crawl, as a user meets it: trouble_test.py PATH_TO_WEFT.

Every end says what, where, why and what next; nothing is lost, and `resume` ends the crawl as if
nothing had happened (H87 to H96, H99, H101).
"""

import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import PATIENCE_SECONDS, WEFT, Scratch  # noqa: E402


def can(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=10).returncode == 0
    except OSError:
        return False


# What each class needs besides, where the machine does not give it.
MISSING = {
    "Mounts": None if can("unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt")
    else "no user namespace to mount a small disk in",
    "Network": None if can("unshare", "-rn", "ip", "link", "set", "lo", "up")
    else "no network namespace to unplug",
    "Traces": None if can("strace", "-f", "-o", "/dev/null", "-e",
                          "inject=fdatasync:error=EIO:when=1", "true")
    else "no strace, or no right to use it",
}


class Trouble(Scratch):
    def setUp(self):
        super().setUp()
        self.home = self.start_demo_site("--pages", "20")
        self.command = ["crawl", "--wait", "0", "--max-per-host", "8"]

    def truth(self):
        run = self.weft(*self.command, "-o", "whole", self.home)
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.essence("whole")

    def essence(self, folder):
        return {url: (row["ending"], row.get("status"), row.get("size"), row.get("digest"))
                for url, row in self.pages(folder).items()}

    def resume(self, folder="kept"):
        run = self.weft("resume", folder)
        self.assertEqual(run.returncode, 0, run.stderr)

    def assert_whole(self, truth, folder="kept"):
        self.assertEqual(self.essence(folder), truth)
        archives = sorted((self.path / folder / "archive").glob("*.warc.gz"))
        verify = self.weft("warc", "verify", *map(str, archives))
        self.assertEqual(verify.returncode, 0, verify.stderr)


class Disk(Trouble):

    def test_h87_a_limit_on_file_sizes_is_named(self):
        truth = self.truth()

        run = subprocess.run(
            [WEFT, *self.command, "-o", "kept", self.home], cwd=self.path, capture_output=True,
            text=True, timeout=PATIENCE_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)))

        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertRegex(run.stderr, r"weft: error: cannot write kept/archive/\S+\.warc\.gz: File "
                                     r"too large \(what was committed is safe; allow larger files")
        self.assertIn("weft resume kept", run.stderr)
        self.resume()
        self.assert_whole(truth)

    def test_h88_a_path_that_is_a_file_is_refused_and_a_missing_one_is_made(self):
        (self.path / "file").write_text("mine")

        run = self.weft("crawl", "-o", "file", self.home)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("cannot make the directory file", run.stderr)
        self.assertEqual((self.path / "file").read_text(), "mine")
        run = self.weft(*self.command, "-o", "a/b/c", self.home)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_h88_a_folder_removed_in_the_middle_ends_the_crawl(self):
        self.end_by(lambda: os.rename(self.path / "kept", self.path / "moved"))
        self.resume("moved")
        self.end_by(lambda: subprocess.run(["rm", "-rf", self.path / "kept"], check=True))

    def end_by(self, take_away):
        crawl = self.start("crawl", "--wait", "0.01", "--warc-max-size", "20k", "-o", "kept",
                           self.home)
        while not list(self.path.glob("kept/archive/*.warc.gz")) and crawl.poll() is None:
            pass
        take_away()

        _, errors = crawl.communicate(timeout=PATIENCE_SECONDS)

        self.assertEqual(crawl.returncode, 3, errors)
        self.assertRegex(errors, r"error: cannot [\w ]+ kept/\S+: No such file or directory")
        self.assertFalse((self.path / "kept").exists())


class Descriptors(Trouble):
    def test_h96_few_open_files_make_a_crawl_slower_and_nothing_else(self):
        truth = self.truth()

        run = subprocess.run(
            [WEFT, "crawl", "--wait", "0", "--max-per-host", "200", "-o", "kept", self.home],
            cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("weft: 16 fetches at once, not 256: only 64 files may be open", run.stderr)
        self.assert_whole(truth)

    def test_h96_as_many_files_as_allowed_may_be_open(self):
        run = subprocess.run(
            [WEFT, *self.command, "-o", "kept", self.home], cwd=self.path, capture_output=True,
            text=True, timeout=PATIENCE_SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 4096)))

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("files may be open", run.stderr)


class State(Trouble):
    def test_an_empty_file_left_in_the_archive_goes(self):
        truth = self.truth()
        archive = self.path / "whole/archive"
        before = sorted(archive.iterdir())
        (archive / "weft-20200101000000-00001.warc.gz").touch()

        self.resume("whole")

        self.assertEqual(sorted(archive.iterdir()), before)
        self.assert_whole(truth, "whole")

    def interrupted(self):
        run = self.weft(*self.command, "--limit", "60", "-o", "kept", self.home)
        self.assertEqual(run.returncode, 14, run.stderr)

    def go_on(self):
        return self.weft("resume", "kept", "--limit", "1000000")

    def test_h90_damaged_state_is_named_and_never_begun_anew(self):
        self.interrupted()
        chance = random.Random(90)
        whole = self.path / "whole-state"
        shutil.copytree(self.path / "kept", whole)
        files = [file for file in (whole / "state/frontier").iterdir()
                 if file.name != "lock" and file.stat().st_size > 0]
        named = 0
        for _ in range(30):
            shutil.rmtree(self.path / "kept")
            shutil.copytree(whole, self.path / "kept")
            file = self.path / "kept/state/frontier" / chance.choice(files).name
            content = bytearray(file.read_bytes())
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            file.write_bytes(content)
            run = self.go_on()
            self.assertIn(run.returncode, (0, 3), run.stderr)
            if run.returncode == 3:
                named += 1
                self.assertRegex(run.stderr, r"weft: error: kept/state/frontier/\S+ .*(damaged|no "
                                             r"file of a crawl|another version|not the log).*put "
                                             r"the file")
        self.assertGreater(named, 8)  # Elsewhere, such as in a log's last lines, it does no harm.

    def test_h90_missing_state_is_named(self):
        self.interrupted()
        for name in ["manifest", "log"]:
            shutil.copytree(self.path / "kept", self.path / "copy")
            file = next((self.path / "copy/state/frontier").glob(name + "*"))
            file.unlink()
            run = self.weft("resume", "copy")
            self.assertEqual(run.returncode, 3, (name, run.stderr))
            self.assertIn("missing", run.stderr)
            self.assertRegex(run.stderr, "put (the file|state/frontier) back")
            self.assertIn("weft repair", run.stderr)
            shutil.rmtree(self.path / "copy")
        run = self.weft("resume", "whatever")
        self.assertEqual(run.returncode, 2)
        self.assertIn("whatever holds no crawl to go on with", run.stderr)

    def test_h91_what_is_torn_or_foreign_at_the_archives_end_is_cut_off(self):
        truth = self.truth()
        for tail in [b"\x1f\x8b\x08torn", b"garbage" * 1000, b"\0"]:
            self.interrupted()
            archive, = (self.path / "kept/archive").glob("*.warc.gz")
            with archive.open("ab") as file:
                file.write(tail)
            run = self.go_on()
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assert_whole(truth)
            shutil.rmtree(self.path / "kept")

    def test_h92_a_second_weft_on_the_same_crawl_is_told_who_has_it(self):
        crawl = self.start("crawl", "--wait", "0.05", "-o", "kept", self.home)
        while not (self.path / "kept/state/crawl.toml").exists() and crawl.poll() is None:
            pass

        resume = self.weft("resume", "kept")
        anew = self.weft("crawl", "-o", "kept", self.home)

        self.assertEqual(resume.returncode, 3)
        self.assertRegex(resume.stderr, r"kept/state/frontier is in use by another process "
                                        rf"\({crawl.pid}\); wait for it to end, or stop it")
        self.assertEqual(anew.returncode, 2)
        self.assertIn("kept holds a crawl already: go on with it by `weft resume kept`",
                      anew.stderr)
        self.assertIsNone(crawl.poll())

    def test_h85_a_folder_without_a_crawl_yet_is_begun_again(self):
        # As a kill in the first moments leaves it.
        (self.path / "kept/state/frontier").mkdir(parents=True)
        (self.path / "kept/state/frontier/lock").touch()

        run = self.weft(*self.command, "-o", "kept", self.home)

        self.assertEqual(run.returncode, 0, run.stderr)


class Pipes(Trouble):

    def test_h101_closed_and_full_pipes_hold_nothing_up(self):
        truth = self.truth()
        head = subprocess.run(
            ["sh", "-c", f"{WEFT} {' '.join(self.command)} -o kept {self.home} | head -n 1; "
                         f"{WEFT} {' '.join(self.command)} -o closed {self.home} >&- 2>&-"],
            cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        self.assertIn("URLs in", head.stdout)
        self.assertEqual(head.returncode, 0, head.stderr)
        self.assert_whole(truth)
        self.assert_whole(truth, "closed")

        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            while True:
                os.write(write, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(write, True)
        run = subprocess.run([WEFT, *self.command, "-o", "full", self.home], cwd=self.path,
                             stdout=subprocess.DEVNULL, stderr=write, timeout=PATIENCE_SECONDS)
        os.close(read)
        os.close(write)
        self.assertEqual(run.returncode, 0)
        self.assert_whole(truth, "full")


class Mounts(Trouble):
    def test_h87_a_full_disk_ends_the_crawl_and_resume_ends_it_well(self):
        truth = self.truth()
        script = f"""
            mkdir disk && mount -t tmpfs -o size=300k tmpfs disk
            {WEFT} {" ".join(self.command)} --disk-reserve 0 -o disk/kept {self.home} \
                >said 2>complaint
            echo $? >status
            mount -o remount,size=64m disk
            {WEFT} resume disk/kept >said 2>complaint-again
            echo $? >>status
            cp -r disk/kept kept"""
        subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=self.path, check=True,
                       timeout=PATIENCE_SECONDS)

        self.assertEqual((self.path / "status").read_text().split(), ["3", "0"])
        complaint = (self.path / "complaint").read_text()
        self.assertRegex(complaint, r"weft: error: cannot write disk/kept/\S+: No space left on "
                                    r"device \(what was committed is safe; free some space there")
        self.assertIn("weft resume disk/kept", complaint)
        self.assert_whole(truth)

    def test_h87_a_crawl_ends_before_the_disk_is_full(self):
        """Without a reserve a crawl filled the disk for all who use it."""
        truth = self.truth()
        script = f"""
            mkdir disk && mount -t tmpfs -o size=64m tmpfs disk
            {WEFT} {" ".join(self.command)} --disk-reserve 65M -o disk/kept {self.home} \
                >said 2>complaint
            echo $? >status
            {WEFT} resume disk/kept --disk-reserve 1M >said 2>complaint-again
            echo $? >>status
            cp -r disk/kept kept"""
        subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=self.path, check=True,
                       timeout=PATIENCE_SECONDS)

        complaint = (self.path / "complaint").read_text()
        self.assertEqual((self.path / "status").read_text().split(), ["3", "0"], complaint)
        self.assertIn("less than 65.0 MiB is free on the disk of disk/kept (--disk-reserve)",
                      complaint)
        self.assertIn("weft resume disk/kept", complaint)
        self.assert_whole(truth)

    def test_h88_a_read_only_folder_is_refused_at_once(self):
        script = f"""
            mkdir disk && mount -t tmpfs -o ro tmpfs disk
            {WEFT} crawl -o disk/kept {self.home} 2>complaint
            echo $? >status"""
        subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=self.path, check=True,
                       timeout=PATIENCE_SECONDS)

        self.assertEqual((self.path / "status").read_text().strip(), "3")
        self.assertRegex((self.path / "complaint").read_text(),
                         r"weft: error: cannot make the directory disk/kept\S*: Read-only file "
                         r"system; no crawl was started: make the folder writable, or give another")


    def test_h95_no_crawl_needs_many_files_and_a_mirror_without_room_says_so(self):
        script = f"""
            mkdir disk && mount -t tmpfs -o nr_inodes=40 tmpfs disk
            {WEFT} {" ".join(self.command)} --disk-reserve 0 -o disk/kept {self.home} 2>complaint
            echo $? >status
            {WEFT} mirror disk/kept disk/copy 2>complaint
            echo $? >>status
            {WEFT} mirror disk/kept copy 2>/dev/null
            echo $? >>status"""
        subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=self.path, check=True,
                       timeout=PATIENCE_SECONDS)

        complaint = (self.path / "complaint").read_text()
        self.assertEqual((self.path / "status").read_text().split(), ["0", "3", "0"], complaint)
        self.assertRegex(complaint, r"weft: error: cannot finish the copy in disk/copy: cannot "
                                    r"make \S+: No space left on device \(the crawl is whole; .*"
                                    r"`weft mirror disk/kept disk/copy`\)\n")


class Traces(Trouble):
    def test_h96_a_fetch_without_a_socket_is_made_later(self):
        truth = self.truth()
        for call, error in [("socket", "EMFILE"), ("socket", "ENFILE"), ("socket", "ENOBUFS"),
                            ("connect", "EADDRNOTAVAIL")]:
            run = subprocess.run(
                ["strace", "-f", "-qq", "-o", "trace", "-e",
                 f"inject={call}:error={error}:when=2+3", WEFT, *self.command, "-o",
                 "kept", self.home],
                cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
            self.assertEqual(run.returncode, 0, (error, run.stderr))
            self.assertIn(error, (self.path / "trace").read_text())
            self.assert_whole(truth)
            shutil.rmtree(self.path / "kept")

    def test_an_older_kernel_or_a_strict_sandbox_is_enough(self):
        truth = self.truth()
        for error in ["ENOSYS", "EPERM"]:
            run = subprocess.run(
                ["strace", "-f", "-qq", "-o", "trace", "-e", f"inject=epoll_pwait2:error={error}",
                 WEFT, *self.command, "-o", "kept", self.home],
                cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
            self.assertEqual(run.returncode, 0, (error, run.stderr))
            self.assertIn(error, (self.path / "trace").read_text())
            self.assert_whole(truth)
            shutil.rmtree(self.path / "kept")

    def test_h89_a_disk_that_fails_ends_the_crawl_and_is_not_asked_twice(self):
        truth = self.truth()
        for call, number in [("fdatasync", 3), ("write", 40), ("openat", 60)]:
            run = subprocess.run(
                ["strace", "-f", "-qq", "-o", "trace", "-e",
                 f"inject={call}:error=EIO:when={number}", WEFT, *self.command, "-o", "kept",
                 self.home],
                cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
            if run.returncode == 0:  # It hit what is not the disk: a socket, a library.
                self.assertNotEqual(call, "fdatasync")
            elif run.returncode == 3:
                self.assertIn("Input/output error", run.stderr)
            if (self.path / "kept/state/crawl.toml").exists():
                self.resume()
                self.assert_whole(truth)
            shutil.rmtree(self.path / "kept", ignore_errors=True)

    def test_h93_interrupted_calls_leave_no_holes(self):
        truth = self.truth()
        run = subprocess.run(
            ["strace", "-f", "-qq", "-o", "trace", "-e",
             "inject=write,pread64:error=EINTR:when=5+4",
             WEFT, *self.command, "-o", "kept", self.home],
            cwd=self.path, capture_output=True, text=True, timeout=PATIENCE_SECONDS)

        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("EINTR", (self.path / "trace").read_text())
        self.assert_whole(truth)


class Network(Trouble):
    def test_a_lost_network_ends_the_crawl_and_nothing_is_lost(self):
        for n in range(100):
            page = self.path / f"www/{n}.html"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"<a href=/{n + 1}.html>the only way on</a>")
        crawl = f"{WEFT} crawl --no-sitemaps --read-timeout 2"
        script = f"""
            ip link set lo up; ip addr add 10.9.9.1/32 dev lo
            {WEFT} serve --quiet --bind 10.9.9.1 --port 8080 www >site & site=$!
            until test -s site; do sleep 0.05; done
            {crawl} --wait 0 -o whole http://10.9.9.1:8080/0.html
            {crawl} --wait 0.02 -o kept http://10.9.9.1:8080/0.html >said 2>complaint & crawl=$!
            until test "$(cat kept/archive/*.warc.gz | wc -c)" -gt 20000; do sleep 0.05; done
            ip addr del 10.9.9.1/32 dev lo
            wait $crawl; echo $? >status
            ip addr add 10.9.9.1/32 dev lo
            {WEFT} resume kept; echo $? >>status
            kill $site"""
        run = subprocess.run(["unshare", "-rn", "sh", "-c", script], cwd=self.path,
                             timeout=4 * PATIENCE_SECONDS, capture_output=True, text=True)

        self.assertEqual((self.path / "status").read_text().split(), ["4", "0"], run.stderr)
        complaint = (self.path / "complaint").read_text()
        self.assertIn("the network seems to be down", complaint)
        self.assertIn("weft resume kept", complaint)
        self.assert_whole(self.essence("whole"))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if MISSING.get(name):
            print(f"SKIPPED: {MISSING[name]}")
            sys.exit(0)
    unittest.main()
