"""Mining of fragments from many shards, in this process, in several, or on a cluster.

Local models are mined (map), their dictionaries merged (reduce), and every shard turned into vectors of the fragments
(map). Results are kept in a folder beside the shards; a stopped run continues from there. A worker returns a
dictionary or the name of a file, never the data.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from kakari.kernels.fragments.dictionary import FragmentDictionary
from kakari.kernels.fragments.mining import mine
from kakari.kernels.stored import Contents
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.models.files import ModelFileError, load_model, model_bytes, read_model, write_bytes, write_model
from kakari.models.reporting import Report, silent
from kakari.parsers.arguments.boundary.shards import Shards, open_shards
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.frames import ArgumentError
from kakari.parsers.workers import run_tasks

SVM_CACHE = 2**32  # bytes: the kernels of 32,000 examples with each other
DICTIONARY_TASK, VECTORS_TASK = "fragment-dictionary", "fragment-vectors"
# Of SDAG machines that classify themselves, where local models are only mined: by the objective, on 250,000 candidates.
CLOSER: dict[str, Any] = {"cuts": 800, "growth": 0.005, "epsilon": 2e-4, "patience": 3}


@dataclass(frozen=True)
class FragmentOptions:
    """Settings for training and mining local models.

    Attributes
    ----------
    decay : float
        λ of the tree kernel.
    cost, cost_factor, sample_size, growth, epsilon, patience, cuts, seed
        Of SDAG: C, the factor of positive examples, examples a cut, by how much samples grow, when to stop, how often
        to look, most cuts, seed.
    keep, keep_local : int
        Fragments of the merged dictionary, and of each local one.
    minimum_count, factor, levels, breadth
        As of `kakari.kernels.fragments.mining.mine`.
    machine : {"sdag", "svm"}
        What is trained on a shard and mined.
    """

    decay: float = 0.4
    cost: float = 1.0
    cost_factor: float = 1.0
    sample_size: int = 1000
    growth: float = 0.0
    epsilon: float = 1e-3
    patience: int = 1
    cuts: int = 200
    seed: int = 0
    keep: int = 50_000
    keep_local: int = 20_000
    minimum_count: float = 3
    factor: float = 1000
    levels: int | None = None
    breadth: int = 1
    machine: str = "sdag"

    def kernel(self) -> TreeKernel:
        """Return the tree kernel."""
        return TreeKernel("stk", decay=self.decay)


@dataclass(frozen=True)
class Task:
    """The work on one shard: its place, the number of candidates to use, and a key for its results."""

    shards: str
    number: int
    upto: int | None
    options: FragmentOptions
    digest: str

    @property
    def folder(self) -> Path:
        """The folder in which results are kept."""
        return Path(self.shards, "mined")

    def candidates(self) -> Candidates:
        """Read the shard."""
        found = open_shards(Path(self.shards)).read(self.number)
        return found if self.upto is None else found.upto(self.upto)


def merged_dictionary(
    shards: Shards,
    options: FragmentOptions,
    *,
    limit: int | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    report: Report | None = None,
) -> FragmentDictionary:
    """Train and mine a local model on every shard that is not done yet; return the merged dictionary.

    Dictionaries are merged in the order of the shards, whichever is finished first.
    """
    told = report or silent
    tasks = tasks_of(shards, options, limit)
    tasks[0].folder.mkdir(parents=True, exist_ok=True)
    waiting = [task for task in tasks if _stored(mined_path(task), DICTIONARY_TASK) is None]
    for done, (number, content) in enumerate(
        run_tasks(mine_shard, waiting, processes=processes, scheduler=scheduler), start=1
    ):
        write_bytes(mined_path(waiting[number]), content)
        told(f"{done + len(tasks) - len(waiting)} of {len(tasks)} shards mined")
    found = [_dictionary(mined_path(task)) for task in tasks]
    if not any(len(one) for one in found):
        raise ArgumentError("no fragment reaches the threshold: lower the minimum count")
    return FragmentDictionary.merged([one for one in found if len(one)], keep=options.keep)


def linearised(
    shards: Shards,
    dictionary: FragmentDictionary,
    options: FragmentOptions,
    *,
    limit: int | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    report: Report | None = None,
) -> Iterator[sparse.csr_array]:
    """Yield every shard as a matrix over a dictionary's fragments, in order; vectors are kept on disk."""
    told = report or silent
    tasks = tasks_of(shards, options, limit)
    content = model_bytes(DICTIONARY_TASK, dictionary.contents())
    name = hashlib.sha256(content).hexdigest()[:16]
    path = tasks[0].folder / f"merged-{name}.safetensors"
    write_bytes(path, content)
    waiting = [task for task in tasks if _stored(vectors_path(task, name), VECTORS_TASK) is None]
    work = [(task, str(path), name) for task in waiting]
    for done, _ in enumerate(run_tasks(linearise_shard, work, processes=processes, scheduler=scheduler), start=1):
        told(f"{done + len(tasks) - len(waiting)} of {len(tasks)} shards linearised")
    for task in tasks:
        yield load_model(vectors_path(task, name), VECTORS_TASK, partial(stored_vectors, width=len(dictionary)))


def tasks_of(shards: Shards, options: FragmentOptions, limit: int | None) -> list[Task]:
    """Return the tasks of as many shards as are needed for `limit` candidates."""
    tasks, left = [], shards.examples if limit is None else limit
    for number, file in enumerate(shards.files):
        if left > 0:
            upto = left if left < file["examples"] else None
            key = json.dumps([asdict(options) | {"keep": 0}, file["checksum"], upto], sort_keys=True)
            digest = hashlib.sha256(key.encode()).hexdigest()[:16]
            tasks.append(Task(str(shards.folder), number, upto, options, digest))
        left -= int(file["examples"])
    return tasks


