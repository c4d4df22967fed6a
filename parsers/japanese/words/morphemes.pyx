"""Morphemes of many sentences as flat arrays of 32-bit ids, whatever analysed them.

A `Lexicon` turns a word type (surface, base form, parts of speech, conjugation) into a row of ids once and
remembers the packed row; a token after that costs one dictionary look-up and a copy of 48 bytes. The memory
is bounded: it starts again after 100,000 word types, so a service that reads forever does not grow. Words of
Sudachi's dictionary are known by its numbers, so that their strings are fetched once; words that are not in it are
known by everything that is written of them.
`Morphemes` holds the rows of a batch one after another, with character offsets; its arrays are read-only
and need no GIL.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from kakari.kernels.hardware.arrays cimport int32_array, int64_array

import numpy as np


REMEMBERED_ROWS = 1 << 15  # with their strings some hundred bytes each
PERIODS = frozenset("。．.！？!?")
COMMAS = frozenset("、，,")
OPENING = frozenset("「『（(［[｛{〈《【〔“‘＜")
CLOSING = frozenset("」』）)］]｝}〉》】〕”’＞")
KINDS_OF_POS = {
    "特殊": MARK, "補助記号": MARK, "記号": MARK, "空白": MARK, "助詞": PARTICLE, "助動詞": AUXILIARY,
    "判定詞": AUXILIARY | COPULA, "接尾辞": SUFFIX, "名詞": NOUN, "代名詞": NOUN, "未定義語": NOUN, "動詞": VERB,
    "形容詞": ADJECTIVE, "形状詞": ADJECTIVE, "副詞": ADVERB, "連体詞": ADNOMINAL, "指示詞": ADNOMINAL,
    "接続詞": CONJUNCTION, "接頭辞": PREFIX, "フィラー": MARK,
}


def kinds_of(surface, pos, conj_type):
    """Return the `Kind` bits of a word type.

    Examples
    --------
    >>> kinds_of("、", ("特殊", "読点"), "") == Kind.MARK | Kind.COMMA
    True
    """
    kinds = KINDS_OF_POS.get(pos[0], 0) if pos else 0
    if len(surface) == 1:
        kinds |= PERIOD * (surface in PERIODS) | COMMA * (surface in COMMAS)
        kinds |= OPENS * (surface in OPENING) | CLOSES * (surface in CLOSING)
    if conj_type in ("助動詞-ダ", "助動詞-デス", "判定詞"):
        kinds |= COPULA
    if kinds & PARTICLE and surface == "は":
        kinds |= TOPIC
    return kinds


def character_kind(character):
    """Number the script of a character: 0 other, 1 hiragana, 2 katakana, 3 kanji, 4 Latin, 5 digit, 6 mark.

    Examples
    --------
    >>> [character_kind(c) for c in "あアｱ係aＡ1１。"]
    [1, 2, 2, 3, 4, 4, 5, 5, 6]
    """
    code = ord(character)
    if 0x3041 <= code <= 0x309F:
        return 1
    if 0x30A1 <= code <= 0x30FF or 0xFF66 <= code <= 0xFF9F:
        return 2
    if 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or character == "々":
        return 3
    if character.isdigit():
        return 5
    if character.isalpha():
        return 4
    return 0 if code > 0xFFFF else 6


def shape_of(surface):
    """Return a number for the scripts at both ends of a word and its length up to 4."""
    if not surface:
        return 0
    scripts = character_kind(surface[0]) * 7 + character_kind(surface[len(surface) - 1])
    return scripts * 4 + min(len(surface), 4) - 1


cdef int32_t identity_of(str surface) except? -1:
    cdef uint32_t mixed = 2166136261u
    cdef Py_UCS4 character
    for character in surface:
        mixed = (mixed ^ <uint32_t>character) * 16777619u
    return <int32_t>(mixed & 0x7FFFFFFF)


cdef class Lexicon:
    """The strings that a model knows, and the rows of ids of the word types seen lately.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> strings = Vocabulary()
    >>> _ = strings.add("犬"), strings.add("名詞")
    >>> lexicon = Lexicon(strings, "juman")
    >>> row = lexicon.encode("犬", "犬", ("名詞", "普通名詞"), "", "")
    >>> row[Field.SURFACE], row[Field.POS], row[Field.SUBPOS], row[Field.CONJ_FORM]
    (0, 1, -1, -1)
    """

    def __init__(self, Vocabulary strings not None, tagset):
        self.strings = strings
        self.tagset = str(tagset)
        self.rows = {}
        self.words = {}
        self.tokens = {}

    def __reduce__(self):
        return Lexicon, (self.strings, self.tagset)

    def encode(self, surface, base, pos, conj_type, conj_form):
        """Return the row of a word type as a list of numbers; see `Field`."""
        return np.frombuffer(self.row((surface, base, pos, conj_type, conj_form)), dtype=np.int32).tolist()

    cdef bytes row(self, tuple key):
        """Return the packed row of a word type."""
        found = self.rows.get(key)
        if found is not None:
            return found
        cdef int32_t values[<int>FIELDS]
        surface, base, pos, conj_type, conj_form = key
        texts = word_strings(surface, base, pos, conj_type, conj_form)
        for place, text in enumerate(texts):
            number = self.strings.id_of(text) if text else None
            values[place] = -1 if number is None else number
        values[<int>SHAPE] = shape_of(surface)
        values[<int>KINDS] = kinds_of(surface, pos, conj_type)
        values[<int>IDENTITY] = identity_of(surface)
        packed = <bytes>(<const char *>values)[:FIELDS * sizeof(int32_t)]
        if len(self.rows) >= REMEMBERED_ROWS:
            self.rows.clear()
        self.rows[key] = packed
        return packed


def word_strings(surface, base, pos, conj_type, conj_form):
    """Return the strings of a word type in the order of `Field`, as a vocabulary holds them.

    Examples
    --------
    >>> word_strings("行っ", "行く", ("動詞", "非自立可能"), "五段-カ行", "連用形-促音便")
    ('行っ', '行く', '動詞', '動詞,非自立可能', '動詞,非自立可能', '五段-カ行', '連用形-促音便', 'っ', '行')
    """
    levels = (pos[0] if pos else "", ",".join(pos[:2]), ",".join(pos))
    return (surface, base, *levels, conj_type, conj_form, surface[len(surface) - 1:], surface[:1])


cdef class Morphemes:
    """The morphemes of a batch of sentences.

    Attributes
    ----------
    fields : numpy array of int32, morphemes x FIELDS
    begins, ends : numpy arrays of int32
        Character offsets in the sentence's text. White space belongs to the morpheme before it.
    starts : numpy array of int64
        Sentence i has the morphemes starts[i] to starts[i + 1].
    texts : sequence of str or None
        The text of each sentence, if it is known.
    """

    def __init__(self, fields, begins, ends, starts, texts=None):
        self.fields, self.begins, self.ends, self.starts, self.texts = fields, begins, ends, starts, texts
        for array in (fields, begins, ends, starts):
            array.flags.writeable = False
        self.field_view, self.start_view = fields, starts

    def __len__(self):
        return self.start_view.shape[0] - 1

    def __repr__(self):
        return f"<{len(self)} sentences, {self.field_view.shape[0]} morphemes>"

    def __reduce__(self):
        arrays = tuple(np.array(array) for array in (self.fields, self.begins, self.ends, self.starts))
        return restore, (*arrays, None if self.texts is None else [self.texts[i] for i in range(len(self))])


def restore(fields, begins, ends, starts, texts=None):
    """Rebuild a pickled batch."""
    return Morphemes(fields, begins, ends, starts, texts)


cdef class MorphemeBatch:
    """Collects rows sentence by sentence.

    Examples
    --------
    >>> from kakari.models.vocabulary import Vocabulary
    >>> batch = MorphemeBatch(Lexicon(Vocabulary(), "juman"))
    >>> batch.add("犬", "犬", ("名詞",), "", "", 0, 1)
    >>> batch.end_sentence()
    >>> batch.finish()
    <1 sentences, 1 morphemes>
    """

    def __init__(self, Lexicon lexicon not None):
        self.lexicon = lexicon
        self.starts.push_back(0)

    def add(self, surface, base, tuple pos, conj_type, conj_form, int32_t begin, int32_t end):
        """Add a morpheme with its character offsets."""
        self.push(self.lexicon.row((surface, base, pos, conj_type, conj_form)), begin, end)

    cdef int push(self, bytes packed, int32_t begin, int32_t end) except -1:
        cdef size_t size = self.values.size()
        self.values.resize(size + FIELDS)
        memcpy(self.values.data() + size, <const char *>packed, FIELDS * sizeof(int32_t))
        self.begins.push_back(begin)
        self.ends.push_back(end)
        return 0

    def add_sudachi(self, morphemes, list tags, int32_t offset, list found=None, note_of=None):
        """Add what SudachiPy found; `tags[id]` is its part-of-speech tuple, split (see `split_tag`).

        Records of the words that were added go to `found`, if it is given, or what `note_of` returns for a record: it
        is called once for each word that is remembered.

        Tokens of white space lengthen the morpheme before them; those without any characters are dropped. Sudachi's
        words cover the text without gaps, so that their lengths tell where they are.
        """
        cdef int32_t begin, end = offset
        cdef dict words = self.lexicon.words
        cdef str surface
        cdef list word
        for morpheme in morphemes:
            surface = morpheme.surface()
            if not surface:
                continue
            begin, end = end, end + <int32_t>len(surface)
            key = surface, morpheme.word_id()
            known = words.get(key)
            if known is None:
                if morpheme.is_oov():
                    # Only a word of the dictionary is named by its number: one of an unknown word is its part of
                    # speech, and readings of numerals, which Sudachi joins, differ by what follows.
                    key = surface, morpheme.part_of_speech_id(), morpheme.reading_form(), morpheme.dictionary_form()
                    known = words.get(key)
                if known is None:
                    known = self.remember(key, morpheme, tags)
            word = <list>known
            if word[0] is None:
                self.add_space(end)
                continue
            self.push(<bytes>word[0], self.gap_begin(begin), end)
            if found is not None:
                if type(word[1]) is tuple:
                    word[1] = record_of(word[1])
                if note_of is None:
                    found.append(word[1])
                    continue
                noted = word[2]
                if noted is None or (<tuple>noted)[0] is not note_of:
                    noted = word[2] = note_of, note_of(word[1])
                found.append((<tuple>noted)[1])
        check_end(morphemes, end - offset)

    cdef list remember(self, tuple key, morpheme, list tags):
        """Return the packed row of Sudachi's word, None for white space, what its record holds, and a place for a note.
        """
        surface = key[0]
        if surface.isspace():
            word = [None, None, None]
        else:
            base = morpheme.dictionary_form()
            tag = tags[morpheme.part_of_speech_id()]
            held = surface, morpheme.reading_form(), base, *tag
            word = [self.lexicon.row((surface, base or surface, *tag)), held, None]
        if len(self.lexicon.words) >= REMEMBERED_ROWS:
            self.lexicon.words.clear()
        self.lexicon.words[key] = word
        return word

    def add_space(self, int32_t end):
        """Lengthen the sentence's last morpheme by white space; leading space goes to the first one."""
        cdef int64_t last = <int64_t>self.ends.size() - 1
        if last >= self.starts.back():
            self.ends[last] = end
            self.values[last * FIELDS + KINDS] |= SPACE_AFTER

    cdef int32_t gap_begin(self, int32_t begin) noexcept:
        """Return where a morpheme's span begins: the sentence's first one takes the white space before it."""
        return begin if <int64_t>self.ends.size() > self.starts.back() else 0

    def sentence_size(self):
        """Return the number of morphemes of the open sentence."""
        return <int64_t>self.ends.size() - self.starts.back()

    def end_sentence(self):
        """Close the sentence; the next morpheme belongs to another."""
        self.starts.push_back(self.ends.size())

    def finish(self, texts=None):
        """Return the batch; `texts` are those of its sentences, if they are known."""
        fields = int32_array(self.values).reshape(-1, FIELDS)
        return Morphemes(fields, int32_array(self.begins), int32_array(self.ends), int64_array(self.starts), texts)


def split_tag(tag):
    """Split Sudachi's six-part tag into levels, conjugation type and form.

    Examples
    --------
    >>> split_tag(("動詞", "一般", "*", "*", "五段-カ行", "終止形-一般"))
    (('動詞', '一般'), '五段-カ行', '終止形-一般')
    """
    levels = tuple(level for level in tag[:4] if level != "*")
    return levels, "" if tag[4] == "*" else tag[4], "" if tag[5] == "*" else tag[5]


cpdef check_end(morphemes, Py_ssize_t characters):
    """Make sure that the words of SudachiPy end where their lengths say: nothing is between them."""
    cdef Py_ssize_t count = len(morphemes)
    if count and <Py_ssize_t>morphemes[count - 1].end() != characters:
        raise RuntimeError("Sudachi's words do not cover the text: places of words would be wrong")


cdef object record_of(tuple word):
    """Return a word as a record. Only writers of formats want records: parsing alone does not import them."""
    from kakari.corpora.records.japanese import Morpheme
    return Morpheme(*word)
