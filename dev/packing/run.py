"""What dev/package and dev/image share: options, the folder of the results, checksums."""

import argparse
import hashlib
import os
import pathlib

from packing import building, components
from packing.release import ROOT, Release


def options(description, kinds=()):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, help="pack this program instead of building releases")
    parser.add_argument("--version", help="the version of the packages; by default that of the library")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".build/packages", help="where the packages go")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build-package", help="where releases are built")
    parser.add_argument("--quick", action="store_true", help="compress little: for tests")
    if kinds:
        parser.add_argument("kinds", nargs="*", help=f"of {', '.join(kinds)}; by default all")
    given = parser.parse_args()
    if kinds and not set(given.kinds) <= set(kinds):
        parser.error(f"a kind of package is one of {', '.join(kinds)}")
    return given


class Packing:
    """Programs and their packages, in one run."""

    def __init__(self, given):
        self.given = given
        self.release = Release.of_checkout(given.version)
        self.target = given.output.resolve()
        self.work = self.target / "work"
        self.work.mkdir(parents=True, exist_ok=True)
        # Modes of files are those of the package, not of the one who makes it.
        os.umask(0o022)

    def pack(self, kind, *packers):
        """Packs the program of a kind. Returns the paths of the packages, and the components of the program."""
        if self.given.binary:
            binary, build = self.given.binary.resolve(), ROOT / ".build"
        else:
            binary = building.build(kind, self.release, self.given.build.resolve())
            build = building.sources(self.given.build.resolve()) / ".build"
        inside = components.linked(binary, build)
        return [packer.pack(binary, inside, self.release, self.work, self.target, self.given.quick) for packer in packers], inside

    def finish(self):
        """Writes the checksums of all packages of this version, and prints what there is."""
        names = sorted(path.name for path in self.target.glob(f"hearth[_-]{self.release.version}[_-]*") if path.is_file())
        lines = [f"{hashlib.sha256((self.target / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
        (self.target / "SHA256SUMS").write_text("".join(lines))
        for name in [*names, "SHA256SUMS"]:
            print(self.target / name)
