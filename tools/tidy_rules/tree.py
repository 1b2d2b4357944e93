"""The files of the project, and views of them that rules share."""

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    what: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.what}"


class Tree:
    def __init__(self, root):
        self.root = Path(root).resolve()
        self.paths = sorted(self._list())
        self.files = {path: File(self.root, path) for path in self.paths}

    def _list(self):
        """What git knows or would add; without git, everything but the build folder. A tree that
        belongs to somebody else is as good: sudo and containers have those."""
        if (self.root / ".git").exists():
            command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
                       "--exclude-standard"]
            listed = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, check=True)
            names = [name.decode() for name in listed.stdout.split(b"\0") if name]
            return {name for name in names if (self.root / name).is_file()}
        found = set()
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in ("build", "__pycache__")]
            found |= {(Path(folder) / name).relative_to(self.root).as_posix() for name in names}
        return found

    def select(self, *suffixes, under=()):
        """Files whose name ends in one of `suffixes`, in one of the top folders `under` or any."""
        return [file for path, file in self.files.items()
                if path.endswith(suffixes)
                and (not under or path.split("/")[0] in under)]

    def cpp(self, *under):
        return self.select(".h", ".cpp", under=under)

    def texts(self):
        return [file for file in self.files.values() if file.is_text]

    def allows(self, finding):
        file = self.files.get(finding.path)
        if file is None or finding.line < 1:
            return False
        near = file.lines[max(0, finding.line - 2):finding.line]
        return any(re.search(rf"tidy: allow {re.escape(finding.rule)}: \S", line) for line in near)


class File:
    TEXT = (".h", ".cpp", ".inc", ".py", ".sh", ".cmake", ".md", ".json", ".txt", ".toml", ".yml",
            ".misses")

    def __init__(self, root, path):
        self.root = root
        self.path = path
        self.name = PurePosixPath(path).name

    @property
    def library(self):
        """`http` for src/http/...; None outside src."""
        parts = self.path.split("/")
        return parts[1] if parts[0] == "src" and len(parts) > 2 else None

    @property
    def top(self):
        return self.path.split("/")[0]

    @property
    def is_data(self):
        """Generated tables and samples: not written by hand, so not bound by style."""
        return self.name.endswith(".gen.inc") or "data" in self.path.split("/")[:-1]

    @cached_property
    def is_text(self):
        return (not self.is_data and self.name != "LICENSE"
                and (self.name.endswith(self.TEXT) or self.is_script))

    @cached_property
    def is_script(self):
        if "." in self.name.lstrip("."):
            return False
        with open(self.root / self.path, "rb") as file:
            return file.read(2) == b"#!"

    @cached_property
    def text(self):
        return (self.root / self.path).read_text(encoding="utf-8", errors="replace")

    @cached_property
    def lines(self):
        return self.text.split("\n")

    @cached_property
    def code(self):
        """C++ with comments, literals and preprocessor lines blanked, every offset kept."""
        return DIRECTIVE.sub(_blank, LITERAL.sub(_blank, self.text))

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def finding(self, line, rule, what):
        return Finding(self.path, line, rule, what)


LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|R"([^()\\ ]{0,16})\(.*?\)\1"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)


def _blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def closing(code, start):
    """The offset of the bracket that closes the one at `start`, or the end of the code."""
    depth = 0
    for match in re.compile(r"[(\[{]|[)\]}]").finditer(code, start):
        depth += 1 if match[0] in "([{" else -1
        if depth == 0:
            return match.start()
    return len(code)
