"""Mutants of the bytes of spaCy components: msgpack with settings and a model file inside, changed at any depth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import spacy
import srsly
from model_kinds import structures
from model_mutants import VALUES, mutant, raw_mutant
from parser_kinds import japanese, labellers, trees

# Each component with the language of its pipeline, and the small model that it is given.
COMPONENTS = {
    "kakari_bunsetsu": ("ja", "ja"),
    "kakari_dependency": ("ja", "ja"),
    "kakari_tagger": ("en", "en"),
    "kakari_constituency": ("en", "en"),
    "kakari_arguments": ("en", "en-arguments"),
    "kakari_question": ("en", "en-questions"),
    "kakari_sequence": ("en", "sequence-linear"),
}
STRANGE = [b"", b"\xc1", b"\x80", b"\x92\x01\x02", b"\xdf\xff\xff\xff\xff", b"\xc6\x7f\xff\xff\xff", b"\x91" * 100_000]
STRANGE += [srsly.msgpack_dumps(value) for value in ({"cfg": 3}, {"model": 3}, {"cfg": {"model": 3}}, {"model": b"x"})]


def components() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield the name of each component, the component with a small model, and its state as settings and model."""
    models = {**japanese(), **trees(), **structures(), **labellers()}
    for name, (language, kind) in COMPONENTS.items():
        component = spacy.blank(language).add_pipe(name)
        state = {"cfg": component.cfg, "model": models[kind][0].to_bytes()}
        component.from_bytes(srsly.msgpack_dumps(state))
        yield name, component, state


def strange_bytes(state: dict[str, Any], draw: random.Random) -> bytes:
    """Return bytes that are hardly those of a component."""
    kind = draw.randrange(10)
    if kind == 0:
        return draw.choice(STRANGE)
    if kind < 3:
        return raw_mutant(srsly.msgpack_dumps(state), draw)
    made = {"cfg": dict(state["cfg"]), "model": state["model"]}
    if kind < 7:
        made["model"] = mutant(state["model"], draw)
    elif kind < 9:
        made["cfg"][draw.choice([*made["cfg"], "x"])] = draw.choice(packable())
    else:
        made[draw.choice(("cfg", "model", "x"))] = draw.choice(packable())
    return bytes(srsly.msgpack_dumps(made))


def packable() -> list[Any]:
    """Return the strange values that msgpack can hold."""
    return [value for value in VALUES if not isinstance(value, int) or -(2**63) <= value < 2**64]
