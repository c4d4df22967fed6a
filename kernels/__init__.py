"""The engine: online and batch kernel machines over sets, trees and vectors, without a word of text in them.

In: arrays, feature sets and forests
Out: weights, coefficients, margins and kernel values
Uses: nothing
"""
