"""What `deploy/` holds is what its own tools take; each is skipped where its tool is not installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from packhorse.http.app import KEEP_ALIVE_SECONDS
from packhorse.jobs.engine import STOP_SECONDS
from packhorse.settings import ServerSettings

DEPLOY = Path(__file__).parents[2] / "deploy"


def tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def seconds(name, text):
    return float(re.search(rf"^\s*{name}\s+(\d+)s;", text, re.MULTILINE)[1])


def test_the_dockerfile_passes_its_linter():
    ran = subprocess.run([tool("hadolint"), str(DEPLOY / "Dockerfile")], capture_output=True, text=True)

    assert (ran.returncode, ran.stdout) == (0, "")


def test_the_image_serves_as_an_account_of_its_own_with_a_folder_for_data_and_anchor():
    text = (DEPLOY / "Dockerfile").read_text("utf-8")

    assert re.findall(r"^USER (\S+)", text, re.MULTILINE) == ["10001:10001"]
    assert "install -d -m 0700 -o packhorse -g packhorse /var/lib/packhorse /var/lib/packhorse-anchor" in text


def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / "packhorse.service"
    text = (DEPLOY / "systemd" / "packhorse.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/packhorse/bin/packhorse", "/bin/true"))
    ran = subprocess.run([tool("systemd-analyze"), "verify", str(unit)], capture_output=True, text=True)

    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "packhorse" in line]) == (0, [])


def test_the_unit_is_hardened_as_systemd_counts_it():
    unit = str(DEPLOY / "systemd" / "packhorse.service")
    ran = subprocess.run(
        [tool("systemd-analyze"), "security", "--offline=true", "--threshold=20", unit], capture_output=True, text=True
    )

    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr


def test_nginx_takes_the_proxy(tmp_path):
    nginx, openssl = tool("nginx"), tool("openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = (
        f"{openssl} req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=packs.example -keyout {key} -out {certificate}"
    )
    subprocess.run(made.split(), check=True, capture_output=True)
    text = (DEPLOY / "nginx" / "packhorse.conf").read_text("utf-8")
    text = re.sub(r"/etc/letsencrypt/\S+/fullchain.pem", str(certificate), text)
    text = re.sub(r"/etc/letsencrypt/\S+/privkey.pem", str(key), text)
    (tmp_path / "packhorse.conf").write_text(text)
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{ access_log off; include {tmp_path}/packhorse.conf; }}\n"
    )
    ran = subprocess.run([nginx, "-t", "-p", str(tmp_path), "-c", str(whole)], capture_output=True, text=True)

    assert ran.returncode == 0, ran.stderr
    assert "warn" not in ran.stderr


def test_the_proxys_timeouts_fit_the_servers():
    text = (DEPLOY / "nginx" / "packhorse.conf").read_text("utf-8")
    defaults = ServerSettings()

    assert seconds("keepalive_timeout", text) < KEEP_ALIVE_SECONDS
    assert seconds("proxy_read_timeout", text) > defaults.question_seconds
    assert seconds("client_header_timeout", text) <= 30
    assert seconds("client_body_timeout", text) <= 30
    assert int(re.search(r"client_max_body_size (\d+)m;", text)[1]) * 2**20 == defaults.body_limit_bytes


def test_a_stop_by_systemd_leaves_calls_and_jobs_the_time_they_have():
    text = (DEPLOY / "systemd" / "packhorse.service").read_text("utf-8")
    defaults = ServerSettings()

    assert int(re.search(r"TimeoutStopSec=(\d+)", text)[1]) > (
        defaults.unready_seconds + defaults.shutdown_seconds + STOP_SECONDS
    )
