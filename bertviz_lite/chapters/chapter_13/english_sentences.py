"""Four small sets of English with known answers, written by hand.

``BANK`` holds 56 sentences with the word *bank*, by its sense: 16 matched pairs, in which it is at the same
place in a sentence of each sense, and 24 crossed ones, in which a word of the *other* sense is near.
``PAIRS`` holds 20 sentences, each with a second one in each of four known relations to it; ``EXCHANGED`` has
one word of each of them exchanged for one that means nearly the same, ``ANOTHER_THING`` for one that names
something else. ``TOWN_PAIRS`` is made as ``PAIRS`` is, of words that the pocket model has whole. ``TOLD_ON``
holds 16 beginnings of a story, each with a sentence that goes on with it.

The sets are small and by one author: read the intervals.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "ANOTHER_THING",
    "BANK",
    "EXCHANGED",
    "PAIRS",
    "RELATIONS",
    "SENSES",
    "TOLD_ON",
    "TOWN_PAIRS",
    "Occurrence",
    "ToldOn",
]

RELATIONS = ("same meaning", "denied", "same topic", "unrelated")
"""What a pair's second sentence is to the first; "unrelated" is the next pair's first sentence."""


class Occurrence(NamedTuple):
    """A sentence in which the word *bank* occurs once."""

    text: str
    sense: str
    """"river" or "money"."""
    crossed: bool
    """Whether a word that belongs to the other sense occurs in it too."""


_MATCHED = """
We had lunch on the bank of the river. | We went straight to the bank for a loan.
The bank was covered with reeds. | The bank was robbed by two masked men.
Grass grows along the muddy bank. | She works for a large bank as a cashier.
He swam across to the far bank. | He borrowed it all from the bank.
An angler sat on the bank all morning. | The cheque came from a bank in London.
The stream washed away the bank. | I changed dollars at the bank this morning.
The bank slopes gently down to the water. | The bank raised its interest rates again.
The left bank of the canal has a path. | The central bank printed more notes.
The flood rose until it covered the bank. | Her savings are safe with a large bank abroad.
Two frogs slid down the bank into the water. | They all asked the same bank for a mortgage.
She skipped stones from the bank of the lake. | He signed papers at the bank to get the loan.
This bank is steep and the water is deep. | This bank charges a fee for every transfer.
A canoe drifted towards the bank. | A clerk stole from the bank and was fired.
On the bank the cows came down to drink. | At the bank the interest on loans went up.
They camped on a sandy bank by the stream. | We paid interest to the bank for years.
The ferry takes you to the opposite bank. | You need two signatures to open a bank account.
"""
_CROSSED = """
The rich lender fished from the bank at dawn. | The bank beside the river was closed on Saturday.
She counted her money on the grassy bank. | The angler took his savings to the bank.
A wallet full of notes lay in the mud of the bank. | The stream of customers at the bank never stops.
The accountant moored his boat at the bank. | Water from the flood ruined the safe of the bank.
He paid the fee and stepped onto the bank. | She walked along the canal to ask the bank for credit.
The price of land along the bank has risen. | The bank lent him enough for a new canoe.
The robber hid in the reeds on the bank. | A bank that is drowning in debt gets no deposits.
They sold the meadow that slopes down to the bank. | The clerk swam before work and was at the bank by nine.
The cashier lay in the sun on the bank by the water. | The man who builds boats owes the bank a great deal.
Her purse fell from the bank into the current. | The captain asked the bank to finance his ship.
The investors walked along the bank of the Thames. | The bank sponsors a rowing race on the Thames.
The treasure was buried in the bank under a willow. | The ferry stops opposite the bank where I cash cheques.
"""

SENSES = ("river", "money")

BANK = tuple(
    Occurrence(text.strip(), sense, crossed)
    for block, crossed in ((_MATCHED, False), (_CROSSED, True))
    for line in block.strip().splitlines()
    for text, sense in zip(line.split("|"), SENSES, strict=True)
)
"""32 sentences in matched pairs, river before money; then 24 crossed ones, in turn."""

_PAIRS = """
The children are playing outside. | Kids are having fun in the open air.
    | The children are not playing outside. | The children have a new school.
He bought a second-hand car. | He got himself a used automobile.
    | He did not buy a second-hand car. | His car needs new tyres.
She speaks three languages. | She is fluent in a trio of tongues.
    | She does not speak three languages. | She teaches languages at a school.
The meeting was put off until Friday. | They moved the conference to the end of the week.
    | The meeting was not put off until Friday. | The meeting took place on the second floor.
