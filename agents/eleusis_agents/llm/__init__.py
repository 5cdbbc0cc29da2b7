"""Language models at the table: any endpoint that speaks OpenAI's chat completions."""
