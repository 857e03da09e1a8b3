"""What several experiments share: where they train, how they round and write numbers."""
