"""The examples in the docstrings of compiled modules, which pytest does not collect by itself."""

import doctest

import pytest

from kakari.kernels import freezing, frozen, mining


def documented():
    for module in (mining, freezing, frozen):
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", module.__name__) != module.__name__ or name.startswith("_"):
                continue
            members = vars(thing).items() if isinstance(thing, type) else ()
            for part, value in ((name, thing), *((f"{name}.{member}", value) for member, value in members)):
                if ">>>" in (getattr(value, "__doc__", None) or ""):
                    yield pytest.param(module, value, id=f"{module.__name__}.{part}")


@pytest.mark.parametrize(("module", "documented"), list(documented()))
def test_examples(module, documented):
    examples = doctest.DocTestParser().get_doctest(documented.__doc__, dict(vars(module)), "example", None, 0)
    report = []
    doctest.DocTestRunner().run(examples, out=report.append)
    assert not report, "".join(report)
