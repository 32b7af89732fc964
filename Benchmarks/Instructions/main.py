"""`dev/bench instructions` and `dev/bench gate`: instructions per operation, from the difference of two runs."""

import argparse
import shutil
import subprocess
import sys

import gate
import surroundings
from callgrind import NothingCounted, Program

BUILD = ".build-bench"
BENCHMARKS = f"{BUILD}/release/HearthBenchmarks"
# Of a path: enough that what threads do besides is below a thousandth.
FEW, MANY = 500, 2_500
# A path that seems to need too much is counted so often.
ATTEMPTS = 3


def instructions(words):
    """Both sides of cases, in the form of `make bench`."""
    few = 200
    with Program(BENCHMARKS) as program:
        for name in program.names(words or ["code"]):
            ours, peer = (program.per_operation(name, few, 3 * few, side) for side in ("ours", "peer"))
            record = ["--record", f"{name}, instructions", str(ours), "instr/op", "--json", ".build/bench.json"]
            subprocess.run([BENCHMARKS, *record], check=True, stdout=subprocess.DEVNULL)
            print(f"{name:<40} ours {ours:>12}   peer {peer:>12}   instructions per operation", flush=True)
    return 0


def least(program, name, was):
    """The count of a path. Other threads can add to a count, so one above the limit is repeated, and the lowest is valid."""
    counts = []
    while len(counts) < ATTEMPTS:
        counts.append(program.per_operation(name, FEW, MANY))
        if not gate.Comparison(name, was, counts[-1]).is_above:
            break
    return min(counts)


def count(recorded, words):
    counted = {}
    with Program(BENCHMARKS, ["--gate"]) as program:
        print(gate.HEADER, flush=True)
        for name in program.names(words):
            counted[name] = least(program, name, recorded.get(name))
            print(gate.Comparison(name, recorded.get(name), counted[name]), flush=True)
    return counted


def compare(words):
    versions, recorded = gate.load()
    differences = surroundings.differences(versions, surroundings.current(BUILD))
    if differences:
        print(f"bench gate: not compared. The counts of {gate.FILE} hold for other versions:")
        print("\n".join("  " + line for line in differences))
        return 0
    counted = count(recorded, words)
    if not counted:
        print(f"bench gate: no path has a word of {', '.join(words)} in its name", file=sys.stderr)
        return 1
    known = {name: recorded[name] for name in recorded if not words or name in counted}
    lines, is_closed = gate.verdict(gate.compare(known, counted))
    print("\n".join(lines or [f"bench gate: {len(counted)} of {len(recorded)} paths counted, all within {gate.LIMIT} of {gate.FILE}"]))
    return 1 if is_closed else 0


def write():
    versions, recorded = surroundings.current(BUILD), gate.load()[1]
    gate.save(versions, count(recorded, []))
    print(f"bench gate: {gate.FILE} is written; say in the commit why")
    return 0


def pin():
    """Resolves the packages at the versions of the file, in a clone that has resolved none: the newest ones would not be compared."""
    package = ["swift", "package", "--scratch-path", BUILD]
    subprocess.run([*package, "resolve"], check=True)
    for name, version in gate.load()[0].items():
        if name in surroundings.PACKAGES and subprocess.run([*package, "resolve", name, "--version", version]).returncode:
            print(f"bench gate: {name} {version} cannot be had; its counts are not compared", file=sys.stderr)
    return 0


def main():
    options = argparse.ArgumentParser(description=__doc__)
    commands = options.add_subparsers(dest="command", required=True)
    commands.add_parser("instructions").add_argument("words", nargs="*")
    gated = commands.add_parser("gate")
    gated.add_argument("words", nargs="*", help="words in the names of paths; all are counted without one")
    action = gated.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="make the counts of this build those of the file")
    action.add_argument("--pin", action="store_true", help="before a build: resolve the packages at the versions of the file")
    chosen = options.parse_args()
    if chosen.command == "gate" and chosen.pin:
        return pin()
    if not shutil.which("valgrind"):
        print(f"bench {chosen.command}: valgrind is not installed; nothing counted")
        return 0
    try:
        if chosen.command == "instructions":
            return instructions(chosen.words)
        if chosen.write and chosen.words:
            options.error("--write counts all paths: leave out the words")
        return write() if chosen.write else compare(chosen.words)
    except NothingCounted as failure:
        print(f"bench {chosen.command}: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
