"""Two PostgreSQL servers, one of which replicates the other (DN-9.5): the primary is stopped, the standby promoted, and
the old primary made anew as its standby."""

import os
import shutil
import time
from signal import SIGQUIT

from nodes.postgres import PostgresServer

from .servers import USER, WalSenders, is_primary, replication_state, url, wait_until

STANDBY = "standby"
SETTINGS = {
    "fsync": "on", "full_page_writes": "on", "wal_level": "replica", "max_wal_senders": 8, "hot_standby": "on",
    "wal_keep_size": "256MB", "max_connections": 100}


class ReplicatedServer(PostgresServer):
    def __init__(self, folder):
        super().__init__(folder, SETTINGS)

    def become_standby_of(self, primary):
        """Copies the primary: whatever this server had that the primary does not have is gone."""
        shutil.rmtree(self.data, ignore_errors=True)
        source = f"host=127.0.0.1 port={primary.port} user={USER} application_name={STANDBY}"
        self._run(
            "pg_basebackup", "-D", self.data, "-d", source, "-R", "-X", "stream", "-c", "fast", "--no-sync",
            **self._account)
        # One that is promoted must not wait for a standby that it does not have. The last line counts.
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            file.write("synchronous_standby_names = ''\n")
        self._is_new = False
        self.start()

    def set_synchronous(self, is_synchronous):
        names = f"'{STANDBY}'" if is_synchronous else "''"
        self.execute(f"ALTER SYSTEM SET synchronous_standby_names = {names}", database="postgres")
        self.execute("SELECT pg_reload_conf()", database="postgres")

    def crash(self, senders):
        """`pg_ctl stop -m immediate`, which WAL senders that are stopped must not delay."""
        self._process.send(SIGQUIT)
        if senders:
            senders.release()
        self.stop("immediate")

    def promote(self):
        """Returns when the server takes writes."""
        self._run("pg_ctl", "promote", "-D", self.data, "-w", "-t", "60", **self._account)
        wait_until(lambda: is_primary(self.port), "the promotion")


class ReplicatedPair:
    """A primary and its standby; they change places with every fail-over."""

    def __init__(self, folder):
        os.chmod(folder, 0o755)
        self.primary = ReplicatedServer(os.path.join(folder, "server-a"))
        self.standby = ReplicatedServer(os.path.join(folder, "server-b"))
        self.senders = None

    def start(self):
        self.primary.start()
        self.standby.become_standby_of(self.primary)

    @property
    def url(self):
        return url(sorted([self.primary.port, self.standby.port]))

    # Without its stream, the standby misses commits.
    loses_commits = True

    @property
    def primary_port(self):
        return self.primary.port

    def prepare(self, is_synchronous):
        self.primary.set_synchronous(is_synchronous)
        expected = ("streaming", "sync" if is_synchronous else "async")
        wait_until(lambda: replication_state(self.primary.port, STANDBY) == expected, "replication")

    def stop_replication(self):
        self.senders = WalSenders(self.primary.port)

    def fail_over(self):
        """When the primary was stopped, when the standby took writes, and, by the clock, a moment between the two
        histories."""
        began = time.monotonic()
        self.primary.crash(self.senders)
        self.senders = None
        cut = time.time_ns() // 1_000
        self.standby.promote()
        ended = time.monotonic()
        self.primary, self.standby = self.standby, self.primary
        return began, ended, cut

    def repair(self):
        self.standby.become_standby_of(self.primary)

    def stop(self):
        if self.senders:
            self.senders.release(0)
        self.primary.stop("immediate")
        self.standby.stop("immediate")
