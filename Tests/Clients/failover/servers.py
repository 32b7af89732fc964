"""What the tests do with PostgreSQL servers, however they are run."""

import os
import pathlib
import signal
import time

import psycopg
from nodes.postgres import PostgresServer

USER = PostgresServer.USER
DATABASE = PostgresServer.DATABASE


class Failure(Exception):
    """The components around Hearth do not do what they should."""


def wait_until(condition, what, seconds=60.0, pause=0.02):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"waited {seconds:g} s in vain for {what}")
        time.sleep(pause)


def connect(port, database=DATABASE, timeout=3):
    return psycopg.connect(
        host="127.0.0.1", port=port, user=USER, dbname=database, connect_timeout=timeout, autocommit=True)


def rows(port, sql, *values, database=DATABASE):
    with connect(port, database) as connection:
        return connection.execute(sql, values).fetchall()


def replication_state(port, standby):
    """Such as ("streaming", "sync"); None without a connection of the standby."""
    found = rows(port, "SELECT state, sync_state FROM pg_stat_replication WHERE application_name = %s", standby)
    return found[0] if found else None


def is_primary(port):
    """Whether a server takes writes; false if it does not answer."""
    try:
        return not rows(port, "SELECT pg_is_in_recovery()", database="postgres")[0][0]
    except psycopg.Error:
        return False


def url(ports):
    """For Hearth: both servers, of which the primary is found."""
    return f"postgres://{USER}@" + ",".join(f"127.0.0.1:{port}" for port in ports) + f"/{DATABASE}"


class WalSenders:
    """The processes of a primary that send to its standbys, stopped: the primary continues, and its standbys notice
    nothing."""

    def __init__(self, port):
        self.pids = [row[0] for row in rows(port, "SELECT pid FROM pg_stat_replication", database="postgres")]
        if not self.pids:
            raise Failure("the primary has no standby")
        for pid in self.pids:
            os.kill(pid, signal.SIGSTOP)

    def release(self, seconds=2):
        """Lets them end, when the primary was stopped. The signal that waits for them comes before anything that they
        would still send."""
        for pid in self.pids:
            try:
                wait_until(lambda: self._has_pending(pid, signal.SIGQUIT), "the end of a WAL sender", seconds, 0.002)
            except (Failure, OSError):
                pass  # It is gone, or has to end some other way.
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.pids = []

    @staticmethod
    def _has_pending(pid, number):
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
        pending = (int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd:", "ShdPnd:")))
        return any(bits & 1 << number - 1 for bits in pending)
