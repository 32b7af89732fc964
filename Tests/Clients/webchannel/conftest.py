"""The servers under test: `hearth serve`, and Google's emulator where it is installed."""

import itertools
import os
import pathlib

import pytest

from oracle import servers

ROOT = pathlib.Path(__file__).resolve().parents[3]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def hearth(request):
    """Where the server is. HEARTH_ADDRESS names one that runs, --nodes asks for several nodes behind a balancer."""
    if request.config.getoption("nodes", None):
        yield request.getfixturevalue("served_nodes").pages.address
        return
    if given := os.environ.get("HEARTH_ADDRESS"):
        yield given
        return
    server = servers.hearth(os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))).wait()
    yield server.address
    server.stop()


@pytest.fixture(scope="session")
def hearth_pid(hearth):
    """The process, if it was started here."""
    return next((server.process.pid for server in servers.Server.running if server.address == hearth), None)


@pytest.fixture(scope="session")
def emulator():
    jar = servers.emulator_jar()
    if not jar:
        pytest.skip("Google's emulator is not installed")
    server = servers.emulator(jar).wait()
    yield server.address
    server.stop()


@pytest.fixture
def database():
    return f"projects/web-{next(_numbers)}/databases/(default)"
