"""What is trained, and what training needs beside the engine: so far, the feature vocabulary."""
