"""Archives that depend on nothing but the names, the modes and the bytes of their files."""

import gzip
import io
import lzma
import tarfile


def tar(root, epoch, prefix="", owner=None):
    """The files below a folder, in order. `owner` gives the user that a path belongs to; root by default."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            info = archive.gettarinfo(path, prefix + name)
            info.uid = info.gid = owner(name) if owner else 0
            info.uname = info.gname = ""
            info.mtime = epoch
            if info.isreg():
                with path.open("rb") as file:
                    archive.addfile(info, file)
            else:
                archive.addfile(info)
    return buffer.getvalue()


def xz(content, is_quick):
    return lzma.compress(content, preset=0 if is_quick else 6)


def gz(content, is_quick):
    return gzip.compress(content, compresslevel=0 if is_quick else 9, mtime=0)
