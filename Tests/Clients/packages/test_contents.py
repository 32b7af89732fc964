"""What is in the packages: the same whenever they are made, and all that is linked (OT-50)."""

import json
import re
import subprocess
import tarfile

import pytest
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

from packages.conftest import BINARY, ROOT

LISTING = BINARY.parent / "hearth.product/Objects.LinkFileList"


def test_packages_made_twice_are_equal(packages, again):
    names = [path.name for path in again.iterdir() if path.is_file() and path.name != "SHA256SUMS"]
    assert sorted(name.split(".")[-1] for name in names) == ["deb", "json", "tar"]
    for name in names:
        assert (packages / name).read_bytes() == (again / name).read_bytes(), name


def test_checksums_are_those_of_the_files(packages):
    done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=packages, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count(": OK") >= 5, done.stdout + done.stderr


def lists(packages):
    found = sorted(packages.glob("*.spdx.json"))
    assert len(found) == 2
    return found


def test_lists_of_components_are_valid(packages):
    for path in lists(packages):
        messages = validate_full_spdx_document(parse_file(str(path)))
        assert not messages, [message.validation_message for message in messages]


@pytest.mark.skipif(not LISTING.exists(), reason="the linker's list is not beside the program")
def test_lists_of_components_are_complete(packages):
    modules = set(re.findall(r"/([^/]+)\.build/", LISTING.read_text()))
    # A module of each package, chosen by hand: the script looks for the folders of modules.
    of = {
        "GRDB": "GRDB.swift", "NIOCore": "swift-nio", "NIOSSL": "swift-nio-ssl", "NIOHPACK": "swift-nio-http2", "Crypto": "swift-crypto",
        "SwiftASN1": "swift-asn1", "Logging": "swift-log", "CoreMetrics": "swift-metrics", "ArgumentParser": "swift-argument-parser",
        "DequeModule": "swift-collections", "Atomics": "swift-atomics", "AsyncAlgorithms": "swift-async-algorithms",
        "ServiceLifecycle": "swift-service-lifecycle",
    }
    assert set(of) <= modules
    own = {path.name for path in ROOT.glob("Sources/*/*")}
    for path in lists(packages):
        listed = {entry["name"] for entry in json.loads(path.read_text())["packages"]}
        assert set(of.values()) | {"hearth", "swift", "libc6"} <= listed, path.name
        assert "swift-protobuf" not in listed and "swift-syntax" not in listed
        assert any(name.startswith("libsqlite3") for name in listed)
        # Every package with a module that is linked is one of these, or comes with their licence in the same checkout.
        folders = {folder for module in modules - own for folder in (ROOT / ".build/checkouts").glob(f"*/Sources/{module}")}
        assert {folder.parents[1].name for folder in folders} <= listed


def test_licences_of_everything_inside_are_in_the_packages(packages):
    [path] = packages.glob("*.tar.xz")
    with tarfile.open(path) as archive:
        names = archive.getnames()
        licenses = {name.split("/")[-1].removesuffix(".txt") for name in names if "/third-party/" in name}
        assert any(name.endswith("/share/doc/hearth/LICENSE.txt") for name in names)
        assert all(member.uid == 0 and member.mode & 0o022 == 0 for member in archive.getmembers() if not member.issym())
    listed = json.loads(path.with_name(path.name + ".spdx.json").read_text())["packages"]
    inside = {entry["name"] for entry in listed if entry["downloadLocation"] != "NOASSERTION"}
    assert inside == licenses and len(inside) > 10


def test_every_command_has_a_page(deb):
    # The program of the tarball has fewer: none for PostgreSQL.
    files = subprocess.run(["dpkg-deb", "--contents", deb], capture_output=True, text=True, check=True).stdout
    pages = set(re.findall(r"/man1/(\S+)$", files, re.MULTILINE))
    root = json.loads(subprocess.run([BINARY, "--experimental-dump-help"], capture_output=True, check=True).stdout)["command"]

    def names(command, words):
        words = [*words, command["commandName"]]
        below = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
        return ["-".join(words)] + [name for sub in below for name in names(sub, words)]

    assert pages == {f"{name}.1.gz" for name in names(root, [])}
