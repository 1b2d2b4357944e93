"""The rules of tools/tidy: functions from a Tree to Findings."""

from . import assertions, calls, coroutines, docs, layers, lengths, rooms, words
from .tree import Tree

RULES = [
    assertions.assertions_are_listed,
    layers.includes_point_downwards,
    layers.files_are_listed,
    layers.public_headers_show_public_ones,
    rooms.rooms_are_small,
    rooms.each_library_has_a_door,
    rooms.one_name_is_one_type,
    lengths.files_are_short,
    lengths.lines_are_short,
    lengths.functions_are_short,
    calls.no_banned_calls,
    calls.no_banned_includes,
    coroutines.catch_all_rethrows,
    coroutines.no_capturing_lambda_as_task,
    coroutines.one_await_a_statement,
    coroutines.no_shared_state,
    coroutines.no_pause_beside_scratch,
    docs.links_resolve,
    docs.named_files_exist,
    docs.one_title,
    words.no_leftovers,
    words.no_machine_paths,
    words.plain_comments,
    words.clean_space,
]


def findings(root):
    tree = Tree(root)
    found = {finding for rule in RULES for finding in rule(tree)}
    return sorted(finding for finding in found if not tree.allows(finding))
