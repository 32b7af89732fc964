"""Several nodes of `hearth serve` over one PostgreSQL server: how to start, disturb and check them."""

import os

# Processes are started beside calls in flight; what is started makes no calls of this process.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
