"""Where the server's processor time goes: what each layer takes of a get, a commit, a query and a listener's change."""

import os
import shutil
import signal
import subprocess
import time

import documents
import layers
import rules_cases
from counting_client import CountingClient
from listener_cases import CHANGE
from measuring import Result, figure
from processes import Absent, Failed, dies_with_parent, load_rate

# Samples per second; not a divisor of what timers do.
FREQUENCY = 997


class Samples:
    """Samples the stacks of a process, and measures its processor time meanwhile."""

    def __init__(self, machine, server):
        if not shutil.which("perf"):
            raise Absent("no perf (Debian package linux-perf)")
        self.server = server
        self.file = os.path.join(machine.fresh_directory(), "samples")

    def __enter__(self):
        self.perf = subprocess.Popen(
            ["perf", "record", "-q", "-F", str(FREQUENCY), "-g", "-p", str(self.server.process.pid), "-o", self.file],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=dies_with_parent,
        )  # fmt: skip
        # It says nothing when it begins.
        time.sleep(0.5)
        self.before = self.server.processor_seconds()
        return self

    def __exit__(self, *_):
        self.seconds = self.server.processor_seconds() - self.before
        self.perf.send_signal(signal.SIGINT)
        _, errors = self.perf.communicate()
        if not os.path.exists(self.file):
            raise Absent(f"perf may not sample: {errors.strip()[:200]}")

    def budget(self, operations):
        """Microseconds of each layer for one operation."""
        script = subprocess.run(
            ["perf", "script", "-F", "ip,sym,dso", "-i", self.file], capture_output=True, text=True, check=False
        )  # fmt: skip
        shares = layers.shares(script.stdout.splitlines())
        if not shares:
            raise Failed(f"perf script: {script.stderr[-400:]}")
        return {name: share * self.seconds * 1e6 / operations for name, share in shares.items()}


def of_calls(machine, site, path, body, seconds=4):
    """32 in flight on one connection. What the load generator did before and behind its measured time counts, too."""
    options = {"token": site.token, "warm_up": 0}
    load_rate(machine, site.server.port, path, body, seconds=1, **options)
    with Samples(machine, site.server) as samples:
        rate = load_rate(machine, site.server.port, path, body, seconds=seconds, **options)
    return samples.budget(rate * seconds)


def of_changes(machine, site, listeners=100, connections=10, count=400):
    """A change that one of many listeners of a document receives, with its share of the commit."""
    writer = site.client()
    collection = "budget"
    writer.check(documents.COMMIT, documents.tick(0, collection))
    request = documents.listen_to_document(collection)
    clients = [CountingClient(site.server.port, first_byte=CHANGE) for _ in range(connections)]
    streams = [
        (client, client.open(documents.LISTEN, request, half_close=False))
        for client in clients
        for _ in range(listeners // connections)
    ]

    def all_called(changes):
        for client, stream in streams:
            client.wait(stream, lambda stream: stream.wanted >= changes)

    all_called(1)
    with Samples(machine, site.server) as samples:
        for number in range(1, count + 1):
            writer.check(documents.COMMIT, documents.tick(number, collection))
            all_called(number + 1)
    for client in clients + [writer]:
        client.close()
    return samples.budget(count * listeners)


def budgets(machine, rounds):
    plain, ruled = rules_cases.unruled(machine), rules_cases.ruled(machine)
    columns = {
        "a get": of_calls(machine, plain, documents.GET, documents.get(7)),
        "the same with rules and a token": of_calls(machine, ruled, documents.GET, documents.get(7)),
        "a commit of one write": of_calls(machine, plain, documents.COMMIT, documents.increment()),
        "a query of 20 documents": of_calls(machine, plain, documents.RUN_QUERY, documents.group(7, limit=20)),
        "a change that a listener receives": of_changes(machine, plain),
    }
    show(columns)
    for name, budget in columns.items():
        yield Result(f"processor time of {name}", sum(budget.values()), "µs")


def show(columns):
    """Prints a column for each operation, and a row for each layer that takes something of one of them."""
    print("\nthe server's processor time, µs for each operation")
    names = list(columns)
    for number, name in enumerate(names):
        print(f"  {chr(ord('A') + number)}: {name}")
    width = max(map(len, layers.LAYERS))
    print(f"{'layer':<{width}}" + "".join(f"{chr(ord('A') + number):>9}" for number in range(len(names))))
    for layer in layers.LAYERS:
        values = [columns[name][layer] for name in names]
        if any(value >= 0.005 for value in values):
            print(f"{layer:<{width}}" + "".join(f"{figure(value):>9}" for value in values))
    print(f"{'all':<{width}}" + "".join(f"{figure(sum(columns[name].values())):>9}" for name in names) + "\n", flush=True)
