"""Question reading, indexes, ranking and answers."""
