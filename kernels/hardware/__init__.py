"""Code that depends on the machine: registers, huge pages, threads, copies from C++ into NumPy, number hashes.

In: memory and numbers
Out: the same, faster
Uses: nothing
"""
