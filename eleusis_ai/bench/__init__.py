"""Benchmarks of induction: any learner on identical work."""
