"""People: the tokens of their devices, their names, and optional passwords."""
