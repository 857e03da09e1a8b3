"""What only chapter 00 needs: the jobs of the town, and its exercises."""
