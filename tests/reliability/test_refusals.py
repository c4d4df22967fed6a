"""What was once a traceback is one line that says what is wrong."""

import io
import json

import pytest
from command_line import run_here

from kakari.corpora import CorpusError
from kakari.corpora.formats.machines.svmlight import read_svmlight_model
from kakari.models.machines.svmlight_tk import SvmLightError, kernel_of

HEAD = "SVM-light Version V5.01-TK-1.2\n5 # kernel type\n"


def test_a_segmenter_of_other_morphemes_is_refused():
    found = run_here("evaluate", "ja", "ja-juman", "sample-ja")
    assert found.returncode == 1
    assert found.stderr.strip().count("\n") == 0
    assert "juman morphemes does not go with a parser of sudachi morphemes" in found.stderr


@pytest.mark.parametrize("number", ["1e999", "-inf", "nan"])
def test_numbers_without_end_are_refused(number):
    text = f"{HEAD}{number} # number of support vectors plus 1 \n0 # threshold b, each\n"
    with pytest.raises(CorpusError, match="is not a number that a model can have"):
        read_svmlight_model(io.StringIO(text))
    with pytest.raises(SvmLightError, match="whole number"):
        kernel_of({"t": "5", "F": number, "W": "S", "L": "0.4", "M": "0.4"})


@pytest.mark.parametrize("given", ["morphemes", "bunsetsu"])
def test_a_sentence_without_words_is_left_out(given, tmp_path):
    words = "* -1D\n本 ほん 本 名詞 6 普通名詞 1 * 0 * 0\nEOS\n"
    (tmp_path / "one.knp").write_text(words, encoding="utf-8")
    (tmp_path / "two.knp").write_text(f"EOS\n{words}EOS\n", encoding="utf-8")
    one, two = (
        run_here("evaluate", "ja-juman", str(tmp_path / name), "--given", given, "--json")
        for name in ("one.knp", "two.knp")
    )
    assert one.returncode == two.returncode == 0, two.stderr
    assert {**json.loads(one.stdout), "seconds": 0} == {**json.loads(two.stdout), "seconds": 0}
