"""Requests and answers of the API, for its documentation and its checks."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

Language = Literal["ja", "en"]
Include = Literal["universal", "dependencies", "chunks", "question", "pictures"]


class Request(BaseModel):
    """A request: unknown fields are refused, so that a misspelt option is never ignored."""

    model_config = ConfigDict(extra="forbid")


class ParseRequest(Request):
    """One text, or several."""

    text: StrictStr | None = Field(None, description="A text.", examples=["太郎は京都大学に行った。"])
    texts: list[StrictStr] | None = Field(None, description="Several texts, each answered for itself.")
    language: Language | None = Field(None, description="The language; by default each text's script tells it.")
    include: list[Include] = Field(
        default=[],
        description="What to find beside bunsetsu (Japanese) or constituents and predicates (English): Universal"
        " Dependencies of Japanese words (`universal`), English `dependencies`, `chunks`, the class of a `question`,"
        " and SVG `pictures` of the first sentences.",
    )
    alternatives: StrictInt = Field(0, ge=0, description="Number of analyses to search for.")

    def all_texts(self) -> list[str]:
        """Return the texts."""
        return [self.text or ""] if self.texts is None else self.texts


class ExplainRequest(Request):
    """One thing in a sentence."""

    text: StrictStr = Field(description="One sentence, as `text` of the answer has it.")
    what: Literal["arc", "boundary", "dependency", "constituent", "argument", "question"] = Field(
        description="An arc between bunsetsu, a boundary of bunsetsu, the head of an English word, a constituent, an"
        " argument of a predicate, or the class of a question."
    )
    first: StrictInt = Field(
        0,
        ge=0,
        description="The dependent of an arc; the character behind a boundary; the word, or the constituent's first"
        " one; the number of the predicate. All count from 0.",
    )
    second: StrictInt = Field(
        0,
        ge=0,
        description="The head of an arc; the word behind a constituent's last one; the number of the argument.",
    )
    label: StrictStr = Field("", description="The label of a constituent.")
    top: Annotated[StrictInt, Field(ge=1, le=200)] = 14


class ExportRequest(Request):
    """A text and a format."""

    text: StrictStr
    language: Language | None = None
    format: Literal["json", "conllu", "cabocha", "knp", "ptb", "conll", "chunks", "tree", "svg", "html"]


class CorrectRequest(Request):
    """Corrections of one model."""

    language: Language
    corrections: list[dict[str, Any]] = Field(
        description="Each with `text` (a sentence), `kind` (boundary, arc, …), `at`, `is` and, for arguments, `of`, as"
        " lines of the files of `kakari correct` have them; characters count within the text."
    )


class UndoRequest(Request):
    """Whose last correction is taken back."""

    task: StrictStr = "ja-bunsetsu-dependency"


class Parsed(BaseModel):
    """The results of a text."""

    language: Language
    sentences: list[dict[str, Any]] = Field(description="As `kakari parse -f json` writes them, and what was included.")
    warnings: list[str] = Field(default=[], description="Where text was not analysed as it stands.")


class ParseAnswer(BaseModel):
    """The results of each text."""

    results: list[Parsed]


class Weight(BaseModel):
    """A conjunction of features, or a fragment of a tree."""

    conjunction: str
    weight: float


class Explanation(BaseModel):
    """A decision; the weights add up to its margin."""

    machine: str
    margin: float
    items: list[Weight]


class ExplainAnswer(BaseModel):
    """The decisions behind one thing."""

    explanations: list[Explanation]


class Refusal(BaseModel):
    """The reason why a request was not answered."""

    error: str
