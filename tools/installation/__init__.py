"""What is installed and from where: the environment of `make`, the locks, a wheelhouse for a USB stick."""
