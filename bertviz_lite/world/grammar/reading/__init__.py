"""How clauses and lines of the tables are read."""
