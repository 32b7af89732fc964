"""What packages are named and dated after."""

import os
import pathlib
import re
import subprocess
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION_FILE = ROOT / "Sources/Firestore/FirestoreCore/Environment/LibraryVersion.swift"
MAINTAINER = "The Hearth maintainers <maintainers@hearth.example>"


@dataclass(frozen=True)
class Release:
    version: str
    # The whole hash of the commit, or nothing if files differ from it.
    commit: str
    # Every date in a package, in seconds since 1970: that of the commit.
    epoch: int
    # As Debian names it: amd64, arm64.
    architecture: str

    @staticmethod
    def of_checkout(version=None):
        changes = output("git", "-C", ROOT, "status", "--porcelain")
        commit = "" if changes else output("git", "-C", ROOT, "rev-parse", "HEAD")
        epoch = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct")
        return Release(
            version=version or re.search(r'text = "(.+)"', VERSION_FILE.read_text())[1], commit=commit, epoch=int(epoch),
            architecture=output("dpkg", "--print-architecture"))


def output(*command, **options):
    """What a program prints, without the last line break."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout.strip()
