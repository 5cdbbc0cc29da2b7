"""Learners: evidence about the secret rule in, probabilities out."""
