"""Chairs for people: a round of Eleusis with a person at the table."""
