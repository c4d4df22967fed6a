"""What depends on the machine: registers, huge pages, threads, and copies from C++ into NumPy.

In: memory and numbers
Out: the same, faster
Uses: nothing
"""
