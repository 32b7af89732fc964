"""What an archive costs writers, how far behind it is, and how soon it gives everything back."""

import glob
import os
import re
import subprocess
import time
import urllib.request
from datetime import datetime, timezone

import documents
from call_cases import different_documents
from counting_client import CountingClient
from measuring import Result, allowed, interleaved, rates
from process_cases import MILLION, million_documents
from processes import Failed, dies_with_parent, load_rate
from transfer_cases import import_file

# An hour at 100 commits a second.
JOURNAL = 360_000


def commits(machine, rounds):
    """The acknowledgement never waits for the archive, but both work on the same disk and processors."""
    without = machine.ready(machine.new_hearth())
    archived = machine.ready(machine.new_hearth("--archive", machine.fresh_directory()))
    body = documents.increment()
    for name, one in (
        ("one document", lambda server: load_rate(machine, server.port, documents.COMMIT, body)),
        ("different documents", lambda server: different_documents(server.port)),
    ):
        one(archived), one(without)
        ours, peer = interleaved(max(rounds, 7), lambda: one(archived), lambda: one(without))
        yield rates(f"commits, archived, 32 in flight, {name}", "commits/s", ours, "without an archive", peer, 0.9)
    machine.stop(without)
    machine.stop(archived)


def copied(machine, rounds):
    """A database of more than 1 GB is copied into a new archive while commits go on."""
    quiet = Latencies(machine.ready(machine.new_hearth(data=million_documents(machine))), seconds=15).measure()
    place = machine.fresh_directory()
    server = machine.new_hearth("--archive", place, data=million_documents(machine))
    machine.ready(server)
    beside = Latencies(server, until=lambda: glob.glob(f"{place}/**/done", recursive=True)).measure()
    machine.stop(server)
    name = "commits, 32 in flight, while 1 GB is copied"
    yield Result(f"{name}: the copy", beside.took, "s")
    yield Result(f"{name}: rate", beside.rate, "commits/s", "without a copy", quiet.rate, beside.rate / quiet.rate)
    yield Result(f"{name}: p99", beside.p99 * 1e3, "ms", "without a copy", quiet.p99 * 1e3, quiet.p99 / beside.p99, 0.5)
    yield allowed(f"{name}: the slowest, above without's", max(0.001, beside.slowest - quiet.slowest) * 1e3, "ms", 250)
    yield allowed(f"{name}: write-ahead log", beside.log / 1e6, "MB", 96)


