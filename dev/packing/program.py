"""The program that is packed: its libraries, and whose they are."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from packing.release import output

# Of the system, in every package.
LOADER = re.compile(r"ld-linux|linux-vdso")


def needed(program):
    """The names of the libraries that a program or a library names itself."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", "--wide", program))


def libraries(program):
    """The libraries that the loader finds for a program on this machine, also those of its libraries: paths by name."""
    found = {}
    for line in output("ldd", program).splitlines():
        match = re.match(r"\s*(\S+) => (\S+) \(", line)
        if match and not LOADER.search(match[1]):
            found[match[1]] = pathlib.Path(match[2])
        elif "not found" in line:
            raise SystemExit(f"package: {program}: {line.strip()}; install the library")
    return found


def loader(program):
    """The path of the program that loads it, as it is written in it."""
    return pathlib.Path(re.search(r"interpreter: (.+)\]", output("readelf", "--program-headers", program))[1])


@functools.cache
def debian_packages(*paths):
    """The installed packages that files are from, with their versions: by path, without files of no package."""
    # Packages name files in /lib, although it is a link to /usr/lib.
    names = {}
    for path in paths:
        real = os.path.realpath(path)
        names |= {name: path for name in [str(path), real, real.removeprefix("/usr")]}
    # One call: each reads the lists of all packages. It ends with an error if any of the names is unknown.
    listing = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True).stdout
    owners = {}
    for line in listing.splitlines():
        packages, _, name = line.partition(": ")
        if name in names:
            owners[names[name]] = packages.split(",")[0].split(":")[0]
    architecture = output("dpkg", "--print-architecture")
    found = output("dpkg-query", "--show", "--showformat", "${Architecture} ${Package} ${Version}\n").splitlines()
    versions = {name: version for kind, name, version in (line.split(" ") for line in found) if kind in (architecture, "all")}
    return {path: (owner, versions[owner]) for path, owner in owners.items() if owner in versions}


def carried(program):
    """The libraries that no package of the system has: the Swift runtime, unless it is inside the program."""
    found = libraries(program)
    owned = debian_packages(*found.values())
    return {name: path for name, path in found.items() if path not in owned}


def strip(source, target):
    """Copies a program without what only a debugger reads."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
    target.chmod(0o755)
    subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", target], check=True)


def depends(files):
    """The Debian packages that programs and libraries need, as the field Depends names them."""
    with tempfile.TemporaryDirectory() as folder:
        # It reads the name of the package from the sources of one.
        control = pathlib.Path(folder) / "debian/control"
        control.parent.mkdir()
        control.write_text("Source: hearth\n\nPackage: hearth\nArchitecture: any\nDescription: x\n")
        folders = {f"-l{file.parent}" for file in files}
        words = ["dpkg-shlibdeps", "-O", "--warnings=0", *sorted(folders), *[f"-e{file}" for file in files]]
        return output(*words, cwd=folder).removeprefix("shlibs:Depends=")
