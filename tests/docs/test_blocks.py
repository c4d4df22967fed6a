"""Every code block of the README and of docs/ runs, in the order of its page."""

from pathlib import Path

import pytest
from docs_blocks import PAGES, ROOT, blocks, check_options, matches, run_console, run_python

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.kind == "file":
            Path(block.why).write_text(block.text, "utf-8")
        elif block.kind == "console":
            (check_options if block.why else run_console)(block)
        elif not block.why:
            run_python(block, page, names)


def test_outputs_are_compared():
    assert matches(["a …", "c"], "a b\nc\n")
    assert not matches(["a …", "d"], "a b\nc\n")
    assert not matches(["a"], "a\nb\n")
