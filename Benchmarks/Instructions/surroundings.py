"""What else decides how many instructions a path needs: counts are compared only where all of it is the same."""

import ctypes
import json
import platform
import subprocess

# The packages whose code the paths of the gate run.
PACKAGES = {
    "grdb.swift", "swift-atomics", "swift-collections", "swift-log", "swift-metrics", "swift-nio", "swift-nio-http2", "swift-system",
}  # fmt: skip


def current(build):
    """Names and versions; `build` is the scratch folder of the package manager."""
    found = {
        "compiler": output("swift", "--version").splitlines()[0],
        "glibc": library_version("libc.so.6", "gnu_get_libc_version"),
        "processor": processor(platform.machine(), flags()),
        "sqlite": library_version("libsqlite3.so.0", "sqlite3_libversion"),
        "valgrind": output("valgrind", "--version"),
    }
    with open(f"{build}/workspace-state.json", encoding="utf-8") as file:
        return found | packages(json.load(file))


def packages(state):
    """The versions of packages that the package manager has checked out."""
    found = {}
    for dependency in state["object"]["dependencies"]:
        name, checkout = dependency["packageRef"]["identity"], dependency["state"].get("checkoutState", {})
        if name in PACKAGES:
            found[name] = checkout.get("version") or checkout.get("revision") or "local"
    return found


def processor(machine, flags):
    """valgrind shows programs one kind of processor, with AVX2 if the real one has it: the C library chooses its functions by that."""
    return f"{machine} with AVX2" if "avx2" in flags else machine


def flags():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split() for line in file if line.startswith("flags")), [])


def library_version(name, function):
    version = getattr(ctypes.CDLL(name), function)
    version.restype = ctypes.c_char_p
    return version().decode()


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def differences(recorded, here):
    """One line for each version that is not the recorded one."""
    return [
        f"{name}: {recorded.get(name, 'none')} in the file, {here.get(name, 'none')} here"
        for name in sorted(recorded.keys() | here.keys())
        if recorded.get(name) != here.get(name)
    ]
