"""Fail-over of the PostgreSQL server under several nodes (docs/distributed.md)."""

import os

# Servers are started while calls are in progress: gRPC's preparations for a fork would crash the new process before it
# is the server.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
