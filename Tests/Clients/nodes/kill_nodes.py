"""Rounds of clients on three nodes, each with faults and with the checks of the history behind them."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

from . import history
from .cluster import Cluster, Round
from .faults import COMMITS_LOST, Faults
from .node import hearth_binary
from .postgres import PostgresMissing


class Killing:
    """Runs rounds. `findings` has what the checks found in the last one."""

    def __init__(self, cluster, seed, kinds=None):
        self.cluster, self.seed = cluster, seed
        # The kinds of faults to choose from; all of them if None.
        self.kinds = kinds
        self.faults = Faults(cluster, random.Random(seed))
        self.totals = {}
        self.findings = []

    def run_round(self, number, faults=1, calm=1.0, delays=None):
        """Returns its kinds of faults, the summary of its recording, and the round. `delays` are those of the nodes."""
        kinds = [self.faults.next_kind(self.kinds) for _ in range(faults)]
        # What a lost deployment means is tested by itself (test_leases.py).
        round = self.faults.round = Round(self.cluster, number, self.seed, rules=COMMITS_LOST not in kinds)
        self.faults.vary_delays(delays)
        round.start()
        try:
            for kind in kinds:
                self._wait(calm)
                self.faults.cause(kind)
            self._wait(calm)
        finally:
            self.cluster.mend()
            round.finish()
        self.findings = round.check()
        summary = history.summary(round.recording)
        for name, count in summary.items():
            self.totals[name] = self.totals.get(name, 0) + count
        return kinds, summary, round

    def _wait(self, calm):
        time.sleep(self.faults.random.uniform(0.3, 1) * calm)


def describe(number, kinds, summary, round):
    names = ["acknowledged", "unknown", "unknown, applied", "refused", "reads", "transactions", "snapshots", "requests"]
    counts = ", ".join(f"{summary[name]} {name}" for name in names)
    faults = " and ".join(kinds) or "no fault"
    return f"round {number}: {faults}: {counts}; all nodes answered after {round.recovery:.1f} s"


def report(cluster, number, findings):
    """Prints what was found, and keeps the logs."""
    kept = tempfile.mkdtemp(prefix="hearth-found-")
    for file in [*(node.log for node in cluster.nodes.values()), cluster.server.log]:
        shutil.copy(file, os.path.join(kept, os.path.basename(file)))
    with open(os.path.join(kept, "findings"), "w") as file:
        file.writelines(f"{finding}\n" for finding in findings)
    for finding in findings[:20]:
        print(f"round {number}: {finding}")
    print(f"round {number}: {len(findings)} findings; logs in {kept}", flush=True)


def kill(rounds, seed, binary, kinds=None):
    """Returns whether nothing was found."""
    with Cluster(binary=binary) as cluster:
        killing = Killing(cluster, seed, kinds)
        found = 0
        for number in range(1, rounds + 1):
            faults = random.Random(f"{seed}-{number}").choice([1, 1, 2])
            kinds, summary, round = killing.run_round(number, faults)
            print(describe(number, kinds, summary, round), flush=True)
            if killing.findings:
                report(cluster, number, killing.findings)
                found += len(killing.findings)
        print(f"{rounds} rounds with seed {seed}")
        print("faults: " + ", ".join(f"{count} {kind}" for kind, count in sorted(killing.faults.counts.items())))
        print("recorded: " + ", ".join(f"{count} {name}" for name, count in killing.totals.items()))
    print("nothing found" if not found else f"{found} findings")
    return not found


def main():
    parser = argparse.ArgumentParser(prog="dev/kill-nodes", description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=30)
    parser.add_argument("binary", nargs="?", default=None)
    parser.add_argument("--fault", action="append", help="only these kinds of faults")
    parser.add_argument("--mutations", nargs="*", help="defects of the debug build, which must be found: all, or these")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary or hearth_binary())
    if not os.path.exists(binary):
        sys.exit(f"kill-nodes: {binary} is not there: build it with the trait Postgres, or name another one")
    seed = int(os.environ.get("HEARTH_SEED", "1"))
    try:
        if arguments.mutations is not None:
            from .mutations import FOUND_BY, find_all
            is_right = find_all(arguments.mutations or list(FOUND_BY), seed, binary)
        else:
            is_right = kill(arguments.rounds, seed, binary, arguments.fault)
    except PostgresMissing as missing:
        print(f"kill-nodes: skipped: {missing}")
        is_right = True
    sys.stdout.flush()
    # Threads of calls that hang would keep the process.
    os._exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
