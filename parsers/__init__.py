"""What turns text into structure. Empty until the first parser lands."""
