"""Stacks of `perf script`, as a tree of functions with the number of samples in each."""

import re
from collections import Counter
from dataclasses import dataclass, field

# By the library, or by the module of a function of Swift: the first kind that matches.
KINDS = [
    ("kernel", re.compile(r"^\[")),
    ("SQLite and GRDB", re.compile(r"sqlite|^GRDB$")),
    ("Swift runtime", re.compile(r"libswift|libFoundation|lib_Foundation|^(Swift|Foundation\w*)$")),
    ("SwiftNIO", re.compile(r"^(C?NIO\w*|_NIO\w*|DequeModule)$")),
    ("C library and Dispatch", re.compile(r"\.so|^Dispatch$|^\?$")),
]
OURS = "Hearth"
LONGEST_NAME = 110
# The kernel is a matter of what it is asked for: its first functions say that.
DEEPEST_KERNEL = 8

SYMBOL = re.compile(r"^\s*[0-9a-f]+ (?P<name>.*) \((?P<library>.*)\)$")
# `$s` and the length of the module's name in front of it; `s` is the standard library, and `S` begins a type of it.
MODULE = re.compile(r"^_?\$s(?:(?P<length>\d+)|(?P<standard>s|S))")


@dataclass(frozen=True)
class Function:
    name: str
    kind: str


@dataclass
class Node:
    samples: int = 0
    children: dict = field(default_factory=dict)

    def add(self, stack, samples):
        """`stack` begins at the root."""
        node = self
        node.samples += samples
        for function in stack:
            node = node.children.setdefault(function, Node())
            node.samples += samples


def stacks(lines):
    """Counts of stacks in the text of `perf script -F comm,ip,sym,dso`, each a thread's name and (name, library) pairs from the root."""
    found = Counter()
    thread, frames = None, []
    for line in [*lines, ""]:
        text = line.rstrip("\n")
        if not text.strip():
            if thread is not None and frames:
                found[(thread, tuple(reversed(frames)))] += 1
            thread, frames = None, []
        elif match := SYMBOL.match(text):
            frames.append((without_offset(match["name"]), match["library"].rsplit("/", 1)[-1]))
        else:
            thread = text.strip()
    return found


def without_offset(name):
    return re.sub(r"\+0x[0-9a-f]+$", "", name)


def module(name):
    """The module of a mangled name of Swift; None for other names."""
    match = MODULE.match(name)
    if not match:
        return None
    if match["standard"]:
        return "Swift"
    start = match.end()
    return name[start : start + int(match["length"])]


def kind(name, library):
    """What a function belongs to. The program contains packages, whose functions say so in their names."""
    where = module(name) or library
    return next((kind for kind, pattern in KINDS if pattern.search(where)), OURS)


def tree(counts, readable):
    """`readable` gives names without their mangling; names that it does not have stay as they are."""
    root = Node()
    for (thread, frames), samples in counts.items():
        root.add(stack(thread, frames, readable), samples)
    return root


def stack(thread, frames, readable):
    """The functions of a stack that say something."""
    found = [Function(thread_name(thread), "thread")]
    kernel = 0
    for name, library in frames:
        function = Function(shortened(readable.get(name, name)), kind(name, library))
        kernel += function.kind == "kernel"
        # Thunks only pass a call on; a function and its specialization have one name.
        if name == "[unknown]" or function.name.startswith("thunk for ") or function == found[-1] or kernel > DEEPEST_KERNEL:
            continue
        found.append(function)
    return found


def thread_name(name):
    """Dispatch names its threads after a queue, of which Linux keeps the last fifteen letters."""
    if "qos" not in name:
        return name
    return "Dispatch, queues with threads of their own" if name.endswith("overcommit") else "Dispatch"


def shortened(name):
    """Without what says nothing about where the time is spent."""
    for noise in ("specialized ", "merged ", "partial apply for ", "generic specialization "):
        name = name.replace(noise, "")
    while (simpler := re.sub(r"<[^<>]*>", "", name)) != name and not simpler.startswith("operator"):
        name = simpler
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
