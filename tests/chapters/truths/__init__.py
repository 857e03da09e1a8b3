"""What each exercise should give, from outside: one table a chapter, exercise -> `Truth`."""
