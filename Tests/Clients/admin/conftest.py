import itertools

import pytest

from admin.served import Server

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("admin"), "--strict")
    yield server
    server.stop()


@pytest.fixture
def project():
    return f"project-{next(_numbers)}"


@pytest.fixture
def database(server, project):
    """A new database of a new project."""
    server.good("POST", f"projects/{project}/databases", {"locationId": "here"}, {"databaseId": "(default)"})
    return f"projects/{project}/databases/(default)"
