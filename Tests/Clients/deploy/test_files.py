"""The files of deploy/ are well formed, agree with each other, and put no secret where others can read it."""

import pathlib
import re
import shutil
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
SERVERS = re.compile(r"^ +server (\S+) (\S+):(\d+)", re.MULTILINE)


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def balancer():
    return (DEPLOY / "haproxy.cfg").read_text()


def nodes(compose):
    return {name for name in compose["services"] if name.startswith("node-")}


def stages():
    return re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_the_balancer_has_the_nodes_of_compose(compose, balancer):
    servers = SERVERS.findall(balancer)
    assert {name for name, _, _ in servers} == nodes(compose)
    assert all(name == host and port == "8080" for name, host, port in servers)
    assert len(servers) == 2 * len(nodes(compose)), "every backend has all nodes"


def test_services_start_in_order(compose):
    services = compose["services"]
    for name in nodes(compose):
        assert services[name]["depends_on"] == {"rules": {"condition": "service_completed_successfully"}}
    assert services["rules"]["depends_on"] == {"tables": {"condition": "service_completed_successfully"}}
    assert services["tables"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert set(services["balancer"]["depends_on"]) == nodes(compose)


def test_documents_outlive_their_container(compose):
    assert "postgres:/var/lib/postgresql/data" in compose["services"]["postgres"]["volumes"]
    assert "postgres" in compose["volumes"]


def test_nodes_are_reached_through_the_balancer_only(compose):
    services = compose["services"]
    assert all("ports" not in service for name, service in services.items() if name != "balancer")
    assert all(port.startswith("127.0.0.1:") for port in services["balancer"]["ports"])
    [network] = compose["networks"]["nodes"]["ipam"]["config"]
    for name in nodes(compose):
        assert services[name]["environment"]["HEARTH_TRUSTED_PROXY"] == network["subnet"]


def test_the_image_has_a_stage_for_nodes(compose):
    for name in nodes(compose):
        assert compose["services"][name]["build"]["target"] in stages()


def test_the_image_has_the_library_of_postgresql():
    text = (ROOT / "Dockerfile").read_text()
    assert "--traits default,Postgres" in text and "libpq-dev" in text and "libpq5" in text
    # A node has no data of its own, and the server refuses both.
    last = text.split("FROM runtime\n")[1]
    assert "HEARTH_DATA" in last and text.count("HEARTH_DATA") == 1


def test_no_secret_is_written_down_or_in_an_argument(compose):
    for service in compose["services"].values():
        assert "assword" not in " ".join(service.get("command", []))
        for name, value in service.get("environment", {}).items():
            if "PASSWORD" in name:
                assert value.startswith("${POSTGRES_PASSWORD:?")
    for path in DEPLOY.iterdir():
        assert not re.search(r"postgres(ql)?://[^@\s]*:[^@\s]*@", path.read_text()), f"a password in {path.name}"


@pytest.mark.skipif(not shutil.which("haproxy"), reason="HAProxy is not installed")
def test_haproxy_accepts_its_file():
    result = subprocess.run(["haproxy", "-c", "-f", DEPLOY / "haproxy.cfg"], capture_output=True, text=True)
    # Names of nodes are known in the network of compose only.
    lines = [line for line in result.stderr.splitlines() if "[WARNING]" in line and "could not resolve" not in line]
    assert result.returncode == 0, result.stderr
    assert not lines, lines


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("unit, instance", [("hearth.service", "hearth"), ("hearth-node@.service", "hearth-node@8080")])
def test_systemd_accepts_its_units(unit, instance, tmp_path):
    text = (DEPLOY / unit).read_text()
    # The program need not be installed.
    copy = tmp_path / f"{instance}.service"
    copy.write_text(text.replace("/usr/local/bin/hearth", "/bin/true"))
    result = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    assert result.returncode == 0 and not result.stderr, result.stderr


def test_both_units_confine_the_process_alike():
    settings = [set(re.findall(r"^(?:Protect|Restrict|Private|No|System|Lock|Memory|Capab)\w+=.*$", text, re.MULTILINE))
                for text in [(DEPLOY / name).read_text() for name in ["hearth.service", "hearth-node@.service"]]]
    assert settings[0] == settings[1] and len(settings[0]) > 15


def test_secrets_of_the_folder_stay_out_of_the_repository_and_of_images():
    ignored, left_out = (set((ROOT / name).read_text().split()) for name in [".gitignore", ".dockerignore"])
    assert {"/deploy/.env", "/deploy/config/"} <= ignored
    assert {"deploy/.env", "deploy/config"} <= left_out
