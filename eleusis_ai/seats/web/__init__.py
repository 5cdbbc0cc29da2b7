"""The table in the browser: a server where people play together, and agents fill the empty chairs."""
