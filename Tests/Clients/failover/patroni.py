"""Two PostgreSQL servers under Patroni, which finds out by itself that one has failed, and one etcd."""

import http.client
import json
import os
import signal
import sys
import threading
import time

import psycopg
from nodes.postgres import account, programs
from nodes.process import GuardedProcess, free_port
from nodes.proxy import ConnectionProxy

from .servers import DATABASE, USER, Failure, WalSenders, connect, is_primary, replication_state, url, wait_until

# The shortest that Patroni allows.
TTL = 20
KILL, SWITCHOVER, CUT_OFF = "machine killed", "switchover", "leader cut off from etcd"
# What happens, and whether the standby is synchronous. All of it within the ten rounds of `make test-failover`.
ORDER = [
    (KILL, True), (KILL, False), (SWITCHOVER, True), (CUT_OFF, True), (CUT_OFF, False), (SWITCHOVER, False),
    (KILL, False), (CUT_OFF, True), (KILL, True), (CUT_OFF, False)]


class Etcd:
    def __init__(self, folder):
        self.port, peer_port = free_port(), free_port()
        self.address = f"127.0.0.1:{self.port}"
        client, peer = f"http://{self.address}", f"http://127.0.0.1:{peer_port}"
        self.process = GuardedProcess(
            ["etcd", "--name", "one", "--data-dir", os.path.join(folder, "etcd"), "--listen-client-urls", client,
             "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", f"one={peer}"],
            os.path.join(folder, "etcd.log"))
        wait_until(lambda: _request(self.port, "GET", "/health")[0] == 200, "etcd")

    def stop(self):
        self.process.end(signal.SIGTERM)


