"""Instructions per operation of the cases of HearthBenchmarks, counted by valgrind's callgrind."""

import os
import re
import subprocess
import tempfile


class NothingCounted(Exception):
    """A run of which valgrind has no count: it failed, or valgrind cannot read the program."""


ENVIRONMENT = {
    # The order of a hash table decides what is compared with what.
    "SWIFT_DETERMINISTIC_HASHING": "1",
    # What an allocation costs would depend on what threads have freed before it; with long lists of free blocks nearly all cost the same.
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=65535:glibc.malloc.arena_max=1",
}


class Program:
    """A stripped copy of the program: the valgrind of Debian 12 cannot read the debug information of today's compilers."""

    def __init__(self, path, options=()):
        self.options = list(options)
        self.directory = tempfile.TemporaryDirectory(prefix="hearth-instructions-", dir="/tmp")
        self.copy = os.path.join(self.directory.name, "benchmarks")
        subprocess.run(["strip", "-o", self.copy, path], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.directory.cleanup()

    def names(self, filters=()):
        chosen = [argument for word in filters for argument in ("--filter", word)]
        listed = subprocess.run([self.copy, *self.options, "--list", *chosen], check=True, capture_output=True, text=True)
        return listed.stdout.splitlines()

    def count(self, name, operations, side="ours"):
        """The instructions of a whole run, by all threads."""
        run = subprocess.run(
            [
                "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.copy, *self.options,
                "--run-once", side, "--operations", str(operations), "--only", name,
            ],
            check=False, capture_output=True, text=True,
            env={**os.environ, **ENVIRONMENT, "TMPDIR": self.directory.name},
        )  # fmt: skip
        collected = re.search(r"Collected : (\d+)", run.stderr)
        if run.returncode or not collected:
            raise NothingCounted(f"valgrind counted nothing for {name}:\n{run.stderr[-800:]}")
        return int(collected[1])

    def per_operation(self, name, few, many, side="ours"):
        """What is needed once (the start, the preparation) is in both counts, and not in their difference."""
        return round((self.count(name, many, side) - self.count(name, few, side)) / (many - few))
