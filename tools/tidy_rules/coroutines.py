"""Mistakes that compile and then lose a cancellation or a closure."""

import re

from .tree import closing

IS_COROUTINE = re.compile(r"\bco_(?:await|return|yield)\b")
CATCH_ALL = re.compile(r"\bcatch\s*\(\s*\.\.\.\s*\)\s*(?=\{)")
PASSES_ON = re.compile(r"\bthrow\s*;|\brethrow_exception\b|\bcurrent_exception\b"
                       r"|\bunhandled_exception\b|\bterminate\b|\babort\b")


def catch_all_rethrows(tree):
    """CancelledError is no std::exception so that handlers let it pass; `catch (...)` does not."""
    for file in tree.cpp("src", "examples"):
        if not IS_COROUTINE.search(file.code):
            continue
        for match in CATCH_ALL.finditer(file.code):
            body = file.code[match.end():closing(file.code, match.end())]
            if not PASSES_ON.search(body):
                yield file.finding(file.line_at(match.start()), "catch-all",
                                   "rethrow at its end (throw;): it also catches cancellation")


SPAWN = re.compile(r"\b(?:create_task|ensure_future|spawn)\s*(?=\()")
CAPTURING = re.compile(r"(?<![\w\])])\[\s*[^\]\s][^\]]*\]\s*(?:\([^()]*\)\s*)?"
                       r"(?:mutable\b)?[^{};()]*(?=\{)")


def no_capturing_lambda_as_task(tree):
    """The closure dies at the end of the statement; the task goes on and reads its captures."""
    for file in tree.cpp():
        for spawn in SPAWN.finditer(file.code):
            end = closing(file.code, spawn.end())
            for match in CAPTURING.finditer(file.code, spawn.end() + 1, end):
                body = file.code[match.end():closing(file.code, match.end())]
                if IS_COROUTINE.search(body):
                    yield file.finding(file.line_at(match.start()), "task-lambda",
                                       "a task outlives this closure; pass what it captures as "
                                       "arguments of a function, by value")


def one_await_a_statement(tree):
    for file in tree.cpp("src", "examples"):
        last = None
        for match in re.finditer(r"[;{}]|\bco_await\b", file.code):
            if match[0] != "co_await":
                last = None
            elif last is not None:
                yield file.finding(file.line_at(match.start()), "co-await",
                                   "one co_await a statement; give the first result a name")
            else:
                last = match.start()
