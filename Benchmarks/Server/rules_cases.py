"""What security rules and verified tokens cost, and the same calls to the official emulator under the same rules."""

import base64
import json
import statistics
import urllib.request

import documents
from call_cases import EMULATOR
from counting_client import CountingClient
from measuring import interleaved, rates, times, warm
from processes import HOST, free_port, load_rate

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isSignedIn() { return request.auth != null; }
    function owns(data) { return request.auth.uid == data.owner; }

    match /{collection}/{document} {
      allow read: if isSignedIn() && owns(resource.data);
      allow create: if isSignedIn() && owns(request.resource.data);
      allow update: if isSignedIn() && owns(resource.data) && owns(request.resource.data);
    }
    match /roles/{user} {
      allow create: if isSignedIn() && user == request.auth.uid;
    }
    match /watched/{document} {
      allow get: if get(/databases/$(database)/documents/roles/$(request.auth.uid)).data.role == 'reader';
    }
  }
}
"""


class Site:
    """A server, and the user whose documents are on it."""

    def __init__(self, server, user=None, token=None):
        self.server, self.user, self.token = server, user, token

    @property
    def owner(self):
        return {"owner": self.user or "anyone"}

    def client(self, **options):
        return CountingClient(self.server.port, token=self.token, **options)

    def rate(self, path, body, **options):
        return load_rate(self.machine, self.server.port, path, body, token=self.token, **options)

    def processor_time(self, path, body, count=20_000, in_flight=32):
        """Microseconds of the server for a call of a client that sends headers as they are, without compressing them."""
        client = self.client()
        client.timed_all(path, [body] * 2_000, in_flight)
        before = self.server.processor_seconds()
        client.timed_all(path, [body] * count, in_flight)
        used = self.server.processor_seconds() - before
        client.close()
        return used * 1e6 / count

    def load(self, machine, count=10_000):
        self.machine = machine
        client = self.client()
        for body in documents.set_batches(count, more=self.owner):
            client.check(documents.COMMIT, body)
        client.close()
        return self


def unruled(machine):
    return machine.once("no rules", lambda: Site(machine.hearth()).load(machine))


def ruled(machine):
    """A server as in production: rules from a file, and a token that is signed and verified."""

    def start():
        accounts = free_port()
        server = machine.ready(
            machine.new_hearth(
                "--rules", machine.file("firestore.rules", RULES.encode()), "--project", documents.PROJECT,
                "--auth", str(accounts), "--auth-url", f"http://{HOST}:{accounts}", "--auth-providers", "anonymous",
            )
        )  # fmt: skip
        request = urllib.request.Request(
            f"http://{HOST}:{accounts}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
            data=json.dumps({"returnSecureToken": True}).encode(), headers={"content-type": "application/json"},
        )  # fmt: skip
        with urllib.request.urlopen(request) as answer:
            account = json.load(answer)
        return Site(server, account["localId"], account["idToken"]).load(machine)

    return machine.once("rules", start)


def ruled_emulator(machine, with_rules=True):
    """One that has served no call yet, for this case alone."""
    options = [f"--rules={machine.file('firestore.rules', RULES.encode())}"] if with_rules else []
    token = ".".join((part({"alg": "none", "typ": "JWT"}), part({"sub": "alice"}), ""))
    return Site(machine.ready(machine.new_emulator(*options)), "alice", token).load(machine)


def part(content):
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def against_no_rules(machine, rounds):
    sites = [ruled(machine), unruled(machine)]
    get = documents.get(7)
    name = "with rules and a verified token"
    for site in sites:
        site.rate(documents.GET, get)
    ours, peer = interleaved(rounds, *[lambda site=site: site.rate(documents.GET, get) for site in sites])
    yield rates(f"GetDocument of 1 KB {name}, 32 in flight", "calls/s", ours, "without rules", peer, 0.85)
    ours, peer = interleaved(rounds, *[lambda site=site: site.processor_time(documents.GET, get) for site in sites])
    yield times("processor time of one whose client does not compress it", "µs", ours, "without rules", peer, 0.85)
    commit = [documents.increment(more=site.owner) for site in sites]
    ours, peer = interleaved(
        rounds, *[lambda site=site, body=body: site.rate(documents.COMMIT, body) for site, body in zip(sites, commit)]
    )
    yield rates(f"Commit of one write {name}, 32 in flight", "commits/s", ours, "without rules", peer, 0.8)


def against_emulator(machine, rounds):
    emulator, unruled_emulator = ruled_emulator(machine), ruled_emulator(machine, with_rules=False)
    sites = [ruled(machine), emulator, unruled_emulator]
    get = documents.get(7)
    for connections, goal in ((1, 2.2), (8, 3)):
        sides = [
            lambda site=site: site.rate(documents.GET, get, warm_up=0, connections=connections) for site in sites
        ]
        cold = warm(*sides)[1]
        ours, peer, without = interleaved(rounds, *sides)
        name = f"gets with rules, 32 in flight on {connections} connection{'s' * (connections > 1)}"
        yield rates(name, "calls/s", ours, EMULATOR, peer, goal, cold)
        yield rates(f"{EMULATOR}: {name}", "calls/s", peer, "emulator without rules", without, None)
    commits = [documents.increment(more=site.owner) for site in sites]
    sides = [
        lambda site=site, body=body: site.rate(documents.COMMIT, body, warm_up=0) for site, body in zip(sites, commits)
    ]
    cold = warm(*sides)[1]
    ours, peer, without = interleaved(rounds, *sides)
    name = "commits with rules, 32 in flight on one connection"
    yield rates(f"{name}, durable", "commits/s", ours, EMULATOR, peer, 4, cold)
    yield rates(f"{EMULATOR}: {name}", "commits/s", peer, "emulator without rules", without, None)
    for site in (emulator, unruled_emulator):
        machine.stop(site.server)


def listeners(machine, rounds, count=1_000, connections=10, commits=300):
    """Every listener has a stream of its own and rules that read a role; the commits change a document that none of them sees."""
    sites = [ruled(machine), unruled(machine)]
    writers, held = [], []
    for site in sites:
        writer = site.client()
        role = {"update": {"name": f"{documents.DATABASE}/documents/roles/{site.user}", "fields": documents.values({"role": "reader"})}}
        writer.check(documents.COMMIT, documents.commit(role))
        clients = [site.client() for _ in range(connections)]
        for number in range(count):
            client = clients[number % connections]
            stream = client.open(documents.LISTEN, documents.listen_to_document("watched", number), half_close=False)
            # Added, the document or its absence, current.
            client.wait(stream, lambda stream: stream.messages >= 3)
        writers.append(writer)
        held += clients
    ticks = iter(range(1_000_000))

    def median_commit(site, writer):
        latencies = []
        for _ in range(commits):
            body = documents.tick(next(ticks), more=site.owner)
            latencies.append(writer.timed(documents.COMMIT, body) * 1e6)
        return statistics.median(latencies)

    ours, peer = interleaved(
        rounds, *[lambda site=site, writer=writer: median_commit(site, writer) for site, writer in zip(sites, writers)]
    )
    for client in held + writers:
        client.close()
    name = f"a commit beside {count:,} listeners whose rules read a role"
    yield times(name, "µs", ours, "without rules", peer, 1 / 1.2)