class Latencies:
    """How long commits of one document take, 32 in flight, and how large the write-ahead log becomes meanwhile."""

    def __init__(self, server, seconds=None, until=None):
        self.server = server
        start = time.perf_counter()
        self.ends = until or (lambda: time.perf_counter() - start > seconds)
        self.begun = start

    def measure(self):
        client = CountingClient(self.server.port)
        number, begun, took, self.log = 0, {}, [], 0
        checked = 0
        while True:
            while len(client.streams) < 32:
                stream = client.open(documents.COMMIT, documents.tick(number, document=number % 2_000))
                begun[id(stream)] = (stream, time.perf_counter())
                number += 1
            client.receive()
            now = time.perf_counter()
            for key in [key for key, (stream, _) in begun.items() if stream.ended]:
                took.append(now - begun.pop(key)[1])
            if now - checked > 0.1:
                checked = now
                self.log = max(self.log, write_ahead_log(self.server))
                if self.ends():
                    break
        client.close()
        self.took = time.perf_counter() - self.begun
        self.rate = len(took) / self.took
        took.sort()
        self.p99, self.slowest = took[len(took) * 99 // 100], took[-1]
        return self


def write_ahead_log(server):
    data = server.command[server.command.index("--data") + 1]
    return max((os.path.getsize(file) for file in glob.glob(f"{data}/**/*-wal", recursive=True)), default=0)


def size(machine, rounds, count=60):
    """Bytes for each document of 1 KB that is replaced, one after the other."""
    place = machine.fresh_directory()
    server = machine.ready(machine.new_hearth("--archive", place))
    client = CountingClient(server.port)
    for body in documents.set_batches(count):
        client.check(documents.COMMIT, body)
    # So few commits that the write-ahead log is not begun again.
    before = write_ahead_log(server)
    journal_before = journal_bytes(place)
    for number in range(count):
        client.check(documents.COMMIT, documents.increment(number, documents.COLLECTION, {"f1": f"{number * 7_919}-".ljust(90, "y")}))
    logged = write_ahead_log(server) - before
    client.close()
    # A clean stop archives everything.
    machine.terminate(server)
    archived = journal_bytes(place) - journal_before
    yield Result(
        "archived bytes for a replaced document of 1 KB", archived / count, "bytes", "the write-ahead log's", logged / count, logged / archived, 20)


def journal_bytes(place):
    return sum(os.path.getsize(file) for file in glob.glob(f"{place}/**/journal/**", recursive=True) if os.path.isfile(file))


def lag(machine, rounds, rate=1_000, seconds=30):
    """How long the oldest commit of each object of the journal has waited for it."""
    place = machine.fresh_directory()
    server = machine.ready(machine.new_hearth("--archive", place))
    client = CountingClient(server.port)
    client.check(documents.COMMIT, documents.tick(0))
    wait_for("a copy", lambda: glob.glob(f"{place}/**/done", recursive=True))
    start, sent = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < seconds:
        while sent < elapsed * rate:
            client.open(documents.COMMIT, documents.tick(sent, document=sent % 5_000))
            sent += 1
        if client.streams:
            client.receive()
        else:
            time.sleep(0.001)
    while client.streams:
        client.receive()
    took = time.perf_counter() - start
    client.close()
    machine.terminate(server)
    # The first object follows a pause.
    lags = sorted(map(waited, sorted(glob.glob(f"{place}/**/journal/*", recursive=True))[1:]))
    yield Result("archive at 1,000 commits/s: reached", sent / took, "commits/s")
    yield allowed("archive at 1,000 commits/s: the longest lag", lags[-1], "s", 2)


def waited(file):
    """From the commit before those in an object to the object, in seconds."""
    day, clock = re.match(r"(\d{8})T([\d.]+)Z", os.path.basename(file)).groups()
    after = datetime.strptime(f"{day} {clock}", "%Y%m%d %H%M%S.%f").replace(tzinfo=timezone.utc).timestamp()
    return os.path.getmtime(file) - after


def metric(server, name):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    values = [float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name)]
    return max(values, default=0.0)


def restored(machine, rounds, commits=None):
    """A million documents and an hour of commits, against the import of the documents alone."""
    commits = commits or (JOURNAL if os.environ.get("HEARTH_FULL") == "1" else JOURNAL // 10)
    data, place = million_documents(machine), machine.fresh_directory()
    server = machine.ready(machine.new_hearth("--archive", place, data=data))
    client = CountingClient(server.port)
    client.check(documents.COMMIT, documents.tick(0))
    wait_for("a copy", lambda: glob.glob(f"{place}/**/done", recursive=True))
    bodies = (documents.increment(number * 7_919 % MILLION, documents.COLLECTION) for number in range(commits))
    client.timed_all(documents.COMMIT, bodies, 32)
    client.close()
    machine.terminate(server)
    start = time.perf_counter()
    run([f"{machine.build}/hearth", "restore", place, "--all", "--data", os.path.join(machine.fresh_directory(), "back")])
    seconds = time.perf_counter() - start
    lines = os.path.join(machine.directory, "million.jsonl")
    file = glob.glob(f"{data}/**/*.sqlite", recursive=True)
    run([f"{machine.build}/hearth", "export", lines, "--data", *[one for one in file if "(default)" in one or "default" in one][:1]])
    imported, _ = import_file(machine, lines, "--data", os.path.join(machine.fresh_directory(), "in.sqlite"))
    os.remove(lines)
    name = f"restore of {MILLION:,} documents and {commits:,} commits"
    yield Result(name, seconds, "s", "hearth import of the documents", imported, imported / seconds, 3)
    yield allowed(f"{name}, limit", seconds, "s", 60)


def wait_for(what, condition, seconds=300):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise Failed(f"never: {what}")
        time.sleep(0.05)
    return found


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=dies_with_parent)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.returncode}: {done.stdout[-400:]}{done.stderr[-400:]}")
    return done.stdout
