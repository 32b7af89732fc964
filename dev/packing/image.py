"""An image for containers, as a layout of the Open Container Initiative: https://specs.opencontainers.org/image-spec/

It is put together from files of this machine, without a container engine: the libraries that the program needs, certificates, and the
program. What it does when it is started is read in the Dockerfile.
"""

import hashlib
import json
import pathlib
import re
import shutil
import time

from packing import archive, contents, program
from packing.release import ROOT

USER = 10001
CERTIFICATES = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
ACCOUNTS = {
    "etc/passwd": f"root:x:0:0:root:/root:/usr/sbin/nologin\nhearth:x:{USER}:{USER}::/data:/usr/sbin/nologin\n",
    "etc/group": f"root:x:0:\nhearth:x:{USER}:\n", "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
MEDIA = "application/vnd.oci.image."


def pack(binary, components, release, work, target, is_quick):
    """Writes the layout as one file to the folder `target`. Returns its path."""
    root = work / "image"
    contents.remove(root)
    put_system(root / "system", binary)
    put_program(root / "program", binary, components, release)
    layers = [archive.tar(root / name, release.epoch, owner=lambda name: USER if name == "data" else 0) for name in ["system", "program"]]
    layout = Layout(root / "layout")
    blobs = [layout.blob(archive.gz(layer, is_quick), MEDIA + "layer.v1.tar+gzip") for layer in layers]
    digests = [digest(layer) for layer in layers]
    # One of several nodes has no data of its own (the stage `node` of the Dockerfile).
    manifests = [
        manifest(layout, settings, blobs, digests, release, tag)
        for tag, settings in [(release.version, settings_of_dockerfile()), (f"{release.version}-node", settings_of_dockerfile("node"))]
    ]
    layout.finish(manifests)
    path = target / f"hearth-{release.version}-oci-{release.architecture}.tar"
    path.write_bytes(archive.tar(root / "layout", release.epoch))
    return path


def put_system(root, binary):
    # As on Debian, and as programs name them: /lib is /usr/lib.
    for name in ["lib", "lib64"]:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    carried = program.carried(binary)
    copies = {path: path.resolve() for name, path in program.libraries(binary).items() if name not in carried}
    copies[program.loader(binary)] = program.loader(binary).resolve()
    for path, real in copies.items():
        copy = root / "usr" / path.relative_to("/usr" if path.is_relative_to("/usr") else "/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(real, copy)
        copy.chmod(0o755)
    contents.write(root / "etc/ssl/certs/ca-certificates.crt", CERTIFICATES.read_bytes())
    for name, text in ACCOUNTS.items():
        contents.write(root / name, text)
    for name, mode in [("tmp", 0o1777), ("data", 0o750), ("etc/hearth", 0o755)]:
        (root / name).mkdir(parents=True)
        (root / name).chmod(mode)


def put_program(root, binary, components, release):
    contents.put_program(root / "usr/local", contents.FOLDER, binary)
    contents.put_docs(root / "usr/local/share/doc/hearth", components, release)


def settings_of_dockerfile(stage=None):
    """What the image does: the instructions of the stages behind the build, up to the one that is named."""
    text = (ROOT / "Dockerfile").read_text().split(" AS runtime\n")[1]
    text = text.split(f" AS {stage}\n")[0] if stage else text

    def values(instruction):
        return re.findall(rf"^{instruction} (.*)$", text, re.MULTILINE)

    environment = [word for line in values("ENV") for word in line.split()]
    return {
        "User": f"{USER}:{USER}", "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", *environment],
        "Entrypoint": json.loads(values("ENTRYPOINT")[0]), "Cmd": json.loads(values("CMD")[0]), "WorkingDir": "/",
        "StopSignal": values("STOPSIGNAL")[0], "ExposedPorts": {f"{port}/tcp": {} for port in values("EXPOSE")[0].split()},
    } | ({"Volumes": {path: {} for path in values("VOLUME")}} if values("VOLUME") else {})


def manifest(layout, settings, blobs, digests, release, tag):
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch))
    labels = {"org.opencontainers.image.version": release.version, "org.opencontainers.image.licenses": "Apache-2.0"}
    labels |= {"org.opencontainers.image.revision": release.commit} if release.commit else {}
    config = {
        "created": date, "architecture": release.architecture, "os": "linux", "config": settings | {"Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": digests},
        "history": [{"created": date, "created_by": f"dev/image: {what}"} for what in ["system", "program"]],
    }
    body = {
        "schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json", "layers": blobs,
        "config": layout.blob(encoded(config), MEDIA + "config.v1+json"),
    }
    return layout.blob(encoded(body), body["mediaType"]) | {"annotations": {"org.opencontainers.image.ref.name": tag}}


class Layout:
    def __init__(self, folder):
        self.folder = folder
        (folder / "blobs/sha256").mkdir(parents=True)

    def blob(self, content, media):
        """Keeps content under its digest. Returns its descriptor."""
        contents.write(self.folder / "blobs" / digest(content).replace(":", "/"), content)
        return {"mediaType": media, "digest": digest(content), "size": len(content)}

    def finish(self, manifests):
        contents.write(self.folder / "oci-layout", encoded({"imageLayoutVersion": "1.0.0"}))
        index = {"schemaVersion": 2, "mediaType": MEDIA + "index.v1+json", "manifests": manifests}
        contents.write(self.folder / "index.json", encoded(index))


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
