"""What is linked into the program: packages of Swift, and libraries of the system. Whose they are, and under which licence."""

import json
import pathlib
import re
from dataclasses import dataclass, field

from packing import program
from packing.release import ROOT, output

TEXTS = re.compile(r"(LICENSE|NOTICE|COPYING)(\.txt|\.md)?$", re.IGNORECASE)
# SPDX names the licence of a library of the system; its text is in the package that the system has.
SYSTEM_LICENSES = {
    "libc6": "LGPL-2.1-or-later", "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1", "libpq5": "PostgreSQL",
    "libsqlite3-0": "blessing", "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1", "zlib1g": "Zlib",
}
# What a static build has inside, by the library that the program would name otherwise.
STATIC = {"libsqlite3.so.0": ("libsqlite3-0", "sqlite3_libversion"), "libz.so.1": ("zlib1g", "zlibVersion")}


@dataclass
class Component:
    name: str
    version: str
    license: str
    # Where its source is: an address, with the commit behind an at sign.
    source: str = ""
    # Of the system, and loaded when the program starts.
    is_dynamic: bool = False
    # Its licence and its notices, by the name of the file.
    texts: dict = field(default_factory=dict)


def linked(binary, build):
    """All components of a program. `build`: the folder of the package manager that it was built in, with the checkouts."""
    pins = {pin["identity"]: pin for pin in json.loads((build.parent / "Package.resolved").read_text())["pins"]}
    found = [checkout(folder, pins) for folder in used_checkouts(binary, build / "checkouts")]
    return sorted(found + [swift()] + of_system(binary), key=lambda component: component.name.lower())


def used_checkouts(binary, checkouts):
    """The checkouts whose modules the linker was given; all of them if its list is not beside the program."""
    folders = sorted(folder for folder in checkouts.iterdir() if folder.is_dir())
    listing = pathlib.Path(binary).resolve().parent / "hearth.product/Objects.LinkFileList"
    if not listing.exists():
        return folders
    modules = set(re.findall(r"/([^/]+)\.build/", listing.read_text()))
    own = {path.name for path in ROOT.glob("Sources/*/*")} | {"EmbeddedPages", "hearth"}
    used = []
    for folder in folders:
        its = {path.name for pattern in ["*", "Sources/*", "Sources/*/*"] for path in folder.glob(pattern) if path.is_dir()}
        if modules & its - own:
            used.append(folder)
            modules -= its
    # Resources of a package have a folder with its name.
    unknown = modules - own - {folder.name for folder in folders}
    if unknown:
        raise SystemExit(f"package: it is not known from which packages these modules are: {', '.join(sorted(unknown))}")
    return used


def checkout(folder, pins):
    pin = pins[folder.name.lower()]
    state = pin["state"]
    texts = {
        str(path.relative_to(folder)): path.read_text(errors="replace")
        for path in sorted(folder.rglob("*")) if TEXTS.match(path.name) and path.is_file() and "Tests" not in path.parts
    }
    if not texts:
        raise SystemExit(f"package: {folder} has no licence")
    return Component(
        name=folder.name, version=state.get("version", state["revision"]), license=license_of("\n".join(texts.values())),
        source=f"{pin['location'].removesuffix('.git')}@{state['revision']}", texts=texts)


def license_of(text):
    """The SPDX expression for licence texts that came together."""
    found = []
    if "Apache License" in text:
        has_exception = "Runtime Library Exception" in text
        found.append("Apache-2.0 WITH Swift-exception" if has_exception else "Apache-2.0")
    if "Permission is hereby granted, free of charge" in text:
        found.append("MIT")
    if not found:
        raise SystemExit("package: a licence is not known; add it to license_of")
    return " AND ".join(found)


def swift():
    """The runtime, Foundation and Dispatch, of the toolchain."""
    compiler = pathlib.Path(output("sh", "-c", "readlink -f \"$(command -v swift)\""))
    text = compiler.parents[1] / "share/swift/LICENSE.txt"
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    return Component(
        name="swift", version=version, license="Apache-2.0 WITH Swift-exception AND Unicode-3.0",
        source="https://github.com/swiftlang/swift", texts={"LICENSE.txt": text.read_text(errors="replace")})


def of_system(binary):
    """The libraries that the program names, and those that are inside it instead."""
    paths, names = program.libraries(binary), program.needed(binary)
    owners = program.debian_packages(*paths.values())
    # Several may be from one package.
    packages = sorted({owners[paths[name]] for name in names if paths.get(name) in owners})
    found = [Component(name, version, SYSTEM_LICENSES.get(name, "NOASSERTION"), is_dynamic=True) for name, version in packages]
    symbols = None
    for name, (package, symbol) in STATIC.items():
        if name in names or any(component.name == package for component in found):
            continue
        symbols = symbols if symbols is not None else defined(binary)
        if symbol in symbols:
            version = output("dpkg-query", "--show", "--showformat", "${Version}", package)
            found.append(Component(package, version, SYSTEM_LICENSES[package]))
    return found


def defined(binary):
    return set(re.findall(r" [TtWVi] (\S+)$", output("nm", "--defined-only", binary), re.MULTILINE))
