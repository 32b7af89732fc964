"""A plugin of pytest: the suites of the clients on several nodes (dev/test clients --nodes 2).

A proxy gives every connection to the next node, and between two files of tests one node is restarted, in turn.
"""

import pytest

from .node import Node, initialize
from .postgres import PostgresServer
from .proxy import ConnectionProxy
from .routes import RouteProxy


def pytest_addoption(parser):
    parser.addoption("--nodes", type=int, help="how many nodes serve")


class ServedNodes:
    def __init__(self, count):
        self.server = PostgresServer().start()
        initialize(self.server.url)
        self.nodes = [Node(self.server.url).start() for _ in range(count)]
        self.proxy = ConnectionProxy([node.address for node in self.nodes])
        self.pages = RouteProxy([node.address for node in self.nodes])
        self.restarts = 0

    @property
    def address(self):
        return self.proxy.address

    def restart_next(self):
        self.nodes[self.restarts % len(self.nodes)].restart()
        self.restarts += 1

    def remove(self):
        for proxy in [self.proxy, self.pages]:
            proxy.close()
        for node in self.nodes:
            node.remove()
        self.server.remove()


@pytest.fixture(scope="session")
def served_nodes(request):
    nodes = ServedNodes(request.config.getoption("nodes"))
    request.config.served_nodes = nodes
    yield nodes
    request.config.served_nodes = None
    request.config.served_summary = (
        f"nodes: {len(nodes.nodes)}, restarts between files: {nodes.restarts}, connections: "
        f"{nodes.proxy.counts['connections']}, of web pages: {nodes.pages.counts['connections']}")
    nodes.remove()


def pytest_terminal_summary(terminalreporter, config):
    if summary := getattr(config, "served_summary", None):
        terminalreporter.write_line(summary)


@pytest.fixture(scope="module", autouse=True)
def restarted_node(request):
    yield
    if nodes := getattr(request.config, "served_nodes", None):
        nodes.restart_next()


def pytest_collection_modifyitems(items):
    for item in items:
        if marker := item.get_closest_marker("one_server"):
            item.add_marker(pytest.mark.skip(reason=f"not on several nodes: {marker.args[0]}"))
