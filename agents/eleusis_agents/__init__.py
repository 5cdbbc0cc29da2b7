"""Players of Eleusis: agents, their learners and strategy, and dealers."""
