"""The game as reinforcement learners know it: environments for Gymnasium and PettingZoo."""
