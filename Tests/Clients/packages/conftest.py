"""The packages of a program that is built, or those that PACKAGES names: a folder of `make package` and `make image`."""

import os
import pathlib
import shlex
import shutil
import subprocess

import pytest

from packages import base
from packages.system import System

ROOT = base.ROOT
BINARY = pathlib.Path(os.environ["HEARTH_BINARY"]).resolve()
GIVEN = os.environ.get("PACKAGES")


class Packing:
    """Scripts that pack the program, one after the other, beside the tests."""

    def __init__(self, output, *commands):
        self.output = output
        words = ["--binary", BINARY, "--quick", "--output", output]
        lines = [shlex.join(map(str, [ROOT / "dev" / command[0], *command[1:], *words])) for command in commands]
        self.process = subprocess.Popen(["sh", "-c", " && ".join(lines)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finished(self):
        text, _ = self.process.communicate()
        assert self.process.returncode == 0, text
        return self.output


@pytest.fixture(scope="session", autouse=True)
def started(tmp_path_factory):
    """What tests need: begun before the first one, because packing takes most of the time."""
    wanted = {"earlier": [("package", "deb", "--version", "0.0.9")]}
    if not GIVEN:
        wanted = {"first": [("package",), ("image",)], "second": [("package", "deb"), ("image",)]} | wanted
    yield {name: Packing(tmp_path_factory.mktemp(name), *commands) for name, commands in wanted.items()}
    # Systems and packages are large.
    subprocess.run(["rm", "-rf", "--one-file-system", tmp_path_factory.getbasetemp()], check=True)


@pytest.fixture(scope="session")
def packages(started):
    return pathlib.Path(GIVEN).resolve() if GIVEN else started["first"].finished()


@pytest.fixture(scope="session")
def again(started):
    """The Debian package and the image, made a second time."""
    if GIVEN:
        pytest.skip("these are release builds; the packings of a build for tests are compared")
    return started["second"].finished()


@pytest.fixture(scope="session")
def deb(packages):
    [path] = packages.glob("hearth_*.deb")
    return path


@pytest.fixture(scope="session")
def findings(deb):
    """What lintian says about the package; it takes seconds, so it runs beside the tests that do not ask."""
    if not shutil.which("lintian"):
        return lambda: pytest.skip("lintian is not installed")
    process = subprocess.Popen(["lintian", "--allow-root", deb], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return lambda: process.communicate()[0]


@pytest.fixture(scope="session")
def version(deb):
    return deb.name.split("_")[1]


@pytest.fixture(scope="session")
def earlier_deb(started):
    """A lower version, built from the same files."""
    [path] = started["earlier"].finished().glob("hearth_*.deb")
    return path


@pytest.fixture
def fresh(tmp_path, findings):
    return System(base.copy(base.base(), tmp_path / "root"))

