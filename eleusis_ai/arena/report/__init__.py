"""What is told of runs: tables for a terminal, and a page whose numbers lead to rounds that open card by card."""
