"""What a visitor meets before the course is installed: the README, its picture, the copies for Colab."""
