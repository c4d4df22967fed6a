"""What depends on the machine: registers, huge pages, threads, copies from C++ into NumPy, and hashes of numbers.

In: memory and numbers
Out: the same, faster
Uses: nothing
"""
