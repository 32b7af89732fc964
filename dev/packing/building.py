"""Release builds: of the files of the repository, in a folder of their own, with the versions that dev/packing/pins.json names."""

import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass

from packing.release import ROOT, output

PINS = pathlib.Path(__file__).with_name("pins.json")
# The compiler writes how long the path of a source file is, though not the path, where it checks that a closure has not escaped.
SOURCE_LENGTH = 120
# What the program for every Linux has inside instead of asking the system for it.
STATIC = ["libsqlite3.a", "libz.a"]


@dataclass(frozen=True)
class Kind:
    name: str
    traits: str
    is_static: bool


# The Debian package depends on libpq5, and can be a node over PostgreSQL.
DEBIAN = Kind("deb", "default,Postgres", is_static=False)
# The tarball runs without SQLite and libpq.
FOLDER = Kind("tar", "default", is_static=True)


def build(kind, release, folder):
    """Builds the program in `folder`. Returns its path, beside which the linker's list of its objects is.

    A program of the same commit is not built again: the next kind, built in the same place, has taken most of its modules away.
    """
    source, target = sources(folder), folder / kind.name
    mark, made_of = target / "made-of", f"{release.commit} {kind.traits} {output('swift', '--version')}\n"
    if release.commit and mark.exists() and mark.read_text() == made_of:
        return target / "hearth"
    copy_sources(source)
    command = ["swift", "build", "-c", "release", "--package-path", source, "--product", "hearth", "--traits", kind.traits]
    command += ["--static-swift-stdlib", "--disable-local-rpath", "--force-resolved-versions", "-debug-info-format", "none"]
    # No path of this machine is in the program.
    command += ["-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{source}=.", "-Xcc", f"-ffile-prefix-map={source}=."]
    # Nor a hash of each module, of which paths are a part.
    command += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-incremental-llvm-codegen"]
    if kind.is_static:
        command += ["-Xlinker", f"-L{static_libraries(folder / 'static')}"]
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "HEARTH_COMMIT": release.commit}
    environment |= {"SOURCE_DATE_EPOCH": str(release.epoch), "ZERO_AR_DATE": "1"}
    subprocess.run(command, check=True, env=environment)
    products = source / ".build/release"
    shutil.rmtree(target, ignore_errors=True)
    (target / "hearth.product").mkdir(parents=True)
    shutil.copy(products / "hearth", target / "hearth")
    shutil.copy(products / "hearth.product/Objects.LinkFileList", target / "hearth.product")
    mark.write_text(made_of)
    return target / "hearth"


def sources(folder):
    """Where the files are built: a path of the same length, in whichever folder."""
    return folder / "source".ljust(SOURCE_LENGTH - len(str(folder)) - 1, "-")


def copy_sources(target):
    """Makes `target` a copy of the files of the repository. Files that are the same stay, so that little is compiled again."""
    names = output("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard").split("\n")
    wanted = {name: ROOT / name for name in names if (ROOT / name).is_file()} | {"Package.resolved": PINS}
    present = [path for path in target.rglob("*") if path.is_file() and ".build" not in path.relative_to(target).parts]
    for path in present:
        if str(path.relative_to(target)) not in wanted:
            path.unlink()
    for name, source in wanted.items():
        copy = target / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def static_libraries(folder):
    """A folder with nothing but the static forms of libraries: first on the linker's path, it decides."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in STATIC:
        path = pathlib.Path(output("clang", f"-print-file-name={name}"))
        if not path.is_absolute():
            raise SystemExit(f"package: {name} is not installed; install libsqlite3-dev and zlib1g-dev")
        (folder / name).symlink_to(path)
    return folder
