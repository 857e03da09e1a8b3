"""The masking lab."""
