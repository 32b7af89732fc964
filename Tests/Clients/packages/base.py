"""A fresh Debian, made once by debootstrap and copied for each test."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What the package depends on, as a network would bring it, and the program that shows pages of the manual.
PACKAGES = ["libpq5", "libsqlite3-0", "libstdc++6", "zlib1g", "ca-certificates", "man-db", "bash-completion"]


def may_enter():
    """Whether a program can be run in a folder as its system: root in most containers may not mount anything."""
    mount = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0


MAY_ENTER = may_enter()


def base():
    """The folder with the system. Skips the test where there is no right or no network to make it."""
    if not MAY_ENTER:
        pytest.skip("this user may not enter a system in a folder")
    if not shutil.which("debootstrap"):
        pytest.skip("debootstrap is not installed")
    name = codename()
    folder = ROOT / f".build/base-{name}"
    if folder.exists():
        return folder
    draft = folder.with_name(folder.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", name, draft, mirror(name)]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"no system can be made: {made.stdout.strip().splitlines()[-1:]}")
    draft.rename(folder)
    return folder


def codename():
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"]


def mirror(name):
    """The one that apt uses on this machine."""
    command = ["apt-get", "indextargets", "Created-By: Packages", "--format", "$(CODENAME) $(REPO_URI)"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return next((line.split()[1] for line in lines if line.startswith(name + " ")), "http://deb.debian.org/debian")


def copy(folder, target):
    """Programs are linked, because the package manager replaces them and never changes them; what is changed is copied."""
    linked = subprocess.run(["cp", "-al", folder, target], capture_output=True)
    if linked.returncode != 0:
        # Not on one disk.
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "-a", folder, target], check=True)
    for name in ["etc", "var"]:
        shutil.rmtree(target / name)
        subprocess.run(["cp", "-a", folder / name, target / name], check=True)
    # Nothing here has to survive a loss of power.
    (target / "etc/dpkg/dpkg.cfg.d/quick").write_text("force-unsafe-io\n")
    return target
