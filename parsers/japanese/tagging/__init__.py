"""Words of Japanese text in JUMAN's units: boundaries, parts of speech, base forms, readings.

In: text
Out: `Morpheme` records, and `WordsModel` for files
Uses: kernels.hardware
"""
