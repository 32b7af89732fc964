"""The Debian package in a fresh system: installed, used, upgraded, removed, purged (OT-49)."""

import re
import shlex
import stat

from packages.system import DOCUMENTS, commit, number, status

UNIT = "usr/lib/systemd/system/hearth.service"
# Programs that stand in for systemd: they note what they are asked, and what runs is in a file.
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >>/calls
case "$*" in *list-units*) cat /running ;; esac
"""
INVOKE = """#!/bin/sh
echo "$*" >>/calls
"""


def started(system, port_file="/run/port"):
    """The server as the unit starts it, on a free port."""
    text = system.path(UNIT).read_text()
    # systemd copies the key into a folder of the service's own.
    words = shlex.split(re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1].replace("%d/admin.key", "/etc/hearth/admin.key"))
    assert words[0] == "/usr/bin/hearth" and "EnvironmentFile=-/etc/hearth/environment" in text
    lines = system.path("/etc/hearth/environment").read_text().splitlines()
    environment = dict(shlex.split(line)[0].split("=", 1) for line in lines if line and not line.startswith("#"))
    return system.server(*words, "--port", "0", "--port-file", port_file, port_file=port_file, environment=environment)


def with_systemd(system, running):
    """Makes the scripts of the package believe that systemd runs there."""
    system.path("/run/systemd/system").mkdir(parents=True)
    system.path("/running").write_text("".join(f"{unit} loaded active running x\n" for unit in running))
    system.path("/calls").write_text("")
    for name, text in [("systemctl", SYSTEMCTL), ("deb-systemd-invoke", INVOKE)]:
        # In the first folder of the path that apt gives to scripts.
        system.path(f"/usr/sbin/{name}").write_text(text)
        system.path(f"/usr/sbin/{name}").chmod(0o755)


def calls(system):
    """What systemd was asked to change, since the last look."""
    lines = system.path("/calls").read_text().splitlines()
    system.path("/calls").write_text("")
    return [line for line in lines if "list-units" not in line and "daemon-reload" not in line]


def test_the_package_is_used_upgraded_removed_and_purged(fresh, earlier_deb, deb, version):
    fresh.install(earlier_deb)
    assert fresh.run("hearth", "--version").startswith("hearth ")
    made = fresh.run("hearth", "init", "--yes")
    assert "kept  /etc/hearth/firestore.rules" in made and "systemctl enable --now hearth" in made
    assert stat.S_IMODE(fresh.path("/etc/hearth/admin.key").stat().st_mode) == 0o600
    key = fresh.path("/etc/hearth/admin.key").read_text().strip()
    with started(fresh) as address:
        assert "writeResults" in commit(address, key, "cities/SF", 1)
        # The rules of the package refuse everything.
        assert status(f"{address}/v1/{DOCUMENTS}/cities/SF") == 403

    fresh.install(deb)
    assert f"Version: {version}\n" in fresh.run("dpkg", "--status", "hearth")
    with started(fresh) as address:
        assert number(address, key, "cities/SF") == 1

    fresh.run("dpkg", "--remove", "hearth")
    assert not fresh.path("/usr/bin/hearth").exists()
    assert fresh.path("/etc/hearth/admin.key").exists() and fresh.path("/var/lib/hearth").exists()
    fresh.run("dpkg", "--purge", "hearth")
    assert not fresh.path("/etc/hearth").exists() and not fresh.path("/var/lib/hearth").exists()
    left = [line for line in fresh.run("find", "/usr", "/etc", "/var/lib", "-name", "*hearth*").splitlines() if "mandb" not in line]
    assert not left, left


def test_changed_rules_survive_an_upgrade(fresh, earlier_deb, deb):
    fresh.install(earlier_deb)
    rules = fresh.path("/etc/hearth/firestore.rules")
    rules.write_text(rules.read_text().replace("if false", "if true"))
    fresh.install(deb)
    assert "if true" in rules.read_text()


def test_pages_of_the_manual_and_completions_are_found(fresh, deb):
    fresh.install(deb)
    for page in ["hearth", "hearth-serve", "hearth-rules-check"]:
        shown = fresh.run("man", page, environment={"MANPAGER": "cat", "MANWIDTH": "80"})
        assert all(part in shown for part in ["NAME", "SYNOPSIS", "EXIT STATUS", "EXAMPLES"]), page
    # bash-completion loads the file when the command is completed first.
    script = ". /usr/share/bash-completion/bash_completion; _completion_loader hearth; complete -p hearth"
    assert "hearth" in fresh.run("bash", "-c", script)
    for path in ["zsh/vendor-completions/_hearth", "fish/vendor_completions.d/hearth.fish"]:
        assert "admin-key" in fresh.path(f"/usr/share/{path}").read_text()


def test_installing_starts_nothing_and_an_upgrade_starts_what_ran(fresh, earlier_deb, deb):
    with_systemd(fresh, running=[])
    fresh.install(earlier_deb)
    assert calls(fresh) == []
    fresh.install(deb)
    assert calls(fresh) == []
    running = ["hearth.service", "hearth-node@8081.service"]
    fresh.path("/running").write_text("".join(f"{unit} loaded active running x\n" for unit in running))
    # The lower version is installed again, as after an upgrade that was regretted.
    fresh.run("dpkg", "--purge", "hearth")
    calls(fresh)
    fresh.install(earlier_deb)
    calls(fresh)
    fresh.install(deb)
    assert calls(fresh) == [f"{verb} {unit}" for verb in ["stop", "start"] for unit in running]
    fresh.run("dpkg", "--remove", "hearth")
    asked = calls(fresh)
    assert asked[:2] == [f"stop {unit}" for unit in running] and "disable hearth.service" in asked[2]


def test_lintian_finds_nothing(findings):
    text = findings()
    assert not re.findall(r"^[EW]: .*", text, re.MULTILINE), text
