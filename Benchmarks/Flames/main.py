"""`dev/bench flames`: flame graphs of a get, a commit and a query over the wire, drawn from samples of `hearth serve`."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Server"))

import documents
import drawing
import folding
from processes import Absent, Machine, load_rate

SECONDS = 4
SAMPLES_PER_SECOND = 997
CALLS = [
    ("get", "GetDocument of 1 KB, 32 in flight on one connection", documents.GET, documents.get(7)),
    ("commit", "Commit of one write of 1 KB, durable, 32 in flight on one connection", documents.COMMIT, documents.increment()),
    ("query", "RunQuery: the first 20 of a group of 100, 32 in flight on one connection", documents.RUN_QUERY, documents.group(7, 20)),
]


def recorded(machine, server, path, body):
    """The text of the samples of a server under load."""
    data = os.path.join(machine.directory, "perf.data")
    failures = []

    def load():
        try:
            load_rate(machine, server.port, path, body, seconds=SECONDS + 4)
        except Exception as failure:  # Of the thread: the caller raises it.
            failures.append(failure)

    thread = threading.Thread(target=load)
    thread.start()
    # The load has warmed up after two seconds.
    record = ["perf", "record", "-q", "-F", str(SAMPLES_PER_SECOND), "--call-graph", "fp", "-p", str(server.process.pid), "-o", data]
    subprocess.run(["sleep", "2"], check=True)
    subprocess.run([*record, "--", "sleep", str(SECONDS)], check=True)
    thread.join()
    if failures:
        raise failures[0]
    script = subprocess.run(["perf", "script", "-i", data, "-F", "comm,ip,sym,dso"], check=True, capture_output=True, text=True)
    return script.stdout.splitlines()


def readable(counts):
    """Names of Swift without their mangling."""
    names = sorted({name for _, frames in counts for name, _ in frames if "$s" in name})
    demangled = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return dict(zip(names, demangled))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", required=True, help="directory of the release products")
    options.add_argument("--output", required=True, help="directory of the pictures")
    options.add_argument("--only", action="append", default=[], choices=[name for name, *_ in CALLS])
    chosen = options.parse_args()
    if not shutil.which("perf"):
        print("bench flames: perf is not installed; nothing drawn")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.makedirs(chosen.output, exist_ok=True)
    machine = Machine(chosen.build)
    try:
        server = machine.load(machine.hearth())
        for name, title, path, body in CALLS:
            if chosen.only and name not in chosen.only:
                continue
            counts = folding.stacks(recorded(machine, server, path, body))
            tree = folding.tree(counts, readable(counts))
            with open(os.path.join(chosen.output, f"{name}.svg"), "w", encoding="utf-8") as file:
                file.write(drawing.draw(tree, f"{title} ({tree.samples:,} samples)"))
            print(f"{name}: {tree.samples} samples", flush=True)
    except Absent as absent:
        print(f"bench flames: {absent}; nothing drawn")
    finally:
        machine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
