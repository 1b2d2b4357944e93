"""tools/tidy: each rule catches its bad sample at the right line and lets the good one pass."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

import tidy_rules  # noqa: E402

LEFTOVER = "TO" + "DO"  # In two halves: this file is checked too.
MACHINE_PATH = "/wo" + "rk/main"

# A small tree in which nothing is wrong; samples are put on top of it.
CLEAN = {
    "README.md": "# weft\n\nSee [the section](#use) and `src/base/a.h`.\n\n## Use\n",
    "src/base/CMakeLists.txt": "weft_library(base HEADERS a.h PRIVATE_HEADERS x.h SOURCES a.cpp)\n",
    "src/base/README.md": "# base\n",
    "src/base/x.h": "#pragma once\n",
    "src/base/a.h": "#pragma once\nnamespace weft {\nstruct Thing {};\n}\n",
    "src/base/a.cpp": '#include "base/a.h"\n',
    "src/web/CMakeLists.txt": "weft_library(web HEADERS b.h SOURCES b.cpp)\n",
    "src/web/b.h": '#pragma once\n#include "base/a.h"\n',
    "src/web/b.cpp": '#include "web/b.h"\n',
    "src/web/README.md": "# web\n\n`full` is a room with as many files as a room may have.\n",
} | {f"src/web/full/{number}.inc": "" for number in range(30)}


def body(line_count):
    return "void f() {\n" + "    g();\n" * (line_count - 2) + "}\n"


# rule: (file, text with the finding on the line marked by ^^ in its end, or on line 1)
BAD = [
    ("assertion", "src/web/b.cpp", "void f() {\n    WEFT_ASSERT(a == 1);^^\n}\n"),
    ("assertion", "src/web/b.cpp", "int x = parse(text).value();\n"),
    ("assertion", "src/web/b.h", "#pragma once\nint x = list.at(1) + more->at(2);^^\n"),
    ("assertion", "docs/internals/assertions.md",
     "# A\n\n| [b.cpp](../../src/web/b.cpp) | `gone == 1` | our own |^^\n"),
    ("layer", "src/base/a.cpp", '#include "base/a.h"\n#include "web/b.h"^^\n'),
    ("layer", "src/web/b.h", '#pragma once\n#include "b.h"^^\n'),
    ("layer", "src/web/b.h", '#pragma once\n#include "base/gone.h"^^\n'),
    ("private-header", "src/web/b.h", '#pragma once\n#include "base/x.h"^^\n'),
    ("private-header", "examples/01_hello.cpp", '\n#include "base/x.h"^^\n'),
    ("room", "src/web/full/one_more.inc", ""),
    ("door", "src/web/README.md", "# web\n"),
    ("door", "src/base/README.md", "# base\n" + "\n" * 38 + "^^\n\n"),
    ("one-type", "src/web/b.cpp", "namespace weft {\nstruct Thing final : A<B> {^^\n};\n}\n"),
    ("banned-call", "src/web/b.cpp", "const auto seed = Random::from_system()();\n"),
    ("layer", "src/odd/c.h", "#pragma once\n"),
    ("listed", "src/web/c.h", "#pragma once\n"),
    ("listed", "src/web/CMakeLists.txt", "weft_library(web HEADERS b.h\n  b.cpp d.cpp)^^\n"),
    ("file-length", "tools/x.sh", "true\n" * 600 + "true^^\n"),
    ("line-length", "src/web/b.cpp", "\n// " + "x" * 98 + "^^\n"),
    ("function-length", "src/web/b.cpp", body(71)),
    ("function-length", "src/web/b.cpp",
     "namespace weft {\nclass A {\n    A() : a_(1) {^^\n" + "g();\n" * 70 + "}\n};\n}\n"),
    ("banned-call", "src/web/b.cpp", "\nconst std::regex pattern(text);^^\n"),
    ("banned-call", "src/web/b.cpp", "int f() {\n    return atoi(text);^^\n}\n"),
    ("banned-call", "src/web/b.cpp", "int x = std::stoi(text);\n"),
    ("banned-call", "src/web/b.cpp", "void f() {\n    snprintf(a, 1, b);^^\n}\n"),
    ("banned-call", "src/web/b.cpp", "int x = rand();\n"),
    ("banned-call", "src/web/b.cpp", "bool x = std::isspace(c);\n"),
    ("banned-call", "src/web/b.cpp", "auto now = std::chrono::steady_clock::now();\n"),
    ("banned-call", "src/web/b.cpp", "std::random_device device;\n"),
    ("banned-call", "src/web/b.cpp", "std::ofstream out(path);\n"),
    ("banned-call", "src/web/b.cpp", "auto x = fopen(path, mode);\n"),
    ("banned-call", "src/web/b.cpp", "bool x = std::filesystem::exists(path);\n"),
    ("banned-call", "src/web/b.cpp", "int x = ::socket(a, b, c);\n"),
    ("banned-call", "src/web/b.cpp", "int x = ::open(path, 0);\n"),
    ("banned-call", "src/web/b.cpp", "std::jthread worker;\n"),
    ("banned-call", "src/web/b.cpp", "void f() { std::this_thread::sleep_for(1s); }\n"),
    ("banned-call", "src/web/b.cpp", 'void f() { fmt::print("x"); }\n'),
    ("banned-call", "src/web/b.cpp", "void f() {\n    http::ClientOptions mine;^^\n}\n"),
    ("banned-call", "src/web/b.cpp", "std::string x = tree.dump(2);\n"),
    ("banned-include", "src/web/b.cpp", "\n#include <regex>^^\n"),
    ("banned-include", "src/web/b.cpp", "#include <sys/socket.h>\n"),
    ("banned-include", "src/web/b.cpp", "#include <fstream>\n"),
    ("catch-all", "src/web/b.cpp",
     "Co<> f() {\n    try {\n        co_await g();\n    } catch (...) {^^\n    }\n}\n"),
    ("task-lambda", "src/web/b.cpp",
     "void f() {\n    group.create_task([&]() -> Co<> {^^\n        co_await g(x);\n    }());\n}\n"),
    ("task-lambda", "tests/web/b_test.cpp",
     "void f() {\n    create_task([this] { return 1; }());\n"
     "    create_task(\n        [x]() -> Co<int> { co_return x; }());^^\n}\n"),
    ("co-await", "src/web/b.cpp", "Co<> f() {\n    g(co_await a(),\n      co_await b());^^\n}\n"),
    ("shared-state", "src/web/b.cpp", "void f() {\n    thread_local std::string room;^^\n}\n"),
    ("shared-state", "src/web/b.cpp", "void f() {\n    static std::vector<int> seen;^^\n}\n"),
    ("shared-state", "src/web/b.cpp", "static char room[100];\n"),
    ("scratch", "src/web/b.cpp", "Co<> f() {\n    const Scratch<std::string, struct X> room;\n"
     "    if (a) {\n        co_await g(*room);^^\n    }\n}\n"),
    ("scratch", "src/web/b.cpp", "Co<> f() {\n    const Scratch<std::array<char, 9>, X> room;\n"
     "    co_yield 1;^^\n}\n"),
    ("link", "README.md", "# weft\n\n[gone](docs/gone.md)^^\n"),
    ("link", "README.md", "# weft\n\n[gone](#no-such-section)^^\n"),
    ("link", "docs/a.md", "# A\n\n[up](../README.md#nowhere)^^\n"),
    ("named-file", "README.md", "# weft\n\nIt is in `src/base/gone.h`.^^\n"),
    ("title", "docs/a.md", "Text without a title.\n"),
    ("title", "docs/a.md", "# One\n\n# Two^^\n"),
    ("leftover", "src/web/b.cpp", f"\n// {LEFTOVER}: later^^\n"),
    ("leftover", "tests/web/b_test.cpp", "\nTEST(B, DISABLED" + "_Holds) {}^^\n"),
    ("machine-path", "README.md", f"# weft\n\nIt lives in {MACHINE_PATH}.^^\n"),
    ("comment", "src/web/b.cpp", "\n// " + "-" * 20 + "^^\n"),
    ("comment", "src/web/b.h", "#pragma once\n// @param a a number^^\n"),
    ("space", "src/web/b.cpp", "int x; ^^\n"),
    ("space", "src/web/b.cpp", "int x;"),
    ("pragma-once", "src/web/b.h", "int x;\n"),
]

# What comes close to a rule and is right.
GOOD = [
    ("src/base/a.cpp", "void f() { WEFT_ASSERT(a == 1); }\n"),
    ("src/web/b.cpp", "int x = parse(text).value_or(1);  // Not .value().\n"),
    ("src/web/b.cpp",
     "// tidy: allow assertion: the text is a constant.\nint x = parse(text).value();\n"),
    ("src/base/a.cpp", "auto now = std::chrono::steady_clock::now();\nint x = ::open(path, 0);\n"),
    ("src/web/b.cpp", body(70)),
    ("src/web/b.cpp", "// One could call atoi(x) or std::regex.\n"),
    ("src/web/b.cpp", 'const char* x = "atoi(1) std::regex { {";\nconst char y = \'"\';\n'),
    ("src/web/b.cpp", "constexpr int kMany = 1'000'000;\nconstexpr int kMore = 2'000;\n"),
    ("src/web/b.cpp", "WallTime time(text);\nint open(int x);\nvoid f() { file.open(1); }\n"),
    ("src/base/a.cpp", '#include "base/x.h"\n'),
    ("src/web/b.cpp", "namespace weft {\nnamespace {\nstruct Thing {\n};\n}\n}\n"),
    ("src/web/b.cpp", "namespace weft::web {\nclass Thing;\nstruct Thing {\n};\n}\n"),
    ("src/web/b.cpp", "namespace weft {\nstruct Thing::Part {\n};\n}\n"),
    ("src/web/b.cpp", "constexpr Row kRows[] = {\n" + "    {1, f(2)},\n" * 200 + "};\n"),
    ("src/web/b.cpp", "class A {\n" + "    int f() { return 1; }\n" * 200 + "};\n"),
    ("src/web/b.cpp", "int x = rand();  // tidy: allow banned-call: the sample wants it\n"),
    ("src/web/b.cpp",
     "Co<> f() {\n    try {\n        co_await g();\n    } catch (...) {\n        close();\n"
     "        throw;\n    }\n}\n"),
    ("src/web/b.cpp", "void f() {\n    try {\n        g();\n    } catch (...) {\n    }\n}\n"),
    ("src/web/b.cpp",
     "Co<> f() {\n    const int a = co_await g();\n    co_return co_await h(a);\n}\n"),
    ("src/web/b.cpp", "void f() {\n    create_task(work(items[0], x));\n    create_task(g(\n"
     "        [] { return 1; }));\n}\n"),
    ("src/web/b.cpp", "Co<> f() {\n    {\n        const Scratch<std::string, X> room;\n"
     "        g(*room);\n    }\n    co_await h();\n}\n"),
    ("src/web/b.cpp", "void f() {\n    static const int a = 1;\n    static std::mutex m;\n"
     "    static constexpr int b[] = {1};\n}\nclass A {\n    static int f(int a = 1);\n"
     "    static A make() { return {}; }\n};\n"),
    ("src/web/b.cpp", 'const char* x = R"(' + "x" * 200 + ')";\n'),
    ("README.md", "# weft\n\n```\n# not a title\n[x](gone.md)\n```\n\n`[x](gone.md)` and "
     "[web](https://example.com/#a), [code](src/base/), `src/base/a`\n"),
]


class Tidy(unittest.TestCase):
    def findings(self, *samples):
        """What is found in the clean tree with the samples put on top."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (CLEAN | dict(samples)).items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [str(finding) for finding in tidy_rules.findings(folder)]

    def test_clean_tree_passes(self):
        self.assertEqual(self.findings(), [])

    def test_each_rule_catches_its_bad_sample(self):
        for rule, path, text in BAD:
            line = text[:text.index("^^")].count("\n") + 1 if "^^" in text else 1
            with self.subTest(rule=rule, text=text[:80]):
                found = self.findings((path, text.replace("^^", "")))

                wanted = f"{path}:{line}: {rule}: "
                self.assertTrue(any(entry.startswith(wanted) for entry in found), found)

    def test_what_only_comes_close_passes(self):
        for path, text in GOOD:
            with self.subTest(text=text[:80]):
                found = self.findings((path, text))

                self.assertEqual(found, [])

    def test_an_assertion_needs_a_row_with_its_file_and_its_code(self):
        code = "void f() {\n    WEFT_ASSERT(\n        a == 1);\n    WEFT_ASSERT(b);\n}\n"
        row = "# A\n\n| [b.cpp](../../src/web/b.cpp) | `a == 1` | our own |\n"

        found = self.findings(("src/web/b.cpp", code), ("docs/internals/assertions.md", row))

        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("src/web/b.cpp:4: assertion: "), found)

    def test_an_allowance_needs_a_reason(self):
        found = self.findings(("src/web/b.cpp", "int x = rand();  // tidy: allow banned-call\n"))

        self.assertEqual(len(found), 1)

    def test_every_rule_has_a_bad_sample(self):
        sources = "".join(path.read_text() for path in (ROOT / "tools/tidy_rules").glob("*.py"))
        names = set(re.findall(r'\.finding\([^"]*?"([a-z-]+)"', sources, re.DOTALL))

        self.assertEqual(names, {rule for rule, _, _ in BAD})

    def test_the_tree_passes(self):
        run = subprocess.run([str(ROOT / "tools/tidy")], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)

        self.assertEqual(run.returncode, 0, "\n" + run.stdout)


if __name__ == "__main__":
    unittest.main()
