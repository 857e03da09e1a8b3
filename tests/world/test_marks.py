"""Stories shown with who is who and which sense is meant."""

from html.parser import HTMLParser

from bertviz_lite.world import Sentence, Story, Word, stories
from bertviz_lite.world.events.marked_text import marked


class Text(HTMLParser):
    """The text of HTML, subscripts in parentheses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags = "", set()
        self.feed(html.partition("<figcaption>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.text += "(" if tag == "sub" else ""

    def handle_endtag(self, tag: str) -> None:
        self.text += ")" if tag == "sub" else ""

    def handle_data(self, data: str) -> None:
        self.text += data


def story_of(*words: Word) -> Story:
    return Story(0, 0, (Sentence(words),))


def test_a_person_mentioned_more_than_once_has_a_number() -> None:
    story = story_of(
        Word("Ada", "Ada", "PROPN", 0, 0, entity=7),
        Word("lost", "lose", "VERB", 1, 0),
        Word("her", "her", "PRON", 2, 0, entity=7),
        Word("key", "key", "NOUN", 3, 0, entity=2),
        Word(".", ".", "PUNCT", 4, 0, glued=True),
    )
    assert repr(marked(story)) == "Ada(7) lost her(7) key."


def test_a_name_of_two_words_is_one_mention() -> None:
    story = story_of(
        Word("Hill", "Hill", "PROPN", 0, 0, entity=1),
        Word("Street", "Street", "PROPN", 1, 0, entity=1),
        Word("rang", "ring", "VERB", 2, 0, sense="ring.sound"),
    )
    assert repr(marked(story)) == "Hill Street rang [sound]"


def test_html_says_the_same_without_colour_script_or_style_sheet() -> None:
    for story in stories(3, 20):
        shown = Text(marked(story)._repr_html_())
        assert shown.text == repr(marked(story))
        assert shown.tags <= {"figure", "p", "span", "sub", "b"}


def test_hostile_words_are_text() -> None:
    story = story_of(Word("</p><script>alert(1)</script>", "x", "NOUN", 0, 0, entity=1, sense="x.<b>"))
    html = marked(story)._repr_html_()
    assert "<script" not in html
    assert "&lt;b&gt;" in html
