"""The engine: integers and floats in, numbers out, every loop without the GIL."""
