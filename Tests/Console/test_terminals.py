# SPDX-License-Identifier: Apache-2.0
"""The commands in a terminal, where no browser can be opened."""
import os, pty, re, signal, subprocess, threading
import pytest
from served import BINARY, PATIENCE


def terminal(arguments, environment):
    """A command whose output is a terminal, and what reads a line of it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    return process, os.fdopen(ours, "r", newline="\n")


def bare(environment, **more):
    kept = {name: value for name, value in environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION")}
    return {**kept, "USER": "ada", "SSH_CONNECTION": "203.0.113.7 50000 198.51.100.2 22", **more}


def lines(file):
    found = []
    try:
        for line in file:
            found.append(line.rstrip("\r\n"))
    except OSError:
        pass
    return found


@pytest.mark.parametrize("screen", [False, True], ids=["no screen", "a browser that fails"])
def test_the_console_is_one_line_with_the_address_and_how_to_reach_it(serve, tmp_path, screen):
    served = serve("--development", "--in-memory")
    program = tmp_path / "xdg-open"
    program.write_text("#!/bin/sh\necho 'xdg-open: no method available for opening' >&2\nexit 3\n")
    program.chmod(0o755)
    environment = bare(served.environment, PATH=str(tmp_path), **({"DISPLAY": ":77"} if screen else {}))
    process, output = terminal(["console", "--port", str(served.port)], environment)
    assert lines(output) == [f"open {served.address} (from another machine, first: ssh -L {served.port}:127.0.0.1:{served.port} ada@198.51.100.2)"]
    assert process.wait(PATIENCE) == 0
    # A pipe gets no token.
    answer = subprocess.run([BINARY, "console", "--port", str(served.port)], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert answer.returncode == 2 and answer.stdout == "" and served.token not in answer.stderr
    assert "hearth console --print" in answer.stderr and "ssh -L" in answer.stderr and len(answer.stderr.strip().splitlines()) == 1


def test_the_guide_says_its_address_and_how_to_start_its_swift_half(tmp_path):
    process, output = terminal(["guide", "--port", "0"], bare({**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}))
    # Waiting for a line of a silent process lasts until its end.
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        ready, address, half = (output.readline().rstrip("\r\n") for _ in range(3))
        for _ in range(20):
            if "the guide" in address or "/guide/" in address:
                break
            address, half = half, output.readline().rstrip("\r\n")
        found = re.fullmatch(r"open http://127\.0\.0\.1:(\d+)/guide/#t=\S+ \(from another machine, first: ssh -L \1:127\.0\.0\.1:\1 ada@198\.51\.100\.2\)", address)
        assert found, (ready, address)
        assert half.endswith(f"dev/example guide-live && .build/debug/guide-live 127.0.0.1:{found[1]}"), half
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert "xdg-open" not in "".join([ready, address, half])
    finally:
        timer.cancel()
        process.kill()
        process.wait()
