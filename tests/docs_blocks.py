"""The code blocks of the documentation, and how each is run.

A `python` block is run in the namespace of its page; with prompts (`>>>`) it is a doctest. A `console` block is run
command by command, and what it shows is compared with what the command prints; `…` stands for anything. A line
`<!-- not run: why -->` before a block says why it is not: its commands must still exist with these options.
`<!-- file: NAME -->` before a block makes it a file for what comes after.
"""

import ast
import doctest
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from command_line import run_here

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>not run|file): (?P<said>[^\n]*) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A block of a page: its kind, its text, the line it stands at; a file's name, or why it is not run."""

    kind: str
    text: str
    line: int
    why: str | None


def blocks(page):
    """Read the blocks of a page in their order."""
    text = page.read_text("utf-8")
    found = []
    for match in BLOCK.finditer(text):
        kind = "file" if match["mark"] == "file" else match["kind"]
        if kind in ("python", "console", "file"):
            found.append(Block(kind, match["text"], text.count("\n", 0, match.start("kind")) + 2, match["said"]))
    return found


def commands(text):
    """Split a console block into commands (their words) and what each is shown to print."""
    shown = []
    for line in text.splitlines():
        if line.startswith("$ "):
            shown.append((shlex.split(line.removeprefix("$ "), comments=True), []))
        else:
            shown[-1][1].append(line)
    return shown


def matches(expected, printed):
    """Return whether the lines were printed; `…` stands for anything, also for lines."""
    pattern = ".*?".join(re.escape(part) for part in "\n".join(expected).strip("\n").split("…"))
    return re.fullmatch(pattern, re.sub(r"[ \t]+$", "", printed, flags=re.MULTILINE).strip("\n"), re.DOTALL) is not None


def run_python(block, page, names):
    """Run a block of Python in the namespace of its page."""
    if ">>>" not in block.text:
        run_statements(block, page, names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    told = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not told, "".join(told)


def run_statements(block, page, names):
    """Run statement by statement; a literal in a comment behind or below an expression is its value."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        code = ast.unparse(statement)
        if not isinstance(statement, ast.Expr):
            exec(compile(code, str(page), "exec"), names)
            continue
        value = eval(compile(code, str(page), "eval"), names)
        behind = lines[statement.end_lineno - 1][statement.end_col_offset :]
        below = lines[statement.end_lineno] if statement.end_lineno < len(lines) else ""
        for comment in (behind, below):
            shown = literal(comment)
            if shown is not None:
                assert plain(value) == shown, (code, value)


def literal(comment):
    """Return the literal that a comment shows, or None."""
    found = re.match(r"\s*# ([\[({'\"].*)", comment)
    try:
        return ast.literal_eval(found[1]) if found else None
    except (SyntaxError, ValueError):
        return None


def plain(value):
    """Return an array as a list."""
    return value.tolist() if hasattr(value, "tolist") else value


def run_console(block):
    """Run the commands of a block and compare what they print."""
    for words, expected in commands(block.text):
        assert words[0] == "kakari", words
        told = run_here(*words[1:])
        assert told.returncode == 0, (words, told.stderr)
        if expected:
            assert matches(expected, told.stdout), (words, told.stdout)


def check_options(block):
    """Parse the commands of a block as the command line does, and run none."""
    from typer.main import get_command

    from kakari.frame.app import make_app

    for words, _ in commands(block.text):
        for part in pieces(words):
            if part[:1] == ["kakari"]:
                parse(get_command(make_app()), part[1:])


def pieces(words):
    """Split a line at its pipes."""
    found = [[]]
    for word in words:
        if word in ("|", "&&", ";"):
            found.append([])
        elif word in (">", "<", "2>"):
            found.append([])  # a file of the shell
        else:
            found[-1].append(word)
    return found


def parse(command, words):
    """Parse the words of a command and of the command in it."""
    context = command.make_context("kakari", list(words))
    while hasattr(command, "resolve_command") and context._protected_args + context.args:
        _, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(command.name, rest, parent=context)
