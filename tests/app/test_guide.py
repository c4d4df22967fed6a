"""Every block of docs/your-data.md runs, in the order of the page."""

import re
from pathlib import Path

from command_line import run_here

PAGE = Path(__file__).parents[2] / "docs" / "your-data.md"
BLOCK = re.compile(r"```(python|console)\n(.*?)```", re.DOTALL)


def test_the_guide_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    assert len(blocks) >= 6
    for language, text in blocks:
        if language == "python":
            exec(compile(text, str(PAGE), "exec"), names)
            continue
        for line in text.splitlines():
            program, *arguments = line.removeprefix("$ ").split()
            assert program == "kakari"
            told = run_here(*arguments)
            assert told.returncode == 0, told.stderr
