"""What the town knows: tables of causes and effects, facts, talk and small stories, and how they are read."""
