"""A system in a folder: runs programs in it, and a server."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import time
import urllib.error
import urllib.request

# As seen from here: the path of a system may lack its folder.
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# A program reads its arguments in /proc. The mount ends with the program.
ENTER = 'mount -t proc proc "$0/proc" && exec "$@"'
DOCUMENTS = "projects/my-project/databases/(default)/documents"


class System:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def path(self, name):
        return self.folder / str(name).lstrip("/")

    def run(self, *words, user=None, environment=None, code=0):
        """The output of a program, which must end with `code`."""
        done = subprocess.run(self.command(words, user, environment), capture_output=True, text=True)
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def command(self, words, user, environment):
        self.path("/proc").mkdir(exist_ok=True)
        variables = [f"{name}={value}" for name, value in ({"PATH": PATH, "HOME": "/root"} | (environment or {})).items()]
        chroot = [CHROOT, f"--userspec={user or '0:0'}", self.folder]
        return ["unshare", "--mount", "sh", "-c", ENTER, self.folder, "env", "-i", *variables, *chroot, *words]

    @contextlib.contextmanager
    def server(self, *words, port_file, user=None, environment=None):
        """Runs a server, which writes its port to a file and must end well. Gives its address."""
        port = self.path(port_file)
        port.unlink(missing_ok=True)
        process = subprocess.Popen(
            self.command(words, user, environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            end = time.monotonic() + 60
            while not port.exists() or not port.read_text().strip():
                assert process.poll() is None and time.monotonic() < end, process.stderr.read() if process.poll() is not None else "late"
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port.read_text().strip()}"
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors

    def install(self, package):
        """As a user does: apt checks what the package depends on. It needs no network for what is there."""
        name = f"/{pathlib.Path(package).name}"
        shutil.copy(package, self.path(name))
        words = ["apt-get", "install", "--yes", "--no-install-recommends", "--option", "Dpkg::Use-Pty=0", name]
        try:
            return self.run(*words, environment={"DEBIAN_FRONTEND": "noninteractive"})
        finally:
            self.path(name).unlink()


def commit(address, key, name, number):
    """Writes a document; the answer of the server."""
    write = {"update": {"name": f"{DOCUMENTS}/{name}", "fields": {"number": {"integerValue": str(number)}}}}
    return call(f"{address}/v1/{DOCUMENTS}:commit", key, {"writes": [write]})


def number(address, key, name):
    return int(call(f"{address}/v1/{DOCUMENTS}/{name}", key)["fields"]["number"]["integerValue"])


def call(url, key, body=None):
    return json.loads(answer(url, key, body))


def status(url, key=None, body=None):
    """The code of an answer, also of an error."""
    try:
        answer(url, key, body)
        return 200
    except urllib.error.HTTPError as error:
        return error.code


def answer(url, key, body):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read()