def mined_path(task: Task) -> Path:
    """Return the path of a shard's dictionary; its name depends on options and size."""
    return task.folder / f"{task.number:04}-{task.digest}.safetensors"


def vectors_path(task: Task, dictionary: str) -> Path:
    """Return where a shard's vectors are kept."""
    upto = "all" if task.upto is None else task.upto
    return task.folder / f"{task.number:04}-{upto}-{dictionary}.safetensors"


def mine_shard(task: Task) -> bytes:
    """Train a machine on a shard and mine it; return the dictionary as the bytes of its file."""
    candidates = task.candidates()
    options, forest = task.options, candidates.forest
    if len(np.unique(candidates.signs)) < 2:
        raise ArgumentError(f"shard {task.number} has candidates of one class only: make the shards larger")
    dictionary = mined(local_model(forest, candidates.signs, options), forest, options)
    return model_bytes(DICTIONARY_TASK, dictionary.contents())


def local_model(forest: Any, signs: Any, options: FragmentOptions) -> ForestDag:
    """Train SDAG or the exact SVM, both without bias, and return its support as one DAG."""
    kernel = options.kernel()
    if options.machine == "sdag":
        found: ForestDag = fitted_sdag(kernel, forest, signs, options).dag_
        return found
    if options.machine != "svm":
        raise ArgumentError(f"a local model is one of sdag, svm, not {options.machine!r}")
    svm = fitted_svm(kernel, forest, signs, options, bias=False)
    dag = ForestDag(kernel)
    dag.add(svm.support_examples_, svm.dual_coef_[:, 0])
    return dag


def mined(dag: ForestDag, forest: Any, options: FragmentOptions) -> FragmentDictionary:
    """Mine a model, counting fragments in the trees that it was trained on."""
    counted = dag.reweighted(lambda weights: np.hstack([weights[:, :1], np.zeros_like(weights[:, :1])]), 2)
    counted.add(forest, np.tile([0.0, 1.0], (len(forest), 1)), scales=np.ones(len(forest)))
    return mine(
        counted,
        keep=options.keep_local,
        minimum_count=options.minimum_count,
        factor=options.factor,
        depth=options.levels,
        breadth=options.breadth,
        counts=1,
    )


def linearise_shard(work: tuple[Task, str, str]) -> str:
    """Turn a shard into vectors of a dictionary's fragments, on disk; return the file's name."""
    task, path, name = work
    offsets, columns, values = _dictionary(Path(path)).vectors(task.candidates().forest)
    target = vectors_path(task, name)
    arrays: dict[str, Any] = {"offsets": offsets, "columns": columns, "values": values.astype(np.float32)}
    write_model(target, VECTORS_TASK, Contents(arrays))
    return target.name


def fitted_sdag(kernel: Any, examples: Any, signs: Any, options: FragmentOptions, report: Report | None = None) -> Any:
    """Train SDAG, without a warning if it stops at the limit of cuts."""
    from sklearn.exceptions import ConvergenceWarning

    from kakari.models.machines.sdag import SDAG

    machine = SDAG(
        kernel,
        C=options.cost,
        cost_factor=options.cost_factor,
        sample_size=options.sample_size,
        growth=options.growth,
        epsilon=options.epsilon,
        patience=options.patience,
        max_cuts=options.cuts,
        seed=options.seed,
    )

    def told(machine: int, machines: int, cuts: int, violation: float) -> None:
        if report is not None:
            report(f"cut {cuts}, violated by {violation:.4f}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return machine.fit(examples, signs, progress=told)


def fitted_svm(kernel: Any, examples: Any, signs: Any, options: FragmentOptions, *, bias: bool = True) -> Any:
    """Train the exact SVM; SDAG's margins choose the first examples (`fit_by_chunks`)."""
    from kakari.models.machines.chunking import fit_by_chunks
    from kakari.models.machines.svm import KernelSVC

    guess = fitted_sdag(kernel, examples, signs, options).decision_function(examples)
    machine = KernelSVC(kernel, C=options.cost, cost_factor=options.cost_factor, bias=bias, cache_limit=SVM_CACHE)
    return fit_by_chunks(machine, examples, signs, guess)


def bracketed(fragment: tuple[Any, ...], name: Callable[[int], str]) -> str:
    """Write a fragment as brackets.

    Examples
    --------
    >>> bracketed((4, (5,), (6, (7,))), str)
    '(4 (5) (6 7))'
    """
    label, *children = fragment
    if len(children) == 1 and len(children[0]) == 1:
        return f"({name(label)} {name(children[0][0])})"
    return f"({' '.join([name(label), *(bracketed(child, name) for child in children)])})"


def _dictionary(path: Path) -> FragmentDictionary:
    return load_model(path, DICTIONARY_TASK, FragmentDictionary.from_contents)


def stored_vectors(contents: Contents, width: int) -> sparse.csr_array:
    """Rebuild the vectors of a shard over a dictionary of `width` fragments."""
    columns = contents.array("columns", np.int32, minimum=0, below=width)
    values = contents.array("values", np.float32, shape=columns.shape)
    offsets = contents.offsets("offsets", columns.size)
    return sparse.csr_array((values, columns, offsets), shape=(offsets.size - 1, width))


def _stored(path: Path, task: str) -> Any:
    """Return the stored contents, or None if the file is missing or damaged."""
    try:
        return read_model(path, task)
    except ModelFileError:
        return None
