"""What the town knows, and what it tells: texts whose every word carries the truth about itself."""

from bertviz_lite.world.life.stories import story, text
from bertviz_lite.world.life.vocabulary import words

__all__ = ["story", "text", "words"]
