"""Tests of world.chinese."""
