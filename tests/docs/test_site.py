"""The documentation site builds without a warning."""

import subprocess
import sys

import pytest
from docs_blocks import ROOT

pytest.importorskip("sphinx", reason="the site is built with the developers' extras")


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(ROOT / "docs")]
    built = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for page in ("index", "reference/api", "reference/commands", "tours/japanese"):
        assert (tmp_path / f"{page}.html").exists()
    commands = (tmp_path / "reference" / "commands.html").read_text("utf-8")
    assert "kakari train classify" in commands
    assert "--degree" in commands
    assert "KernelSVC" in (tmp_path / "reference" / "api.html").read_text("utf-8")
