"""The package for every Linux: one folder in an archive."""

from packing import archive, contents


def pack(binary, components, release, work, target, is_quick):
    """Writes the archive to the folder `target`. Returns its path."""
    root = work / "tar"
    contents.remove(root)
    contents.put(root, contents.FOLDER, binary, components, release)
    name = f"hearth-{release.version}-linux-{release.architecture}"
    path = target / f"{name}.tar.xz"
    for file in root.rglob("*"):
        if file.is_dir() and not file.is_symlink():
            file.chmod(0o755)
    path.write_bytes(archive.xz(archive.tar(root, release.epoch, prefix=f"{name}/"), is_quick))
    return path
