"""`.ci/relink`, which make runs after each build: every editable install sees files that came or went."""

import shutil
import subprocess
import sys

import pytest
from source_graph import ROOT

TREES = ("__editable__.kakari-0.2.0-py3-none-any", "__editable__.kakari-0.2.0-cp311-cp311-linux_x86_64")


@pytest.mark.parametrize("trees", [TREES[:1], TREES], ids=["make's own", "and that of `pip install -e .`"])
def test_trees_of_links_follow_the_files(tmp_path, trees):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "relink", tmp_path / ".ci")
    (tmp_path / "app").mkdir()
    came = tmp_path / "app" / "came.py"
    came.touch()
    for tree in trees:
        package = tmp_path / "build" / tree / "kakari"
        package.mkdir(parents=True)
        (package / "went.py").symlink_to(tmp_path / "app" / "went.py")
    subprocess.run([sys.executable, str(tmp_path / ".ci" / "relink")], check=True)
    for tree in trees:
        package = tmp_path / "build" / tree / "kakari"
        assert [(link.name, link.resolve()) for link in package.iterdir()] == [("came.py", came.resolve())]
