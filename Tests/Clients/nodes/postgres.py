"""A PostgreSQL server in a folder of its own, on a free port of the loopback interface.

A server that runs on the machine is never used.
"""

import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time

from .process import GuardedProcess, free_port

OLDEST_VERSION = 15
MISSING = "no PostgreSQL server of version 15 or later: apt-get install postgresql-15, or set HEARTH_POSTGRES_BIN"
SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class PostgresMissing(Exception):
    """No server is installed; the text says so in one line. Callers skip what needs one."""

    def __init__(self):
        super().__init__(MISSING)


def _version(folder):
    try:
        text = subprocess.run([f"{folder}/postgres", "--version"], capture_output=True, text=True, check=True).stdout
        return int(re.search(r"\) (\d+)", text).group(1))
    except (OSError, subprocess.CalledProcessError, AttributeError):
        return 0


def programs():
    """The folder of PostgreSQL's programs; None where none is new enough."""
    debian = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: -int(re.sub(r"\D", "", path) or 0))
    given = [os.environ[name] for name in ["HEARTH_POSTGRES_BIN"] if name in os.environ]
    folders = given or [*debian, *os.environ.get("PATH", "").split(":")]
    return next((folder for folder in folders if _version(folder) >= OLDEST_VERSION), None)


def account():
    """`initdb` and `postgres` refuse to run as root: options of subprocess that make them run as another user."""
    if os.getuid() != 0:
        return {}
    for name in ["postgres", "nobody"]:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError("PostgreSQL does not run as root, and there is no other account for it")


class PostgresServer:
    """User and database are called hearth; no password. `settings` are added to those of `postgresql.conf`."""

    USER = DATABASE = "hearth"

    def __init__(self, folder=None, settings=None):
        self.bin = programs()
        if not self.bin:
            raise PostgresMissing()
        self.folder = folder or tempfile.mkdtemp(prefix="hearth-postgres-")
        os.makedirs(self.folder, exist_ok=True)
        self.data, self.log = os.path.join(self.folder, "data"), os.path.join(self.folder, "log")
        self.port = free_port()
        self.settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "max_connections": 200,
            "shared_buffers": "64MB", "fsync": "off", "full_page_writes": "off", **(settings or {})}
        self._account = account()
        self._environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": self.folder}
        self._process = None
        self._is_new = not os.path.exists(os.path.join(self.data, "PG_VERSION"))
        if self._is_new:
            self._create()

    @property
    def url(self):
        return self.url_at(self.port)

    def url_at(self, port):
        """The URL through something that listens on another port, such as a proxy."""
        return f"postgres://{self.USER}@127.0.0.1:{port}/{self.DATABASE}"

    @property
    def is_running(self):
        return self._process is not None and self._process.is_running

    def _create(self):
        if self._account:
            os.chown(self.folder, self._account["user"], self._account["group"])
        self._run(
            "initdb", "-D", self.data, "-U", self.USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync",
            "--no-instructions", **self._account)

    def _run(self, program, *words, **options):
        result = subprocess.run(
            [f"{self.bin}/{program}", *words], env=self._environment, cwd="/", capture_output=True, text=True,
            **options)
        if result.returncode != 0:
            output = result.stderr.strip() or result.stdout.strip()
            raise RuntimeError(f"{program}: status {result.returncode}: {output}")
        return result.stdout.rstrip("\n")

    def start(self, seconds=60, **settings):
        """Starts the server and waits until it accepts connections."""
        if self.is_running:
            return self
        settings = {**self.settings, **settings}
        options = [word for name, value in settings.items() for word in ["-c", f"{name}={value}"]]
        words = [f"{self.bin}/postgres", "-D", self.data, *options]
        self._process = GuardedProcess(
            words, self.log, last_signal="QUIT", env=self._environment, cwd="/", **self._account)
        end = time.monotonic() + seconds
        while not self._is_ready():
            if not self.is_running or time.monotonic() > end:
                self._process.end()
                raise RuntimeError(f"PostgreSQL does not start: {self.last_log()}")
            time.sleep(0.01)
        if self._is_new:
            self.execute(f"CREATE DATABASE {self.DATABASE} ENCODING 'UTF8' TEMPLATE template0", database="postgres")
            self._is_new = False
        return self

    def _is_ready(self):
        """The last line of the file in which the server describes itself."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                lines = file.read().splitlines()
        except OSError:
            return False
        # The file of a server that was killed stays: it names another process.
        return len(lines) >= 8 and lines[0] == str(self._process.pid) and lines[-1].strip() == "ready"

    def stop(self, mode="fast"):
        """`immediate` is like a crash: connections close without a word, and the next start recovers."""
        if self._process:
            self._process.end(SIGNALS[mode])
            self._process = None

    # Losing commits, as a fail-over to a standby that lags does.

    def copy(self):
        """Keeps the present state for `lose_commits`."""
        self._copy = os.path.join(self.folder, "copy")
        shutil.rmtree(self._copy, ignore_errors=True)
        self._run(
            "pg_basebackup", "-D", self._copy, "-h", "127.0.0.1", "-p", str(self.port), "-U", self.USER, "-c", "fast",
            "-X", "stream", **self._account)

    def lose_commits(self):
        """Continues from the copy, on the same port, with a timeline of its own."""
        self.stop("immediate")
        shutil.rmtree(self.data)
        os.rename(self._copy, self.data)
        signal_file = os.path.join(self.data, "recovery.signal")
        with open(signal_file, "w"):
            pass
        if self._account:
            os.chown(signal_file, self._account["user"], self._account["group"])
        # Recovery ends where the copy ends, and with it begins a timeline.
        self.start(restore_command="false")

    def execute(self, sql, database=DATABASE):
        """Runs statements with `psql` and returns what they print: a line for each row, columns separated by |."""
        url = f"postgres://{self.USER}@127.0.0.1:{self.port}/{database}"
        return self._run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql)

    def last_log(self):
        try:
            with open(self.log, errors="replace") as file:
                return file.read()[-2_000:]
        except OSError:
            return "(no log)"

    def remove(self):
        """Stops the server and deletes its files."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.remove()
