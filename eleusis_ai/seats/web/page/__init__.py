"""What a browser gets: templates, assets and words."""
