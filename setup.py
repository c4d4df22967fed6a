"""Build the Cython engine and find the packages; everything else about the project stands in pyproject.toml.

KAKARI_NATIVE=1      tunes for this machine (-march=native) instead of any of its family
KAKARI_PORTABLE=1    uses no x86 intrinsics and no GNU vector extensions, as on other machines and compilers
KAKARI_BOUNDSCHECK=1 turns Cython's bounds, wraparound and None checks on
KAKARI_SANITIZE=1    lets AddressSanitizer and UBSan watch every access; libasan must be preloaded (see the Makefile)
KAKARI_ONLY=kernels  compiles the modules of these folders alone (several with spaces between), for their tests;
                     an empty one compiles nothing, for `build_ext --inplace` to do it afterwards

Each combination builds in a folder of its own under build/, so that one never reuses another's objects.
"""

import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

FOLDERS = {"kakari": "app", **{f"kakari.{name}": name for name in ("corpora", "kernels", "models", "parsers")}}
COMPILED = tuple(os.environ.get("KAKARI_ONLY", "kernels models parsers").split())
NATIVE = os.environ.get("KAKARI_NATIVE") == "1"
PORTABLE = os.environ.get("KAKARI_PORTABLE") == "1"
CHECKED = os.environ.get("KAKARI_BOUNDSCHECK") == "1"
SANITIZED = os.environ.get("KAKARI_SANITIZE") == "1"
VARIANT = "-".join(
    ["kakari", *["native"] * NATIVE, *["portable"] * PORTABLE, *["checked"] * CHECKED, *["sanitized"] * SANITIZED]
)
BUILD = Path("build", VARIANT)
# Cython's memoryviews, compiled once for all modules instead of once in each: half of the time of a first build.
SHARED = "kakari.kernels._memoryviews"


def packages() -> dict[str, str]:
    """Find each package and the folder that holds it: `app` is `kakari`, the other folders are its sub-packages."""
    return {
        ".".join([package, *marker.parent.relative_to(folder).parts]): marker.parent.as_posix()
        for package, folder in FOLDERS.items()
        for marker in sorted(Path(folder).rglob("__init__.py"))
    }


def lay_out_declarations() -> Path:
    """Copy the .pxd files to where `cimport kakari.kernels.sets.featuresets` looks for them."""
    root = BUILD / "declarations"
    shutil.rmtree(root, ignore_errors=True)
    for package, folder in packages().items():
        place = root.joinpath(*package.split("."))
        place.mkdir(parents=True, exist_ok=True)
        (place / "__init__.pxd").touch()
        for declaration in Path(folder).glob("*.pxd"):
            shutil.copy2(declaration, place)
    return root


@cache
def headers(source: Path) -> frozenset[str]:
    """Collect the headers that a source needs: those it names, and what its declarations and headers need in turn."""
    text = source.read_text("utf-8")
    found = set(re.findall(r'(?:#include|extern from) "([\w/]+\.hpp)"', text))
    needed = [Path(name) for name in found]
    needed += [
        Path(*names.split(".")).with_suffix(".pxd") for names in re.findall(r"from kakari\.([\w.]+) cimport", text)
    ]
    if source.suffix == ".pyx" and source.with_suffix(".pxd").exists():
        needed.append(source.with_suffix(".pxd"))
    return frozenset(found.union(*map(headers, needed)))


def compiler_flags() -> list[str]:
    # No -ffast-math: the same data must give the same model on every build.
    # No -g either: debugging symbols are slow to build, and made a wheel of 25 MB.
    if sys.platform == "win32":
        return ["/std:c++17", "/O2", "/fp:precise", "/DKAKARI_PORTABLE"]
    flags = ["-std=c++17", "-O3", "-g0", "-ffp-contract=off"]
    flags += ["-march=native"] * NATIVE + ["-DKAKARI_PORTABLE"] * PORTABLE
    return flags + ["-O1", "-g", "-fno-omit-frame-pointer"] * SANITIZED


def extensions() -> list[Extension]:
    watch = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] * SANITIZED
    built = [
        Extension(
            ".".join(["kakari", *source.with_suffix("").parts]),
            [source.as_posix()],
            language="c++",
            include_dirs=["."],  # a header is named by its path from here
            extra_compile_args=compiler_flags() + watch,
            extra_link_args=watch,
            depends=sorted(headers(source)),
        )
        for folder in COMPILED
        for source in sorted(Path(folder).rglob("*.pyx"))
    ]
    if not COMPILED:
        return []
    if not built:
        raise SystemExit("there are no .pyx files here: this source tree is not complete")
    # Cython writes this file itself; it is C, and no loop of ours is in it.
    return [Extension(SHARED, ["kakari/kernels/_memoryviews.c"]), *built]


setup(
    packages=list(packages()),
    package_dir=packages(),
    ext_modules=cythonize(
        extensions(),
        include_path=[str(lay_out_declarations())],
        build_dir=str(BUILD / "cython"),
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "nonecheck": CHECKED,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
    options={
        "build": {"build_base": str(BUILD)},
        "build_ext": {"parallel": os.cpu_count()},
        # A tree of links, which editors and mypy follow; they do not see the import hook of the other kind.
        "editable_wheel": {"mode": "strict"},
    },
)
