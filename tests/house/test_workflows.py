"""CI, releases and commit hooks: what can be checked of them without running them."""

import re
import sys
from datetime import date

import pytest
import yaml
from source_graph import ROOT

import kakari

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # which pytest brings

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
MAKE = re.compile(r"\bmake((?: +[\w=.\-$]+)+)")


def read(path):
    # YAML 1.1 reads the key `on` as true.
    return {("on" if key is True else key): value for key, value in yaml.safe_load(path.read_text("utf-8")).items()}


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def made(text):
    """List the targets that make is called for, in some text with comments."""
    words = [word for call in MAKE.findall(re.sub(r"#.*", "", text)) for word in call.split()]
    return {word for word in words if "=" not in word and not word.startswith("-")}


def supported():
    begin = "Programming Language :: Python :: 3."
    return [
        line.removeprefix("Programming Language :: Python :: ")
        for line in PROJECT["project"]["classifiers"]
        if line.startswith(begin)
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path):
    used = [step["uses"] for step in steps(read(path)) if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", name)] == []
    # The version stands beside each, for readers and for the robots that renew them.
    assert len(re.findall(r"uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", path.read_text("utf-8"), re.MULTILINE)) == len(
        used
    )


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_may_only_read(path):
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    granted = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert granted == ({"publish": {"id-token": "write"}} if path.stem == "wheels" else {})
    for step in steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / ".ci" / "run"], ids=lambda path: path.name)
def test_make_has_what_is_called(path):
    called = made(path.read_text("utf-8"))
    assert called
    assert called - TARGETS == set()


def test_every_supported_python_is_tested_and_built():
    tested = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]["python-version"]
    assert tested == supported()
    built = re.findall(r"cp3(\d+)-\*", PROJECT["tool"]["cibuildwheel"]["build"])
    assert [f"3.{minor}" for minor in built] == supported()
    assert PROJECT["project"]["requires-python"] == f">={supported()[0]}"


def test_wheels_are_built_for_every_system_and_published_on_a_tag():
    workflow = read(ROOT / ".github" / "workflows" / "wheels.yml")
    systems = {name.split("-")[0] for name in workflow["jobs"]["wheels"]["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu", "macos", "windows"}
    assert "ubuntu-24.04-arm" in workflow["jobs"]["wheels"]["strategy"]["matrix"]["os"]
    assert workflow["on"]["push"] == {"tags": ["v*"]}
    publish = workflow["jobs"]["publish"]
    assert publish["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert set(publish["needs"]) == set(workflow["jobs"]) - {"publish"}
    script = re.fullmatch(r"python \{project\}/(\S+)", PROJECT["tool"]["cibuildwheel"]["test-command"]).group(1)
    assert (ROOT / script).is_file()


def test_commit_hooks_run_files_that_exist():
    hooks = [hook for repo in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert {hook["language"] for hook in hooks} == {"system"}
    named = [word for hook in hooks for word in hook["entry"].split() if word.startswith("tests/")]
    assert named
    assert [word for word in named if not (ROOT / word).is_file()] == []
    dev = " ".join(PROJECT["project"]["optional-dependencies"]["dev"])
    tools = {re.findall(r"\.venv/bin/([\w-]+)", hook["entry"])[-1] for hook in hooks}
    assert [tool for tool in tools if tool not in dev] == []


def test_the_version_is_told_once():
    version = PROJECT["project"]["version"]
    assert kakari.__version__ == version
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == version
    dated = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert dated.group(1) == version
    assert date.fromisoformat(dated.group(2)) == date.fromisoformat(citation["date-released"])


def test_the_lock_names_every_dependency_and_no_host():
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert "://" not in lock
    pinned = {re.split(r"==", line)[0] for line in lock.splitlines() if line and not line.startswith("#")}
    extras = [line for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines]
    wanted = {
        re.match(r"[\w.-]+", line).group().lower().replace("_", "-")
        for line in [*PROJECT["project"]["dependencies"], *extras, *PROJECT["build-system"]["requires"]]
    }
    assert wanted - pinned == set()
