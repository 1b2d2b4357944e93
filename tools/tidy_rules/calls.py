"""Calls and includes that have a better place, each with its replacement."""

import re
from dataclasses import dataclass

# The machine is reached only through these two, so that a simulation can take its place.
MACHINE = ("base", "aio")


@dataclass(frozen=True)
class Ban:
    pattern: str
    instead: str
    allowed_in: tuple = ()     # libraries
    everywhere: bool = True    # also in tests, benchmarks and examples


def words(*names):
    """Calls of these functions, not members or our own of the same name in another scope."""
    return r"(?<![\w.>:])(?:std::|::)?(?:" + "|".join(names) + r")\s*\("


CALLS = [
    Ban(r"\bstd::(?:basic_)?regex\w*\b", "RE2 for users' patterns, a written parser for ours"),
    Ban(words("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "atoi", "atol",
              "atoll", "atof", "stoi", "stol", "stoul", "stoll", "stoull", "stod", "sscanf"),
        "std::from_chars, which says when it fails"),
    Ban(words("sprintf", "vsprintf", "snprintf", "vsnprintf", "strcpy", "strcat", "strncpy",
              "gets", "strtok"),
        "fmt::format and std::string"),
    Ban(words("rand", "srand", "srandom", "drand48"), "Random of base/random.h"),
    Ban(words("system", "popen"), "a child process of aio"),
    Ban(words("isalnum", "isalpha", "isdigit", "isspace", "isxdigit", "isprint", "isupper",
              "islower", "ispunct", "tolower", "toupper"),
        "base/bytes.h: these depend on the locale, and a char may be negative"),
    Ban(words("assert"), "WEFT_ASSERT, which release builds keep"),
    Ban(r"\bstd::endl\b", "'\\n'"),
    Ban(r"\bstd::this_thread::sleep_\w+|" + words("sleep", "usleep", "nanosleep"),
        "aio::sleep; in tests simulated time", MACHINE, everywhere=False),
    Ban(r"\b(?:system|steady|high_resolution|utc)_clock::now\b|"
        + words("clock_gettime", "gettimeofday", "time", "localtime", "localtime_r"),
        "the Clock of base/clock.h", MACHINE, everywhere=False),
    Ban(r"\bstd::(?:random_device|mt19937(?:_64)?|default_random_engine)\b|"
        + words("getrandom", "getentropy", "arc4random"),
        "Random of base/random.h", MACHINE, everywhere=False),
    Ban(r"\bRandom::from_system\b",
        "the loop's random(), or secret_seed() of base/hash.h for the places in a table", MACHINE,
        everywhere=False),
    Ban(r"\bstd::(?:basic_)?[oi]?fstream\b|"
        + words("fopen", "freopen", "tmpfile", "mkstemp", "openat", "unlink", "fsync",
                "fdatasync", "ftruncate", "mmap", "opendir"),
        "aio::FileSystem", MACHINE, everywhere=False),
    Ban(r"\b(?:std::filesystem|fs)::(?:exists|is_\w+|file_size|create_\w+|remove\w*|rename|copy\w*"
        r"|resize_file|last_write_time|status|canonical|absolute|current_path|space"
        r"|temp_directory_path|(?:recursive_)?directory_iterator)\b",
        "aio::FileSystem", MACHINE, everywhere=False),
    Ban(r"(?<![\w>])::(?:open|socket|connect|bind|listen|accept4?|send|sendto|recv|recvfrom|read"
        r"|write|close|poll|select|pipe2?|fork|stat|rename)\s*\(|"
        + words("socketpair", "epoll_create1?", "epoll_wait", "getaddrinfo", "gethostbyname",
                "setsockopt", "execvp?e?", "posix_spawnp?"),
        "the streams, files and resolver of aio", MACHINE, everywhere=False),
    Ban(r"\bstd::(?:thread|jthread|async)\b|" + words("pthread_create"),
        "an Executor of aio", MACHINE, everywhere=False),
    # The member `client` of a crawl's Config is what that function starts from.
    Ban(r"\bhttp::ClientOptions\s+(?!client;)\w+",
        "client_options() of crawl/visit/client_options.h: another client would go round the proxy",
        ("http", "cli", "demo"), everywhere=False),
    Ban(r"\bstd::(?:cout|cerr|clog)\b|\bfmt::print\b|" + words("printf", "fprintf", "puts"),
        "base/log.h; only cli prints", ("base", "cli"), everywhere=False),
    Ban(r"\.dump\s*\(", "to_json_text of cli/show/json_text.h, which spells what is not seen",
        everywhere=False),
]

INCLUDES = [
    Ban(r"regex", "RE2, or a written parser"),
    Ban(r"cassert|assert\.h", "base/assert.h"),
    Ban(r"ctype\.h|cctype", "base/bytes.h"),
    Ban(r"iostream", "fmt/format.h", everywhere=False),
    Ban(r"fstream|dirent\.h|sys/(?:stat|mman|file)\.h", "aio::FileSystem", MACHINE,
        everywhere=False),
    Ban(r"sys/(?:socket|epoll|un|uio|eventfd|timerfd)\.h|net/\S+|netinet/\S+|netdb\.h"
        r"|arpa/inet\.h|poll\.h|ares\w*\.h",
        "the streams and the resolver of aio", MACHINE, everywhere=False),
    Ban(r"unistd\.h|fcntl\.h|sys/random\.h|sys/wait\.h|pthread\.h|thread|future",
        "aio and base, which a simulation can replace", (*MACHINE, "cli"), everywhere=False),
]


# What stands before a call and would otherwise look like the type of a declaration.
BEFORE_A_CALL = {"return", "co_return", "co_await", "co_yield", "throw", "else", "case", "do"}


def no_banned_calls(tree):
    for ban in CALLS:
        pattern = re.compile(ban.pattern)
        for file in bound_by(ban, tree):
            for match in pattern.finditer(file.code):
                name = match[0].rstrip("( \t")
                if not declares(file.code, match):
                    yield file.finding(file.line_at(match.start()), "banned-call",
                                       f"{name}: use {ban.instead}")


def declares(code, match):
    """`WallTime time(...)` names something of our own; `return time(...)` calls."""
    if not match[0].endswith("(") or ":" in match[0]:
        return False
    before = re.search(r"(\w+|[\w>][&*]+|\w>)\s+$", code[max(0, match.start() - 80):match.start()])
    return bool(before) and before[1] not in BEFORE_A_CALL


def no_banned_includes(tree):
    for ban in INCLUDES:
        pattern = re.compile(rf"^\s*#\s*include\s*<({ban.pattern})>", re.MULTILINE)
        for file in bound_by(ban, tree):
            for match in pattern.finditer(file.text):
                yield file.finding(file.line_at(match.start(1)), "banned-include",
                                   f"<{match[1]}>: use {ban.instead}")


def bound_by(ban, tree):
    for file in tree.cpp():
        if file.library not in ban.allowed_in and (file.library or ban.everywhere):
            yield file
