"""The checker must find the defects that HEARTH_MUTATION switches on in debug builds (DN-9.6)."""

import mmap

from .cluster import Cluster
from .faults import COMMITS_LOST
from .kill_nodes import Killing

# For each defect the checks that may find it, or what a client complains about. Other findings can have another cause.
LOST_STREAM = "[write-stream-lost]"
FOUND_BY = {
    "times-without-row": {
        "settle", "commit_times", "reads", "transactions", "snapshots", "deliveries", "first_snapshots", "final_state"},
    "join-without-look": {"first_snapshots"},
    "sequences-in-memory": {"settle", "batches", "final_state", LOST_STREAM},
    "epoch-unchecked": {"settle", "reads", "transactions", "snapshots", "deliveries", "final_state"},
    "notices-not-awaited": {"grants"},
}
ATTEMPTS = 6
SECONDS = 4
# Of each node from the server: what a node does not wait for must be late enough to be missed.
DELAYS = [0, 0.01, 0.04]


def has_mutations(binary):
    with open(binary, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"times-without-row") >= 0


def find(mutation, seed, binary, attempts=ATTEMPTS):
    """Runs rounds until the defect is found. Returns a finding, or None. Without a mutation nothing may be found."""
    with Cluster(binary=binary, mutation=mutation) as cluster:
        killing = Killing(cluster, seed, [COMMITS_LOST])
        for number in range(1, attempts + 1):
            killing.run_round(number, faults=int(mutation == "epoch-unchecked"), calm=SECONDS, delays=DELAYS)
            expected = FOUND_BY.get(mutation) or set().union(*FOUND_BY.values())
            if found := [each for each in killing.findings if _is_by(expected, each)]:
                return f"in round {number}, {len(found)} findings, such as: {found[0]}"
    return None


def _is_by(expected, finding):
    return finding.split(":")[0] in expected or LOST_STREAM in expected and LOST_STREAM in finding


def find_all(mutations, seed, binary):
    """Returns whether each was found, and nothing without them."""
    if not has_mutations(binary):
        print(f"mutations: skipped: {binary} has none")
        return True
    is_right = True
    for mutation in [None, *mutations]:
        found = find(mutation, seed, binary)
        print(f"{mutation or 'no mutation'}: {found or 'nothing found'}", flush=True)
        is_right &= (found is not None) == (mutation is not None)
    return is_right
