"""What goes with what so closely that one leaves only the other: thirst and lemonade, a key and a lock.

A word of the table is determined where one of its cues is in the same sentence or in the one beside it.
"""

from __future__ import annotations

from bertviz_lite.world.events.tables import words

_TABLE = """
thirsty: drink water lemonade juice milk cocoa glass well
hungry: eat food feed sandwich soup bread meal supper dinner breakfast lunch cake bun kitchen
tired: sleep bed rest yawn lie pillow asleep
cold: warm coat glove scarf sock jumper shiver freeze
warm: cold coat blanket jumper stove
wet: rain dry towel umbrella puddle splash
dry: wet towel rain umbrella
dirty: wash soap mud bath clean
clean: wash soap dirty dust
ill: doctor medicine fever nurse hospital cough
dark: lamp candle light lantern match
hot: burn blow tongue cool
heavy: lift carry
light: heavy lift carry
broken: mend repair glue
open: close shut
shut: open
closed: open
locked: key unlock open
empty: fill full
full: empty fill
loud: ear quiet
quiet: noise loud
sour: lemon
sleep: tired bed yawn asleep awake wake medicine
asleep: tired bed wake noise sleep
eat: hungry
drink: thirsty
wash: dirty soap mud
read: book letter newspaper story glasses
swim: sea lake river water pond
hide: look find seek
write: pen letter pencil paper ink
lock: key
cut: knife scissors axe saw
lift: heavy
carry: heavy
sweep: broom dust
fly: wing nest
dig: spade hole
ring: bell
paint: brush painter picture paint
sew: needle thread button tailor
climb: ladder tree
mend: broken hole hammer nail
bake: oven baker cake bread flour
cry: tear
key: lock locked unlock
lock: key
nail: hammer
hammer: nail
needle: thread sew
thread: needle sew
stamp: letter envelope
letter: stamp envelope postman
envelope: stamp letter
umbrella: rain wet
rain: umbrella cloud
ladder: climb roof
doctor: ill fever medicine
medicine: ill fever cough doctor
soap: wash dirty
towel: dry wet
bed: sleep tired
ticket: train theatre
glasses: read see
bread: bakery baker butter
baker: bread bakery
bakery: bread bun baker
broom: sweep
pillow: head bed sleep
candle: match wax
spade: dig
knife: cut sharp
scissors: cut
axe: wood chop tree
brush: paint painter hair
wool: sheep knit
egg: hen nest
milk: cow
honey: bee beekeeper
nest: bird egg
bell: ring
library: book librarian
librarian: book library
book: read library librarian page
fire: smoke
snow: white melt sledge
ice: slip freeze melt skate
purse: coin money
money: buy pay bank purse
tooth: bite brush dentist
nurse: hospital bandage
teacher: lesson
school: lesson homework
fisher: fish net
net: fish
farmer: cow field barn
postman: letter
"""

CUES: dict[str, frozenset[str]] = {}
"""The cues of each word, by lemma."""
for _row in _TABLE.strip().splitlines():
    _word, _, _cues = _row.partition(": ")
    CUES[_word] = CUES.get(_word, frozenset()) | frozenset(words(_cues))
