"""From brackets and `nltk.Tree` to forests of numbers, and back.

A `Treebank` is a vocabulary of labels (words are labels of leaves) and one pass over the text with a stack of
open nodes: O(characters), no recursion, no Python object a node. A label without children, `(b)`, is a leaf,
as in SVM-Light-TK. Once frozen it learns no more labels: an unknown one gets a number beyond the vocabulary, the
same throughout one call of `read`, which matches nothing in a trained model.
"""
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from itertools import pairwise

import numpy as np  # no-cython-lint (the functions of arrays.pxd use it)

from kakari.kernels.trees.forest import Forest

from kakari.kernels.hardware.arrays cimport int32_array, int64_array
from kakari.models.vocabulary cimport Vocabulary


class TreebankError(ValueError):
    """Text that is not a tree, or a tree that cannot be written; the text has the example, the character and why."""


cdef enum Fault:
    FINE, NEVER_OPENED, OUTSIDE, NO_LABEL, NOT_CLOSED

cdef dict REASONS = {
    NEVER_OPENED: "a bracket closes that was never opened",
    OUTSIDE: "a word stands outside of any bracket",
    NO_LABEL: "a node has no label",
    NOT_CLOSED: "the tree that starts here is not closed",
}

cdef struct OpenNode:
    int64_t place       # of its bracket in the text
    int32_t label       # -1 until it is read
    int32_t children


cdef class Treebank:
    """Labels and their numbers, and the reader of trees that uses them.

    Examples
    --------
    >>> treebank = Treebank()
    >>> forest = treebank.read(["(S (NP we) (VP (V eat)))", ["(NP we)", "(VP (V eat))"]])
    >>> forest.tree_counts().tolist(), treebank.write(forest)
    ([1, 2], [['(S (NP we) (VP (V eat)))'], ['(NP we)', '(VP (V eat))']])
    >>> treebank.read(["(S (NP we)"])
    Traceback (most recent call last):
    ...
    kakari.models.treebank.TreebankError: example 0, character 0: the tree that starts here is not closed
    """

    cdef readonly Vocabulary labels

    def __init__(self, labels=None):
        self.labels = Vocabulary() if labels is None else labels

    def freeze(self):
        """Learn no more labels."""
        self.labels.freeze()

    def read(self, examples, *, bint learn=True):
        """Turn examples into a forest.

        Parameters
        ----------
        examples : iterable
            Each a string of brackets (one tree or several; an empty string is an empty tree), an `nltk.Tree`,
            or a sequence of these.
        learn : bool
            Whether new labels are learnt; if not, they are numbered as the unknown labels of a frozen treebank.
        """
        cdef TreeReader reader = TreeReader(self.labels, learn and not self.labels.frozen)
        example_starts = [0]
        for number, example in enumerate(examples):
            parts = [example] if isinstance(example, str) or hasattr(example, "label") else example
            for part in parts:
                if isinstance(part, str):
                    reader.read_text(number, part)
                elif hasattr(part, "label"):
                    reader.read_nltk(number, part)
                else:
                    raise TreebankError(f"example {number}: {type(part).__name__} is neither a tree nor text")
            example_starts.append(reader.tree_starts.size() - 1)
        return reader.forest(example_starts)

    def read_svmlight_tk(self, lines):
        """Turn SVM-Light-TK lines, `label |BT| tree |BT| tree |ET| …`, into a forest of their trees.

        Examples
        --------
        >>> Treebank().read_svmlight_tk(["+1 |BT| (A (b)(C c)) |BT| |ET| 3:1 |EV|"]).node_counts().tolist()
        [4, 0]
        """
        return self.read(trees_of_line(number, line) for number, line in enumerate(lines))

    def write(self, forest):
        """Return the trees of each example as brackets; a leaf with siblings that are not leaves is written `(b)`.

        Labels that the vocabulary does not know are written as `*UNKNOWN0*`, `*UNKNOWN1*`, ….
        """
        arrays = forest.contents().arrays
        trees = [
            self.brackets(arrays["labels"][start:end].tolist(), arrays["arities"][start:end].tolist())
            for start, end in pairwise(arrays["trees"])
        ]
        return [trees[start:end] for start, end in pairwise(arrays["examples"])]

    def __reduce__(self):
        return Treebank, (self.labels,)

    cdef str brackets(self, list labels, list arities):
        """Write one tree from its end to its beginning, starting with the root's closing bracket."""
        pieces = []
        unfinished = []     # of each open node: label, children to come, whether leaves need brackets
        for place in range(len(labels) - 1, -1, -1):
            name = self.written(labels[place])
            bracketed = not unfinished or unfinished[len(unfinished) - 1][2]
            if arities[place]:
                pieces.append(")")
                unfinished.append([name, arities[place], not only_leaves(arities, place)])
            else:
                pieces.append(f"({name})" if bracketed else name)
                if unfinished:
                    unfinished[len(unfinished) - 1][1] -= 1
            while unfinished and unfinished[len(unfinished) - 1][1] == 0:
                pieces.append(f"({unfinished.pop()[0]}")
                if unfinished:
                    unfinished[len(unfinished) - 1][1] -= 1
        text = " ".join(reversed(pieces))
        return text.replace(" )", ")")

    cdef str written(self, int64_t label):
        if label >= len(self.labels):
            return f"*UNKNOWN{label - len(self.labels)}*"
        name = self.labels[label].replace("(", "-LRB-").replace(")", "-RRB-")
        if not name or not name.isprintable() or " " in name:
            raise TreebankError(f"the label {name!r} cannot be written between brackets")
        return name


