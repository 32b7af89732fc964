"""The Debian package."""

import email.utils
import gzip
import hashlib
import os
import pathlib
import subprocess

from packing import contents, program
from packing.release import MAINTAINER

TEMPLATES = pathlib.Path(__file__).with_name("debian")
SCRIPTS = ["postinst", "prerm", "postrm"]


def pack(binary, components, release, work, target, is_quick):
    """Puts a package together in the folder `work`, and writes it to the folder `target`. Returns its path."""
    root = work / "deb"
    contents.remove(root)
    contents.put(root, contents.DEBIAN, binary, components, release)
    put_debian_files(root, components, release)
    control = root / "DEBIAN"
    settings = sorted(path for path in (root / "etc").rglob("*") if path.is_file())
    contents.write(control / "conffiles", "".join(f"/{path.relative_to(root)}\n" for path in settings))
    contents.write(control / "md5sums", checksums(root))
    contents.write(control / "control", control_text(root, binary, release))
    for script in SCRIPTS:
        contents.write(control / script, (TEMPLATES / script).read_bytes())
        (control / script).chmod(0o755)
    settle(root, release.epoch)
    package = target / f"hearth_{release.version}_{release.architecture}.deb"
    # One thread: several cut the data in blocks, and compress it otherwise.
    compression = ["-Zgzip", "-z1"] if is_quick else ["-Zxz", "-z6", "--threads-max=1"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch)}
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", *compression, "--build", root, package], check=True, env=environment,
        stdout=subprocess.DEVNULL)
    return package


def put_debian_files(root, components, release):
    docs = root / "usr/share/doc/hearth"
    contents.write(docs / "copyright", copyright_text(components))
    # The licence is among those that every system has.
    (docs / "LICENSE.txt").unlink()
    date = email.utils.formatdate(release.epoch)
    changes = f"hearth ({release.version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {MAINTAINER}  {date}\n"
    contents.write(docs / "changelog.gz", gzip.compress(changes.encode(), mtime=0))
    contents.write(docs / "README.Debian", (TEMPLATES / "README.Debian").read_bytes())
    overrides = (TEMPLATES / "lintian-overrides").read_text()
    if (root / "usr/lib/hearth").exists():
        overrides += (TEMPLATES / "lintian-overrides.carried").read_text()
    contents.write(root / "usr/share/lintian/overrides/hearth", overrides)


def control_text(root, binary, release):
    carried = program.carried(binary)
    files = [root / "usr/lib/hearth" / name for name in ["hearth", *sorted(carried)]] if carried else [root / "usr/bin/hearth"]
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return (TEMPLATES / "control").read_text().format(
        version=release.version, architecture=release.architecture, maintainer=MAINTAINER, depends=program.depends(files),
        size=size // 1024)


def copyright_text(components):
    """In the form that programs read: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"""
    lines = (TEMPLATES / "copyright").read_text()
    inside = [f" {c.name} {c.version}: {c.license}" for c in components if not c.is_dynamic]
    return lines.replace("@COMPONENTS@\n", "".join(line + "\n" for line in inside))


def checksums(root):
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    lines = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files
        if path.relative_to(root).parts[0] not in ("DEBIAN", "etc")
    ]
    return "".join(lines)


def settle(root, epoch):
    """Gives every file the date of the package, and every folder the usual mode."""
    for path in [root, *root.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        os.utime(path, (epoch, epoch), follow_symlinks=False)
