"""The path of one tensor through the steps of a trace."""