cdef class TreeReader:
    """The nodes of all trees of one call of `read`, in postorder."""

    cdef Vocabulary labels
    cdef Vocabulary unknown             # what a frozen vocabulary does not know
    cdef vector[int32_t] node_labels
    cdef vector[int32_t] arities
    cdef vector[int64_t] tree_starts
    cdef vector[OpenNode] open_nodes
    cdef int32_t known                  # labels when reading began: numbers of unknown ones begin there
    cdef bint learn

    def __init__(self, labels, bint learn):
        self.labels, self.unknown, self.learn = labels, Vocabulary(), learn
        self.known = len(labels)
        self.tree_starts.assign(1, 0)

    cdef forest(self, example_starts):
        labels, arities = int32_array(self.node_labels), int32_array(self.arities)
        made = Forest.from_arrays(labels, arities, int64_array(self.tree_starts), example_starts)
        if len(self.unknown) == 0:
            return made.standing_for(self.labels)
        names = {self.known + place: self.unknown[place] for place in range(len(self.unknown))}
        return made.standing_for(self.labels, names)

    cdef int read_text(self, int64_t number, str text) except -1:
        cdef bytes raw = text.encode("utf-8", "surrogatepass")
        cdef const char *characters = raw
        cdef int64_t length = len(raw), place = 0
        cdef size_t trees = self.tree_starts.size()
        cdef int fault
        if not self.learn:
            with nogil:
                fault = self.parse(characters, length, &place)
        else:       # the vocabulary grows: one thread at a time
            fault = self.parse(characters, length, &place)
        if fault != FINE:
            character = len(raw[:place].decode("utf-8", "surrogatepass"))
            raise TreebankError(f"example {number}, character {character}: {REASONS[fault]}")
        if self.tree_starts.size() == trees:  # blank: an empty tree
            self.tree_starts.push_back(self.node_labels.size())
        return 0

    cdef int parse(self, const char *text, int64_t length, int64_t *place) except -1 nogil:
        """Read all trees of a text; on a fault, `place` says where."""
        cdef int64_t i = 0, begin
        cdef int fault
        self.open_nodes.clear()
        while i < length:
            place[0] = i
            if is_blank(text[i]):
                i += 1
            elif text[i] == b"(":
                self.open_nodes.push_back(OpenNode(i, -1, 0))
                i += 1
            elif text[i] == b")":
                fault = self.close()
                if fault != FINE:
                    return fault
                i += 1
            else:
                begin = i
                while i < length and not is_blank(text[i]) and text[i] != b"(" and text[i] != b")":
                    i += 1
                if self.open_nodes.empty():
                    return OUTSIDE
                self.name_or_leaf(self.number_of(text + begin, i - begin))
        if not self.open_nodes.empty():
            place[0] = self.open_nodes[0].place
            return NOT_CLOSED
        return FINE

    cdef int name_or_leaf(self, int32_t label) except -1 nogil:
        """A word is the label of the node that was just opened, or else a leaf of it."""
        cdef OpenNode *node = &self.open_nodes[self.open_nodes.size() - 1]
        if node.label < 0 and node.children == 0:
            node.label = label
        else:
            node.children += 1
            self.node_labels.push_back(label)
            self.arities.push_back(0)
        return 0

    cdef int close(self) except -1 nogil:
        if self.open_nodes.empty():
            return NEVER_OPENED
        cdef OpenNode node = self.open_nodes.back()
        cdef OpenNode *parent
        self.open_nodes.pop_back()
        cdef bint outermost = self.open_nodes.empty()
        if node.label >= 0:
            self.node_labels.push_back(node.label)
            self.arities.push_back(node.children)
        elif not outermost or node.children != 1:   # only ((S …)) may lack a label, and is left out
            return NO_LABEL
        if outermost:
            self.tree_starts.push_back(self.node_labels.size())
        else:
            parent = &self.open_nodes[self.open_nodes.size() - 1]
            parent.children += 1
        return FINE

    cdef int32_t number_of(self, const char *text, int64_t length) except -2 nogil:
        cdef int32_t label
        if self.learn:
            return self.labels.find_or_add(text, length)
        label = self.labels.find(text, length)
        if label >= 0:
            return label
        return self.known + self.unknown.find_or_add(text, length)

    cdef int read_nltk(self, int64_t number, tree) except -1:
        """Without recursion: a node is met again, with its label's number, when its children are done."""
        waiting = [(tree, -1)]
        while waiting:
            node, label = waiting.pop()
            leaf = isinstance(node, str)
            if label < 0:
                label = self.number_of_name(number, node if leaf else node.label())
                if not leaf and len(node):
                    waiting.append((node, label))
                    waiting.extend([(child, -1) for child in reversed(node)])
                    continue
            self.node_labels.push_back(label)
            self.arities.push_back(0 if leaf else len(node))
        self.tree_starts.push_back(self.node_labels.size())
        return 0

    cdef int32_t number_of_name(self, int64_t number, name) except -2:
        if not isinstance(name, str):
            raise TreebankError(f"example {number}: the label {name!r} is not a string")
        raw = name.encode("utf-8", "surrogatepass")
        return self.number_of(raw, len(raw))


cdef inline bint is_blank(char character) noexcept nogil:
    return character == b" " or b"\t" <= character <= b"\r"


cdef bint only_leaves(list arities, int64_t place):
    """Return whether all children of a node are leaves: then they are the entries right before it."""
    cdef int64_t i
    for i in range(place - <int64_t>arities[place], place):
        if i < 0 or arities[i]:
            return False
    return True


cdef list trees_of_line(number, line):
    begin, end = line.find("|BT|"), line.rfind("|ET|")
    if begin < 0:
        return []
    if end < begin:
        raise TreebankError(f"example {number}: the trees are not ended by |ET|")
    return [part.strip() for part in line[begin:end].replace("|ET|", " ").split("|BT|")[1:]]
