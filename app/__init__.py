"""The command line and the servers."""
