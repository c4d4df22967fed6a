"""What is trained: estimators over the engine, vocabularies, model files, and the embedded models."""
