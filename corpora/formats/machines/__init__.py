"""Model files of other programs' support vector machines: LIBSVM, SVM-light and SVM-Light-TK.

In: lines of a file
Out: records of options and support vectors, and text again
Uses: corpora.formats, corpora.records
"""
