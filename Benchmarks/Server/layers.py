"""Which layer of the server a sample of its stack belongs to.

A sample counts for the innermost frame that belongs to a layer. Frames without a layer, such as those of the Swift runtime and of
`FirestoreCore`, work for their caller. So does the C library where its caller is known: it keeps no frame pointers, and most samples of it
have no frame but their own.
"""

import re

KERNEL, OTHER = "[kernel.kallsyms]", "not attributed"
MEMORY = "malloc, free, locks"
THREADS = "threads: switches and queues"
SOCKETS, FILES = "kernel: sockets", "kernel: files"
FRAMING, HPACK, RPC = "sockets and frames of HTTP/2", "HPACK", "RPC: streams and messages"
IDENTIFICATION, METRICS = "identification, admission", "metrics, console's recording"
WIRE, METHODS, RULES = "protobuf", "methods", "rules"
ENGINE, SQLITE = "engine", "SQLite and its access"

# In the order in which a call passes through them.
LAYERS = [
    SOCKETS, FRAMING, HPACK, RPC, THREADS, IDENTIFICATION, METRICS, WIRE, METHODS, RULES, ENGINE, SQLITE, FILES, MEMORY, OTHER,
]  # fmt: skip

MODULES = {
    **dict.fromkeys(["NIOCore", "NIOPosix", "NIOSSL", "NIOConcurrencyHelpers", "DequeModule"], FRAMING),
    "NIOHPACK": HPACK,
    "FirestoreRPC": RPC,
    "Dispatch": THREADS,
    **dict.fromkeys(["FirestoreAuthentication", "FirestoreTokens", "FirestoreAccounts"], IDENTIFICATION),
    "FirestoreConsole": METRICS,
    "FirestoreWire": WIRE,
    "FirestoreServer": METHODS,
    **dict.fromkeys(["FirestoreEnforcement", "FirestoreRules"], RULES),
    **dict.fromkeys(["FirestoreEngine", "FirestoreSemantics", "FirestoreStorage", "FirestoreEvents"], ENGINE),
    **dict.fromkeys(["FirestoreSQLite", "GRDB"], SQLITE),
}
LIBRARIES = {"libdispatch": THREADS, "libswiftDispatch": THREADS, "libswift_Concurrency": THREADS, "libsqlite3": SQLITE}

# Parts of a module that are layers of their own, by what their mangled names contain: "0B" repeats the second word of the module's name.
PARTS = [
    ("FirestoreServer", re.compile("CallIdentification|IdentifiedCall|CallAdmission|TraceHeader"), IDENTIFICATION),
    ("FirestoreServer", re.compile("0B7Metrics|0B8Observer|DocumentFigures"), METRICS),
    ("FirestoreRPC", re.compile("HTTP2(Framing|Fields|Stream|FrameHead|ResetStreams)V"), FRAMING),
    ("FirestoreConsole", re.compile("0B14Authentication"), IDENTIFICATION),
]
# What the names of the kernel's functions in a stack say. Loops are woken through an eventfd; the first that matches decides.
KERNEL_WORK = [
    (re.compile("futex|eventfd|sched_yield|reschedule|exit_to_user_mode_loop"), THREADS),
    (re.compile("tcp_|sock_|_skb|epoll|netif_|inet_"), SOCKETS),
    (re.compile("ext4|blk_|jbd2|fcntl|pread|pwrite|fdatasync|fsync|filemap|posix_lock"), FILES),
    (re.compile("page_fault|brk|mmap|madvise"), MEMORY),
]


def module(symbol):
    """The module that a mangled name of Swift is from; that of an extension is the one it is written in. None for other names."""
    if not symbol.startswith("$s"):
        return None
    for name in MODULES:
        # A name that begins with a word that was mentioned before is shortened.
        short = name.removeprefix("Firestore")
        if f"{len(name)}{name}E" in symbol or (short != name and f"0A{len(short)}{short}E" in symbol):
            return name
    length = re.match(r"\$s(\d+)", symbol)
    if not length:
        return None
    return symbol[length.end() : length.end() + int(length[1])]


def layer(symbol, library):
    """The layer of a frame in user space; None if it works for its caller."""
    for prefix, name in LIBRARIES.items():
        if library.startswith(prefix + "."):
            return name
    origin = module(symbol)
    for of, pattern, name in PARTS:
        if origin == of and pattern.search(symbol):
            return name
    return MODULES.get(origin)


def layer_of_stack(frames):
    """`frames`: symbols and libraries, the innermost first."""
    if frames and frames[0][1] == KERNEL:
        names = " ".join(symbol for symbol, library in frames if library == KERNEL)
        return next((name for pattern, name in KERNEL_WORK if pattern.search(names)), OTHER)
    for symbol, library in frames:
        if found := layer(symbol, library):
            return found
    return MEMORY if frames and frames[0][1].startswith("libc.") else OTHER


def stacks(script):
    """The stacks in the output of `perf script -F ip,sym,dso`."""
    frames = []
    for line in script:
        if not line.strip():
            if frames:
                yield frames
            frames = []
            continue
        match = re.match(r"\s*[0-9a-f]+ (.*) \((.*)\)$", line.rstrip())
        if match:
            frames.append((match[1], match[2].rsplit("/", 1)[-1] if match[2] != KERNEL else KERNEL))
    if frames:
        yield frames


def shares(script):
    """The share of each layer in the samples."""
    counts = dict.fromkeys(LAYERS, 0)
    for frames in stacks(script):
        counts[layer_of_stack(frames)] += 1
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()} if total else {}
