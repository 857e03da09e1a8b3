"""The figures of chapter 09: how they are drawn, and with which titles and alt texts."""
