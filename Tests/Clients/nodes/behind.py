"""Runs a command that finds several nodes behind a proxy: python -m nodes.behind --nodes 2 -- COMMAND…

HEARTH_MODE_ADDRESS names the proxy, which gives every connection to the next node: the mode `server` of
Tests/App/FirebaseFirestoreTests uses it.
"""

import argparse
import contextlib
import os
import subprocess
import sys

from .node import Node, initialize
from .postgres import MISSING, PostgresServer, programs
from .proxy import ConnectionProxy

# As the server that the suite starts by itself: every test has a database, and none is closed in between.
OPTIONS = ["--development", "--no-console", "--max-databases", "5000", "--log-level", "error"]


def arguments():
    parser = argparse.ArgumentParser(prog="nodes.behind", description=__doc__)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--is-there", action="store_true", help="only say whether PostgreSQL is installed")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND")
    options = parser.parse_args()
    options.command = options.command[options.command[:1] == ["--"]:]
    return options


def run(options):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(PostgresServer())
        initialize(server.url)
        nodes = [stack.enter_context(Node(server.url, *OPTIONS)) for _ in range(options.nodes)]
        proxy = stack.enter_context(ConnectionProxy([node.address for node in nodes]))
        code = subprocess.run(options.command, env={**os.environ, "HEARTH_MODE_ADDRESS": proxy.address}).returncode
        print(f"nodes: {len(nodes)}, connections: {proxy.counts['connections']}")
        for node in nodes:
            if not node.is_running:
                print(f"{node.name} has ended: {node.last_log()}", file=sys.stderr)
                code = code or 1
    return code


def main():
    options = arguments()
    if options.is_there and not programs():
        print(f"nodes: skipped, {MISSING}")
        return 1
    return 0 if options.is_there else run(options)


if __name__ == "__main__":
    raise SystemExit(main())
