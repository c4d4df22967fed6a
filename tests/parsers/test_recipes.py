"""The harness that makes embedded models, and the recipes it knows."""

import sys
from importlib import import_module, resources
from types import SimpleNamespace

import pytest

from kakari.parsers import recipes
from kakari.parsers.recipes import RECIPES, Workshop, main, make

FOLDER = resources.files("kakari.models") / "pretrained"


@pytest.mark.parametrize("name", RECIPES)
def test_the_card_beside_an_embedded_model_is_that_of_its_recipe(name):
    recipe = import_module(f"kakari.parsers.{RECIPES[name]}")
    assert callable(recipe.pretrain) and "{size:.2f}" in recipe.CARD
    if not (FOLDER / f"{name}.md").is_file():
        pytest.skip("this model is not embedded")
    card = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {name}\n") and "{" not in card
    fixed = [line for line in recipe.CARD.splitlines() if line and "{" not in line]
    assert [line for line in fixed if line not in card] == []


def test_every_embedded_model_has_a_recipe():
    stems = {path.name.removesuffix(".safetensors") for path in FOLDER.iterdir() if path.name.endswith(".safetensors")}
    assert stems <= set(RECIPES)


def test_a_model_is_written_with_its_card(tmp_path, monkeypatch, capsys):
    def pretrain(name, workshop):
        workshop.report("training", 1, 2)
        return SimpleNamespace(to_bytes=lambda compressed: b"x" * 20_000), {"share": 0.5}

    toy = SimpleNamespace(pretrain=pretrain, CARD="# {name}\n{size:.2f} MB, {share:.0%}\n")
    monkeypatch.setitem(sys.modules, "kakari.parsers.toy", toy)
    monkeypatch.setattr(recipes, "RECIPES", {"toy-model": "toy"})
    assert make("toy-model", Workshop(tmp_path)) == "# toy-model\n0.02 MB, 50%\n"
    main([str(tmp_path), "toy-model"])
    assert "training 1/2\n" in capsys.readouterr().err
    assert (tmp_path / "toy-model.safetensors").read_bytes() == b"x" * 20_000
    assert (tmp_path / "toy-model.md").read_text() == "# toy-model\n0.02 MB, 50%\n"
    with pytest.raises(SystemExit):
        main([str(tmp_path), "other"])
