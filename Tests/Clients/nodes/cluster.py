"""A PostgreSQL server, nodes with a proxy between each and the server, and rounds of clients that use them."""

import shutil
import tempfile
import time

import grpc

from . import history
from .calls import NodeCalls, Place, text
from .guests import Deployer, Guest, GuestListener
from .listener import Listener
from .node import Node, deploy, hearth_binary, initialize
from .postgres import PostgresServer
from .proxy import ConnectionProxy
from .recording import MARKS, Documents, Query, Recording
from .workload import GROUPS, ITEMS, PATHS, Joiner, StreamWriter, Writer

COLLECTIONS = ["items", "counters", "streams", "guarded", MARKS]


class Cluster:
    """`mutation` switches on a defect that debug builds have for tests of the tests (DN-9.6)."""

    def __init__(self, count=3, binary=None, mutation=None):
        self.folder = tempfile.mkdtemp(prefix="hearth-nodes-")
        self.binary = binary or hearth_binary()
        self.environment = {"HEARTH_MUTATION": mutation} if mutation else {}
        self.server = PostgresServer(settings={"fsync": "on", "full_page_writes": "on"})
        self.proxies, self.nodes = {}, {}
        for number in range(count):
            name = "abcdefgh"[number]
            self.proxies[name] = ConnectionProxy([f"127.0.0.1:{self.server.port}"])
            self.nodes[name] = Node(
                self.server.url_at(self.proxies[name].port), "--development", "--no-console", "--log-level", "info",
                binary=self.binary, name=name, folder=self.folder, environment=self.environment)

    @property
    def addresses(self):
        return {name: node.address for name, node in self.nodes.items()}

    def start(self):
        self.server.start()
        initialize(self.server.url, binary=self.binary)
        for node in self.nodes.values():
            node.start()
        return self

    def deploy(self, file):
        return deploy(self.server.url, file, binary=self.binary, seconds=20, environment=self.environment)

    def mend(self):
        """Ends every fault: all processes run, no connection is disturbed."""
        self.server.start()
        for proxy in self.proxies.values():
            proxy.delay, proxy.accepts = 0, True
        for node in self.nodes.values():
            node.resume()
            if not node.is_running:
                node.restart()

    def remove(self):
        for node in self.nodes.values():
            node.kill()
        for proxy in self.proxies.values():
            proxy.close()
        self.server.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        try:
            return self.start()
        except Exception:
            self.remove()
            raise

    def __exit__(self, *_):
        self.remove()


class Round:
    """Clients for some seconds on fresh documents, and what they have recorded."""

    def __init__(self, cluster, number, seed, rules=True):
        self.cluster, self.number = cluster, number
        self.recording = Recording()
        self.is_held = False
        # A new database every few rounds.
        self.place = Place(f"nodes-{number // 4}", number)
        self.addresses = cluster.addresses
        self._calls = {name: NodeCalls(name, address, self.place) for name, address in self.addresses.items()}
        self._seed = f"{seed}/{number}"
        self.listeners = [
            Listener(f"listener-{index}", self._next_node(index), self._targets(index), self.recording)
            for index in range(3)]
        self.clients = [Writer(f"writer-{index}", self, self._seed) for index in range(4)]
        self.clients += [StreamWriter(f"stream-{index}", self, self._seed) for index in range(2)]
        self.clients += [Joiner(f"joiner-{index}", self, self._seed, self.listeners) for index in range(2)]
        if rules:
            self.clients += [Guest("guest", self, self._seed), GuestListener("guest-listener", self, self._seed)]
        self.deployer = None
        if rules:
            self.deployer = Deployer("deployer", self.recording, cluster.deploy, cluster.folder, self._seed)

    @staticmethod
    def _targets(index):
        """Each listener has the whole collection, which all share, and something of its own."""
        return [ITEMS, Query("items", index % GROUPS), Documents(tuple(PATHS[index:index + 2]))]

    def _next_node(self, index):
        def next_node(last):
            names = [name for name in self._calls if name != last]
            return self._calls[names[index % len(names)]]

        return next_node

    # Running.

    def start(self):
        for each in [*self.listeners, *self.clients, *([self.deployer] if self.deployer else [])]:
            each.start()

    def hold(self, seconds=30):
        """Lets the clients end what they have begun, and begin nothing."""
        self.is_held = True
        end = time.monotonic() + seconds
        for client in self.clients:
            while not client.is_resting and client.is_alive() and time.monotonic() < end:
                time.sleep(0.01)
            if not client.is_resting:
                self.recording.complaints.append(f"{client.name} does not come to rest")

    def release(self):
        self.is_held = False

    def finish(self, seconds=60):
        """Behind all faults: waits for the clients and the listeners, and reads the final state on every node."""
        end = time.monotonic() + seconds
        self._wait_for_nodes(end)
        # Some seconds with all nodes well.
        time.sleep(0.7)
        if self.deployer:
            self.deployer.stop()
        for client in self.clients:
            client.is_stopped = True
        for client in [*self.clients, *([self.deployer] if self.deployer else [])]:
            client.join(max(0.1, end - time.monotonic()))
            if client.is_alive():
                self.recording.complaints.append(f"{client.name} hangs")
        self._read_final_state(end)
        self._wait_for_listeners()
        for calls in self._calls.values():
            calls.close()

    def _wait_for_nodes(self, end):
        began = time.monotonic()
        for calls in self._calls.values():
            while True:
                try:
                    calls.read(Documents(("items/none",)), timeout=2)
                    break
                except grpc.RpcError as error:
                    if time.monotonic() > end:
                        self.recording.complaints.append(f"node {calls.name} does not recover: {text(error)}")
                        break
                    time.sleep(0.05)
        self.recovery = time.monotonic() - began

    def _read_final_state(self, end):
        for name, calls in self._calls.items():
            state = {}
            for collection in COLLECTIONS:
                found = self._retry(lambda: calls.read_with_creation(Query(collection), timeout=10), end)
                state.update(found[0] if found else {})
            self.recording.final[name] = state

    def _retry(self, read, end):
        while True:
            try:
                return read()
            except grpc.RpcError as error:
                if time.monotonic() > end:
                    self.recording.complaints.append(f"the final state cannot be read: {text(error)}")
                    return None
                time.sleep(0.05)

    def _wait_for_listeners(self, seconds=15):
        """Every listener ends with what a query finds."""
        state = {path: version for path, (version, _) in next(iter(self.recording.final.values())).items()}
        for listener in self.listeners:
            views = {target: _view(target, state) for target in listener.targets}
            end = time.monotonic() + seconds
            while not listener.shows(views) and time.monotonic() < end:
                time.sleep(0.02)
            if not listener.shows(views):
                seen = listener.stream.views
                wrong = [f"{target}: {history.difference(seen[target], view)}" for target, view in views.items()]
                self.recording.complaints.append(
                    f"{listener.name} on {listener.stream.node} does not catch up in {seconds} s: {'; '.join(wrong)}")
            listener.stop()
        for listener in self.listeners:
            listener.join(10)

    def check(self):
        return history.check(self.recording)


def _view(target, state):
    if isinstance(target, Documents):
        return {path: state[path] for path in target.paths if path in state}
    return {
        path: version for path, version in state.items()
        if path.startswith(target.collection + "/") and target.finds(version)}
