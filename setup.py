"""Build the Cython engine; everything else about the package stands in pyproject.toml.

KAKARI_NATIVE=1      tunes for this machine (-march=native) instead of any of its family
KAKARI_BOUNDSCHECK=1 turns Cython's bounds, wraparound and None checks on
KAKARI_SANITIZE=1    lets AddressSanitizer and UBSan watch every access; libasan must be preloaded (see the Makefile)
KAKARI_ONLY=kernels  compiles the modules of these folders alone (several with spaces between), for their tests

Each combination builds in a folder of its own under build/, so that one never reuses another's objects.
"""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

FOLDERS = tuple(os.environ.get("KAKARI_ONLY", "kernels models parsers").split())
NATIVE = os.environ.get("KAKARI_NATIVE") == "1"
CHECKED = os.environ.get("KAKARI_BOUNDSCHECK") == "1"
SANITIZED = os.environ.get("KAKARI_SANITIZE") == "1"
VARIANT = "-".join(["kakari", *["native"] * NATIVE, *["checked"] * CHECKED, *["sanitized"] * SANITIZED])
BUILD = Path("build", VARIANT)
# Cython's memoryviews, compiled once for all modules instead of once in each: half of the time of a first build.
SHARED = "kakari.kernels._memoryviews"


def lay_out_declarations() -> Path:
    """Copy the .pxd files to where `cimport kakari.kernels.x` looks for them."""
    root = BUILD / "declarations"
    shutil.rmtree(root, ignore_errors=True)
    for folder in FOLDERS:
        package = root / "kakari" / folder
        package.mkdir(parents=True)
        (package / "__init__.pxd").touch()
        for declaration in Path(folder).glob("*.pxd"):
            shutil.copy2(declaration, package)
    (root / "kakari" / "__init__.pxd").touch()
    return root


def headers_of(folder: str) -> list[str]:
    """Name the folders whose C++ headers the extensions of a folder may include."""
    return ["kernels", "parsers"] if folder == "parsers" else ["kernels"]


def extensions() -> list[Extension]:
    # No -ffast-math: the same data must give the same model on every build.
    # No -g either: debugging symbols are slow to build, and made a wheel of 25 MB.
    flags = ["-std=c++17", "-O3", "-g0", "-ffp-contract=off"] + ["-march=native"] * NATIVE
    watch = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] * SANITIZED
    flags += watch + ["-O1", "-g", "-fno-omit-frame-pointer"] * SANITIZED
    built = [
        Extension(
            f"kakari.{source.parent}.{source.stem}",
            [str(source)],
            language="c++",
            include_dirs=headers_of(folder),  # which the .pxd files name
            extra_compile_args=flags,
            extra_link_args=watch,
            depends=[str(header) for named in headers_of(folder) for header in sorted(Path(named).glob("*.hpp"))],
        )
        for folder in FOLDERS
        for source in sorted(Path(folder).glob("*.pyx"))
    ]
    if not built:
        raise SystemExit("there are no .pyx files here: this source tree is not complete")
    # Cython writes this file itself; it is C, and no loop of ours is in it.
    return [Extension(SHARED, ["kakari/kernels/_memoryviews.c"], extra_compile_args=["-O2", "-g0"]), *built]


setup(
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
    options={"build": {"build_base": str(BUILD)}, "build_ext": {"parallel": os.cpu_count()}},
)
