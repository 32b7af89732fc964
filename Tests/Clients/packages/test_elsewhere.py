"""The tarball and the image where nothing is installed (OT-51)."""

import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile

import pytest

from packages import base
from packages.conftest import BINARY, GIVEN
from packages.system import System, commit, status

USER = 10001


def unpacked(packages, target):
    """The file system of the image, and what its configuration says, by tag."""
    [path] = packages.glob("hearth-*-oci-*.tar")
    with tarfile.open(path) as archive:
        def blob(descriptor):
            return archive.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()

        index = json.load(archive.extractfile("index.json"))
        assert json.load(archive.extractfile("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
        manifests = {each["annotations"]["org.opencontainers.image.ref.name"]: json.loads(blob(each)) for each in index["manifests"]}
        settings = {tag: json.loads(blob(each["config"])) for tag, each in manifests.items()}
        layers = next(iter(manifests.values()))["layers"]
        for layer in layers:
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(blob(layer)))) as content:
                content.extractall(target, numeric_owner=True, filter="fully_trusted")
    return settings


def prepare(system):
    """What is mounted at /etc/hearth, for the user of the image."""
    folder = system.path("/etc/hearth")
    subprocess.run([BINARY, "init", "--yes", folder], check=True, capture_output=True)
    os.chown(folder / "admin.key", USER, USER)
    return (folder / "admin.key").read_text().strip()


@pytest.mark.skipif(not base.MAY_ENTER, reason="this user may not enter a system in a folder")
def test_the_image_serves_as_its_user(packages, tmp_path):
    settings = unpacked(packages, tmp_path / "root")
    own, node = sorted(settings, key=len)
    assert node == own + "-node"
    system, config = System(tmp_path / "root"), settings[own]["config"]
    assert config["User"] == f"{USER}:{USER}" and settings[own]["os"] == "linux" and config["Volumes"] == {"/data": {}}
    environment = dict(line.split("=", 1) for line in config["Env"])
    assert "HEARTH_DATA" not in dict(line.split("=", 1) for line in settings[node]["config"]["Env"])
    words = config["Entrypoint"] + config["Cmd"]
    # Without rules and a key it does not start.
    refused = system.run(*words, user=config["User"], environment=environment, code=2)
    assert "/etc/hearth/" in refused, refused
    key = prepare(system)
    environment |= {"HEARTH_PORT": "0", "HEARTH_PORT_FILE": "/data/port"}
    with system.server(*words, port_file="/data/port", user=config["User"], environment=environment) as address:
        assert "writeResults" in commit(address, key, "cities/SF", 1)
        assert status(f"{address}/readyz") == 200
    assert list(system.path("/data").rglob("*.sqlite")), "the documents are in the volume"


def test_the_tarball_runs(packages, tmp_path):
    [path] = packages.glob("*.tar.xz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="tar")
    [folder] = tmp_path.iterdir()
    own = subprocess.run(["readelf", "--dynamic", folder / "bin/hearth"], capture_output=True, text=True, check=True).stdout
    if not GIVEN:
        # The build for tests uses the libraries of this machine.
        done = subprocess.run([folder / "bin/hearth", "--version"], capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.startswith("hearth "), done.stderr
        return
    assert all(name not in own for name in ["libsqlite3", "libpq", "libz.", "libswift", "RUNPATH"]), own
    system = System(base.copy(base.base(), tmp_path / "root"))
    for pattern in ["libsqlite3*", "libpq*", "libz.so*"]:
        for library in system.path("/usr/lib").rglob(pattern):
            library.unlink()
    shutil.copytree(folder, system.path("/opt/hearth"))
    system.run("/opt/hearth/bin/hearth", "init", "--yes", "/srv")
    key = system.path("/srv/admin.key").read_text().strip()
    script = "set -a; . /srv/environment; exec /opt/hearth/bin/hearth serve --port 0 --port-file /port"
    with system.server("sh", "-c", script, port_file="/port") as address:
        assert "writeResults" in commit(address, key, "cities/SF", 1)
