"""The engine protocol: rules and bots for other programs, line by line."""
