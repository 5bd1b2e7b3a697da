"""Where the statements' vectors are kept and searched: a file an engine, chosen by `rulings build --vectors`."""
