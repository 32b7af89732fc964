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
def debian_package(path):
    """The name and the version of the installed package that a file is from; None for other files."""
    real = pathlib.Path(os.path.realpath(path))
    # Packages name files in /lib, although it is a link to /usr/lib.
    names = [str(path), str(real), str(real).removeprefix("/usr")]
    for name in names:
        found = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0].split(",")[0]
            return output("dpkg-query", "--show", "--showformat", "${Package} ${Version}", package).split(" ")
    return None


def carried(program):
    """The libraries that no package of the system has: the Swift runtime, unless it is inside the program."""
    return {name: path for name, path in libraries(program).items() if debian_package(path) is None}


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
