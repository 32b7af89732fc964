"""python -m failover: fails over with real components and checks what clients see (dev/failover)."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import traceback

from nodes.node import Node, initialize

from .patroni import PatroniPair
from .replication import ReplicatedPair
from .rounds import Round
from .scenarios import SCENARIOS, run as run_scenario


def arguments():
    parser = argparse.ArgumentParser(prog="dev/failover", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=50, help="with streaming replication and pg_ctl promote")
    parser.add_argument("--patroni", type=int, default=10, metavar="N", help="rounds under Patroni")
    parser.add_argument("--scenario", choices=[*SCENARIOS, "all"], help="special circumstances, instead of all rounds")
    parser.add_argument("--keep", action="store_true", help="do not delete the folder with the logs")
    return parser.parse_args()


class Series:
    """Rounds on one cluster, with the same two nodes."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.results = {True: [], False: []}
        self.failed = 0

    def run(self, cluster, count, modes):
        nodes = []
        try:
            cluster.start()
            initialize(cluster.url)
            for letter in "ab":
                nodes.append(Node(cluster.url, name=f"{self.name}-node-{letter}", folder=self.folder).start())
            for number in range(1, count + 1):
                is_synchronous, kind = modes(number)
                self.round(cluster, nodes, number, is_synchronous, kind)
                if number < count:
                    cluster.repair()
        finally:
            for node in nodes:
                node.remove()
            cluster.stop()

    def round(self, cluster, nodes, number, is_synchronous, kind):
        mode = "synchronous" if is_synchronous else "asynchronous"
        try:
            result = Round(cluster, nodes, number, is_synchronous).run()
        except Exception:
            print(f"{self.name} {number}, {mode}{kind}: broken off", flush=True)
            raise
        self.results[is_synchronous].append(result)
        print(f"{self.name} {number}, {mode}{kind}: {result.line}", flush=True)
        for problem in result.problems[:10]:
            print(f"  WRONG: {problem}", flush=True)
        self.failed += bool(result.problems)

    def summary(self):
        for is_synchronous, results in self.results.items():
            if not results:
                continue
            behind = [each.gap - each.promotion for each in results]
            print(f"{self.name}, {'synchronous' if is_synchronous else 'asynchronous'}: {len(results)} rounds, "
                  f"{sum(each.lost for each in results)} acknowledged commits lost, "
                  f"promotion {statistics.median(each.promotion for each in results):.2f} s "
                  f"(at most {max(each.promotion for each in results):.2f}), "
                  f"clients' gap {statistics.median(each.gap for each in results):.2f} s "
                  f"(at most {max(each.gap for each in results):.2f}, {max(behind):.2f} more than the promotion)")


def run_rounds(options, folder):
    """Returns how many have failed."""
    failed = 0
    if options.rounds:
        series = Series("replication", folder)
        series.run(ReplicatedPair(folder), options.rounds, lambda number: (number % 2 == 1, ""))
        series.summary()
        failed += series.failed
    if options.patroni:
        cluster = PatroniPair(folder)
        series = Series("patroni", folder)
        series.run(cluster, options.patroni, cluster.mode)
        series.summary()
        failed += series.failed
    return failed


def run_all_scenarios():
    """Each in a process of its own: some need a network of their own. Returns how many have failed."""
    command = [sys.executable, "-m", "failover", "--scenario"]
    return sum(subprocess.run([*command, name]).returncode != 0 for name in SCENARIOS)


def main():
    options = arguments()
    if options.scenario == "all":
        sys.exit(run_all_scenarios())
    folder = tempfile.mkdtemp(prefix="hearth-failover-")
    os.chmod(folder, 0o755)
    failed = 0
    try:
        failed = run_scenario(options.scenario, folder) if options.scenario else run_rounds(options, folder)
    except Exception:
        traceback.print_exc()
        failed += 1
    if failed or options.keep:
        print(f"failover: logs are in {folder}", flush=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"failover: {'all of it held' if not failed else f'{failed} failed'}", flush=True)
    sys.stdout.flush()
    os._exit(1 if failed else 0)


main()
