"""Two PostgreSQL servers, one of which replicates the other (DN-9.5): the primary is stopped, the standby promoted, and the old primary
made anew as its standby."""

import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import psycopg

USER = "hearth"
DATABASE = "hearth"
STANDBY_NAME = "standby"


class Failure(Exception):
    """The components around Hearth do not do what they should."""


def programs():
    """The folder with the programs of PostgreSQL, the newest of Debian's; HEARTH_POSTGRES_BIN names another one."""
    if given := os.environ.get("HEARTH_POSTGRES_BIN"):
        return pathlib.Path(given)
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise Failure("no PostgreSQL server: apt-get install postgresql, or set HEARTH_POSTGRES_BIN")
    return found[-1].parent


def free_port():
    """A port outside of the range from which systems give ports to clients, so that it is still free after a restart."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Failure("no free port")


class Account:
    """`postgres` and `initdb` refuse to run as root: the account that runs them then."""

    def __init__(self):
        self.entry = pwd.getpwnam("postgres") if os.getuid() == 0 else None

    @property
    def prefix(self):
        if not self.entry:
            return []
        return ["setpriv", f"--reuid={self.entry.pw_uid}", f"--regid={self.entry.pw_gid}", "--clear-groups"]

    def own(self, path):
        if self.entry:
            os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def folder(self, prefix):
        path = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
        self.own(path)
        return path


def connect(port, database=DATABASE, timeout=3):
    return psycopg.connect(
        host="127.0.0.1", port=port, user=USER, dbname=database, connect_timeout=timeout, autocommit=True)


def is_primary(port):
    """Whether a server takes writes; false if it does not answer."""
    try:
        with connect(port, "postgres", timeout=2) as connection:
            return not connection.execute("SELECT pg_is_in_recovery()").fetchone()[0]
    except psycopg.Error:
        return False


def walsenders(port):
    with connect(port, "postgres") as connection:
        return [row[0] for row in connection.execute("SELECT pid FROM pg_stat_replication")]


def pending_signals(pid):
    """The signals that a process has not handled yet, as a set of bits."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd:", "ShdPnd:")))


def wait_until(condition, what, seconds=60.0, pause=0.02):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"waited {seconds:g} s in vain for {what}")
        time.sleep(pause)


def release(pids):
    """Lets stopped WAL senders end: the signal that waits for them comes before anything that they would still send."""
    for pid in pids:
        try:
            wait_until(lambda: pending_signals(pid) & 1 << signal.SIGQUIT - 1, "the end of a WAL sender", 2, 0.002)
        except (Failure, FileNotFoundError):
            pass
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass


class Server:
    """One PostgreSQL server in a folder of its own."""

    def __init__(self, name, account):
        self.name = name
        self.account = account
        self.port = free_port()
        self.folder = account.folder(f"hearth-failover-{name}-")
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.process = None

    def run(self, program, *words):
        result = subprocess.run(
            [*self.account.prefix, programs() / program, *map(str, words)], cwd="/", env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise Failure(f"{program} of server {self.name} failed: {result.stdout[-2000:]}")

    @property
    def environment(self):
        return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": str(self.folder)}

    def initialize(self):
        self.run("initdb", "-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        rules = f"host all all 127.0.0.1/32 trust\nhost replication {USER} 127.0.0.1/32 trust\n"
        (self.data / "pg_hba.conf").write_text(rules)

    def become_standby_of(self, primary):
        """Copies the primary: whatever this server had that the primary does not have is gone."""
        shutil.rmtree(self.data, ignore_errors=True)
        source = f"host=127.0.0.1 port={primary.port} user={USER} application_name={STANDBY_NAME}"
        self.run("pg_basebackup", "-D", self.data, "-d", source, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.start()

    def configure(self, synchronous=False):
        """A standby that is promoted must not wait for one of its own, so only a primary is made synchronous."""
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "max_connections": 100,
            "shared_buffers": "64MB", "fsync": "on", "wal_level": "replica", "max_wal_senders": 8, "hot_standby": "on",
            "wal_keep_size": "256MB", "max_prepared_transactions": 0, "log_checkpoints": "off",
            "synchronous_standby_names": STANDBY_NAME if synchronous else "",
        }
        lines = [f"{name} = '{value}'\n" for name, value in settings.items()]
        (self.data / "postgresql.conf").write_text("".join(lines))

    def start(self):
        self.configure()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.account.prefix, programs() / "postgres", "-D", self.data], cwd="/", env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self.answers, f"server {self.name}, which does not start; see {self.log}")

    def answers(self):
        try:
            connect(self.port, "postgres").close()
            return True
        except psycopg.Error:
            return False

    def set_synchronous(self, synchronous):
        self.configure(synchronous)
        self.process.send_signal(signal.SIGHUP)
        expected = STANDBY_NAME if synchronous else ""
        with connect(self.port, "postgres") as connection:
            def is_set():
                return connection.execute("SHOW synchronous_standby_names").fetchone()[0] == expected
            wait_until(is_set, "the server's new setting")

    def kill(self):
        """Like a crash: the connections close without a word."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)

    def wait(self):
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def remove(self):
        if self.process:
            self.kill()
            self.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class ReplicatedPair:
    """A primary and its standby; they change places with every fail-over."""

    def __init__(self):
        account = Account()
        self.primary = Server("a", account)
        self.standby = Server("b", account)
        self.stopped = []

    def start(self):
        self.primary.initialize()
        self.primary.start()
        with connect(self.primary.port, "postgres") as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        self.standby.become_standby_of(self.primary)

    @property
    def url(self):
        ports = sorted([self.primary.port, self.standby.port])
        return f"postgres://{USER}@" + ",".join(f"127.0.0.1:{port}" for port in ports) + f"/{DATABASE}"

    @property
    def primary_port(self):
        return self.primary.port

    def prepare(self, synchronous):
        wait_until(lambda: self._replication("streaming"), "replication")
        self.primary.set_synchronous(synchronous)
        if synchronous:
            wait_until(lambda: self._replication("sync"), "the synchronous standby")

    def _replication(self, state):
        with connect(self.primary.port, "postgres") as connection:
            rows = connection.execute("SELECT state, sync_state FROM pg_stat_replication").fetchall()
        return any(row[0] == "streaming" and state in row for row in rows)

    def stop_replication(self):
        """The primary goes on without its standby, which notices nothing."""
        self.stopped = walsenders(self.primary.port)
        for pid in self.stopped:
            os.kill(pid, signal.SIGSTOP)

    def fail_over(self):
        """Returns when the primary was killed and when the standby takes writes."""
        began = time.monotonic(), time.time()
        self.primary.kill()
        release(self.stopped)
        self.primary.wait()
        self.standby.run("pg_ctl", "promote", "-D", self.standby.data, "-w", "-t", "60")
        ended = time.monotonic()
        self.primary, self.standby, self.stopped = self.standby, self.primary, []
        return began, ended

    def repair(self):
        self.standby.become_standby_of(self.primary)

    def logs(self):
        return [self.primary.log, self.standby.log]

    def remove(self):
        for pid in self.stopped:
            os.kill(pid, signal.SIGCONT)
        self.primary.remove()
        self.standby.remove()
