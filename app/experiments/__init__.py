"""The experiments of the papers behind kakari, run again: plain functions that give rows of figures."""