class Agent:
    """Patroni with the server that it runs, and its own way to etcd, which can be closed."""

    def __init__(self, name, folder, etcd):
        self.name = name
        self.folder = os.path.join(folder, f"patroni-{name}")
        self.log = os.path.join(folder, f"patroni-{name}.log")
        self.port, self.rest_port = free_port(), free_port()
        self.data = os.path.join(self.folder, "data")
        self.etcd = ConnectionProxy([etcd.address])
        self.process = None
        self.account = self._account()
        self._write_configuration()

    def _account(self):
        """PostgreSQL refuses root. The account that runs it, and Patroni, may read everything: root's environment of
        Python is in a folder that others cannot enter."""
        os.makedirs(self.folder, exist_ok=True)
        user = account()
        if not user:
            return []
        os.chown(self.folder, user["user"], user["group"])
        return ["setpriv", f"--reuid={user['user']}", f"--regid={user['group']}", "--clear-groups",
                "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]

    def _write_configuration(self):
        access = ["host all all 127.0.0.1/32 trust", f"host replication {USER} 127.0.0.1/32 trust"]
        settings = {
            "unix_socket_directories": "", "max_connections": 100, "shared_buffers": "64MB", "wal_keep_size": "256MB"}
        user = {"username": USER}
        configuration = {
            "scope": "hearth", "namespace": "/failover/", "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest_port}", "connect_address": f"127.0.0.1:{self.rest_port}"},
            # Otherwise it asks etcd for its address, and goes past the proxy.
            "etcd3": {"hosts": [self.etcd.address], "use_proxies": True},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": 2, "retry_timeout": 5, "maximum_lag_on_failover": 1 << 30,
                    "postgresql": {"use_pg_rewind": True, "parameters": settings}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}", "data_dir": self.data,
                "bin_dir": programs(), "pgpass": os.path.join(self.folder, "pgpass"), "pg_hba": access,
                "remove_data_directory_on_rewind_failure": True, "remove_data_directory_on_diverged_timelines": True,
                # Otherwise the copy begins with a checkpoint that takes minutes.
                "basebackup": [{"checkpoint": "fast"}],
                "authentication": {"superuser": user, "replication": user, "rewind": user}}}
        self.file = os.path.join(self.folder, "patroni.yml")
        with open(self.file, "w") as file:
            json.dump(configuration, file, indent=1)  # which is YAML, too

    def start(self):
        patroni = os.path.join(os.path.dirname(sys.executable), "patroni")
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": self.folder}
        self.process = GuardedProcess(
            [*self.account, patroni, self.file], self.log, last_signal="TERM", cwd="/", env=environment)

    def ask(self, method, path, body=None):
        return _request(self.rest_port, method, path, body)

    def kill(self):
        """All of the machine: the agent, the server, and what the server has started."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            server = int(file.readline())
        children = _children(server)
        self.process.end(signal.SIGKILL)
        for pid in [server, *children]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        if self.process:
            self.process.end(signal.SIGTERM, 40)
        self.etcd.close()


class PatroniPair:
    def __init__(self, folder):
        self.etcd = Etcd(folder)
        self.agents = [Agent(name, folder, self.etcd) for name in "ab"]
        self.leader = self.standby = None
        self.senders = None
        self.event = KILL

    def mode(self, number):
        """For a round: whether it is synchronous, and what happens in it."""
        self.event, is_synchronous = ORDER[(number - 1) % len(ORDER)]
        return is_synchronous, f", {self.event}"

    def start(self):
        began = time.monotonic()
        for each in self.agents:
            each.start()
        wait_until(lambda: any(is_primary(each.port) for each in self.agents), "Patroni's first leader")
        self._find_leader()
        wait_until(self._create_database, "the first database", 20, 0.2)
        self.repair()
        print(f"patroni: the pair was up after {time.monotonic() - began:.1f} s", flush=True)

    def _create_database(self):
        """False until Patroni lets clients in."""
        try:
            with connect(self.leader.port, "postgres") as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
            return True
        except psycopg.Error:
            return False

    def _find_leader(self):
        self.leader = next(each for each in self.agents if is_primary(each.port))
        self.standby = next(each for each in self.agents if each is not self.leader)

    @property
    def url(self):
        return url([each.port for each in self.agents])

    @property
    def primary_port(self):
        return self.leader.port

    @property
    def loses_commits(self):
        """A planned switchover ships everything first, whatever the mode."""
        return self.event != SWITCHOVER

    def prepare(self, is_synchronous):
        status, answer = self.leader.ask("PATCH", "/config", {"synchronous_mode": is_synchronous})
        if status != 200:
            raise Failure(f"Patroni refuses its configuration: {answer}")
        expected = ("streaming", "sync" if is_synchronous else "async")
        wait_until(lambda: self._state() == expected, "replication under Patroni", 90)
        if is_synchronous:
            # In etcd as well: only what is there may take over.
            wait_until(lambda: self._roles().get(self.standby.name) == "sync_standby", "Patroni's synchronous standby")

    def _roles(self):
        status, answer = self.leader.ask("GET", "/cluster")
        return {each["name"]: each["role"] for each in json.loads(answer)["members"]} if status == 200 else {}

    def _state(self):
        return replication_state(self.leader.port, self.standby.name)

    def stop_replication(self):
        self.senders = WalSenders(self.leader.port)

    def fail_over(self):
        """When something happened to the leader, when the standby took writes, and, by the clock, a moment between the
        two histories."""
        began = time.monotonic()
        {KILL: self._kill, SWITCHOVER: self._switch_over, CUT_OFF: self._cut_off}[self.event]()
        cut = 0

        def took_over():
            nonlocal cut
            now = time.time_ns() // 1_000
            if is_primary(self.standby.port):
                return True
            cut = now
            return False
        wait_until(took_over, "Patroni's new leader", 90, 0.01)
        ended = time.monotonic()
        self.leader, self.standby = self.standby, self.leader
        return began, ended, cut

    def _kill(self):
        self.leader.kill()

    def _switch_over(self):
        body = {"leader": self.leader.name, "candidate": self.standby.name}
        threading.Thread(target=self.leader.ask, args=("POST", "/switchover", body), daemon=True).start()

    def _cut_off(self):
        self.leader.etcd.accepts = False
        self.leader.etcd.cut()

    def repair(self):
        """The old leader becomes the standby, rewound by Patroni."""
        if self.senders:
            self.senders.release(0)
            self.senders = None
        self.standby.etcd.accepts = True
        if not self.standby.process.is_running:
            self.standby.start()
        wait_until(lambda: (self._state() or [""])[0] == "streaming", "the old leader as a standby", 90, 0.1)

    def stop(self):
        if self.senders:
            self.senders.release(0)
        for each in self.agents:
            each.etcd.accepts = True
        # The standby first: otherwise it takes over once more.
        for each in [self.standby, self.leader] if self.leader else self.agents:
            each.stop()
        self.etcd.stop()


def _request(port, method, path, body=None):
    """Status and text; 0 if nothing answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None)
        response = connection.getresponse()
        return response.status, response.read().decode()
    except OSError as error:
        return 0, str(error)
    finally:
        connection.close()


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(each) for each in file.read().split()]