It has been raining since noon. | Wet weather set in at midday and has stayed.
    | It has not been raining since noon. | Rain is good for the garden.
My brother is taller than I am. | I am shorter than my sibling.
    | My brother is not taller than I am. | My brother lives in the north.
The soup is too salty. | There is an excess of salt in the broth.
    | The soup is not too salty. | The soup was made with carrots.
They got married last summer. | Their wedding was in July of the previous year.
    | They did not get married last summer. | They invited eighty guests to their wedding.
The shop opens at nine. | You can start buying things there from nine o'clock.
    | The shop does not open at nine. | The shop sells paper and pens.
I lost my keys again. | Once more I cannot find what I need to unlock my door.
    | I did not lose my keys again. | My keys are made of brass.
The patient is recovering quickly. | The sick man is getting well fast.
    | The patient is not recovering quickly. | The patient shares a room with two others.
We ran out of petrol. | There was no fuel left in our tank.
    | We did not run out of petrol. | Petrol is sold at the corner.
The judge believed the witness. | The court trusted the person who testified.
    | The judge did not believe the witness. | The judge wore a black robe.
The lake is frozen. | Ice covers the water.
    | The lake is not frozen. | The lake is deep in the middle.
He apologised for being late. | He said sorry that he had not come on time.
    | He did not apologise for being late. | He was late because of the traffic.
The novel is based on a true story. | The book tells of things that really happened.
    | The novel is not based on a true story. | The novel has thirty chapters.
Smoking is forbidden here. | You must not light a cigarette in this place.
    | Smoking is not forbidden here. | Smoking costs a lot of money.
The plane landed safely. | The aircraft came down without harm.
    | The plane did not land safely. | The plane carries two hundred people.
Our neighbours have moved away. | The people next door no longer live there.
    | Our neighbours have not moved away. | Our neighbours have a large dog.
The exam was harder than I thought. | I had expected an easier test.
    | The exam was not harder than I thought. | The exam lasts for three hours.
"""


def _entries(block: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(text.strip() for text in entry.split("|")) for entry in re.split(r"\n(?=\S)", block.strip())
    )


PAIRS = _entries(_PAIRS)
"""20 times (sentence, same meaning in other words, denied, another statement on the same topic)."""

_TOWN_PAIRS = """
The bakery is open today. | Customers may come in and buy bread now.
    | The bakery is not open today. | The bakery sells cakes and biscuits.
The king is ill. | The man on the throne feels sick.
    | The king is not ill. | The king wears a golden crown.
The thief stole a painting. | A robber took one of the pictures.
    | The thief did not steal a painting. | The thief wore black gloves.
Her uncle is rich. | Her father's brother has a lot of money.
    | Her uncle is not rich. | Her uncle has a long nose.
The little dog is afraid. | Our puppy feels frightened.
    | The little dog is not afraid. | The little dog likes meat.
The lesson was easy. | It was simple to understand what we were taught.
    | The lesson was not easy. | The lesson begins at nine.
The boy lost his way. | A child no longer knew where to go.
    | The boy did not lose his way. | The boy has a red bicycle.
The soup is cold. | Nobody has warmed this meal.
    | The soup is not cold. | The soup was made with onions.
The river is deep. | Nobody can stand in that stream.
    | The river is not deep. | The river runs through two towns.
The carpenter got married in spring. | The man who makes tables had his wedding before summer.
    | The carpenter did not get married in spring. | The carpenter owns a workshop.
My grandmother sings well. | Mother's old mother has a beautiful voice.
    | My grandmother does not sing well. | My grandmother baked a cake.
The tea is too hot. | I would burn my tongue with this drink.
    | The tea is not too hot. | The tea cost very little.
The train arrived late. | An hour after its time, the engine and its wagons came in.
    | The train did not arrive late. | The train has eleven wagons.
He forgot his umbrella. | He left home without thinking of shelter from the rain.
    | He did not forget his umbrella. | His umbrella is black and large.
The farmer sold his horse. | A man from the fields gave up his pony for money.
    | The farmer did not sell his horse. | The farmer gets up at six.
The window is shut. | The glass is closed, so no wind comes into the room.
    | The window is not shut. | The window is near the bed.
The story is true. | All that he tells us really happened.
    | The story is not true. | The story is twenty pages long.
The mayor trusts the clerk. | The first man of the town believes what his writer says.
    | The mayor does not trust the clerk. | The mayor has grey hair.
The twins are hungry. | Two sisters want something to eat.
    | The twins are not hungry. | The twins wear the same dress.
