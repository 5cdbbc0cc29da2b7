"""The table drawn in a browser: cards, the layout and who sits round it, in pages that need no other file."""
