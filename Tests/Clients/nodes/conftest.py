"""What these tests need: a hearth with the trait Postgres, and PostgreSQL. Without them they are skipped."""

import os
import subprocess

import pytest

from nodes import postgres
from nodes.node import Node, hearth_binary, initialize


def missing():
    """What is missing, in one line; None if nothing is."""
    if not postgres.programs():
        return postgres.MISSING
    try:
        output = subprocess.run([hearth_binary(), "store"], capture_output=True, text=True, timeout=60).stderr
    except OSError:
        return f"{hearth_binary()} is not there: build it, or set HEARTH_BINARY"
    return "hearth was built without the trait Postgres" if "built without PostgreSQL" in output else None


@pytest.fixture(scope="session")
def binary():
    reason = missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    return hearth_binary()


@pytest.fixture
def server(binary):
    """A PostgreSQL server with Hearth's tables."""
    with postgres.PostgresServer() as server:
        initialize(server.url, binary=binary)
        yield server


@pytest.fixture
def start_node(server, binary):
    """Starts nodes, which end with the test."""
    nodes = []

    def start_node():
        nodes.append(Node(server.url, binary=binary).start())
        return nodes[-1]

    yield start_node
    for node in nodes:
        node.remove()