The visitors have gone. | Our guests left.
    | The visitors have not gone. | The visitors have brought flowers.
"""

TOWN_PAIRS = _entries(_TOWN_PAIRS)
"""The same, 20 times, in words that the pocket model and all-MiniLM-L6-v2 both have whole."""

_EXCHANGED = """
outside outdoors | car automobile | languages tongues | until till | noon midday | brother sibling
soup broth | married wed | shop store | lost mislaid | quickly fast | petrol fuel | believed trusted
frozen icebound | late tardy | novel book | forbidden prohibited | plane aircraft | away elsewhere | exam test
"""

_ANOTHER_THING = """
children soldiers | car horse | languages sentences | meeting wedding | raining snowing | brother tree
soup sea | married robbed | shop museum | keys dog | patient economy | petrol bread | witness doctor
lake pizza | late rude | novel opera | Smoking Fishing | plane cat | neighbours birds | exam mattress
"""


def _exchanged(block: str) -> tuple[str, ...]:
    words = [pair.split() for pair in re.split(r"[|\n]", block.strip())]
    return tuple(entry[0].replace(*pair) for entry, pair in zip(PAIRS, words, strict=True))


ANOTHER_THING = _exchanged(_ANOTHER_THING)
"""The first sentence of each of ``PAIRS`` with one word exchanged for one that names something else."""

EXCHANGED = _exchanged(_EXCHANGED)
"""The first sentence of each of ``PAIRS`` with one word exchanged for a near synonym."""


class ToldOn(NamedTuple):
    """A beginning of a story, and the sentence that comes next."""

    first: str
    second: str
    other_tense: str
    """The second one in the other tense, all else the same."""
    name: str
    """Who is named in both."""
    stranger: str
    """A name of the same gender that is in neither."""


_TOLD_ON = """
Anna Julia | Anna lost her key in the park. She looked for it all day.
    | In the end Anna found it under a tree. | In the end Anna finds it under a tree.
Tom Robert | Tom baked a cake for his mother. He put it on the table.
    | Then Tom called her into the kitchen. | Then Tom calls her into the kitchen.
Maria Helen | Maria heard a noise in the garden. She was afraid.
    | But Maria took a lamp and went outside. | But Maria takes a lamp and goes outside.
Peter Henry | Peter wanted a new bicycle. He worked all summer.
    | In autumn Peter had enough money. | In autumn Peter has enough money.
Emma Rosa | Emma was ill and stayed in bed. She read a long book.
    | After a week Emma went back to school. | After a week Emma goes back to school.
David George | David forgot his umbrella. It rained all morning.
    | At noon David came home with wet shoes. | At noon David comes home with wet shoes.
Laura Alice | Laura found a small dog near the station. It was hungry.
    | So Laura gave it some of her bread. | So Laura gives it some of her bread.
Paul Victor | Paul painted the door of his house. He chose blue.
    | Now Paul saw that the walls looked grey. | Now Paul sees that the walls look grey.
Sarah Kate | Sarah missed the last bus. It was late and cold.
    | So Sarah walked to her sister's house. | So Sarah walks to her sister's house.
Max Oscar | Max broke a cup in the kitchen. Nobody was at home.
    | But Max told his father in the evening. | But Max tells his father in the evening.
Lucy Martha | Lucy planted beans behind the house. She watered them.
    | Every morning Lucy counted the leaves. | Every morning Lucy counts the leaves.
Simon Daniel | Simon met an old friend at the market. They talked.
    | Then Simon invited him to dinner. | Then Simon invites him to dinner.
Clara Eva | Clara wrote a letter to her aunt. She had good news.
    | On her way to work Clara posted it. | On her way to work Clara posts it.
Frank Albert | Frank wanted to swim, but the lake was frozen.
    | So Frank fetched his skates from the house. | So Frank fetches his skates from the house.
Nina Mary | Nina could not open the jar. She tried a knife.
    | At last Nina asked her neighbour for help. | At last Nina asks her neighbour for help.
Jack Walter | Jack fell from a ladder. His leg hurt.
    | His wife took Jack to a doctor. | His wife takes Jack to a doctor.
"""


def _told_on() -> tuple[ToldOn, ...]:
    entries = (re.split(r"\s*\|\s*", entry) for entry in re.split(r"\n(?=\S)", _TOLD_ON.strip()))
    return tuple(ToldOn(*texts, *names.split()) for names, *texts in entries)


TOLD_ON = _told_on()
"""16 small stories, all in the past, each of which names one person, in both of its parts."""
