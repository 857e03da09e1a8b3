"""Where people, animals and things of a scene may be: prepositions, and the nouns that may follow them."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words

SPOTS = {
    "near": words(
        "box gate window door tree table chair bench fence wall lamp flower stone house bed clock basket"
    ),
    "on": words("table shelf chair wall roof bed desk bench floor tray plate sofa"),
    "under": words("table bed tree bench chair desk bridge shelf blanket"),
    "in": words("box kitchen room house basket garden cupboard bag drawer barn cellar shop hall"),
    "of": words("farmer baker teacher boy girl neighbour woman man king queen child doctor twin sailor"),
    "from": words("farm village market shop town city island forest harbour garden"),
}
PEOPLE_SPOTS = {
    "near": words("gate window door tree bench bridge house fence lake pond stable wall shop"),
    "in": words("garden kitchen park shop house street field room barn hall boat school yard"),
    "on": words("bridge bench beach hill road horse cart ladder swing"),
    "with": words(
        "hat coat scarf basket bag drum dog umbrella ball suitcase flower book kite bicycle bucket cat"
    ),
    "from": words("village town city island farm castle bakery school"),
}
MASS_SPOTS = {
    "on": words("table shelf tray stove"),
    "in": words("kitchen cup bowl pot bottle jug glass cupboard"),
    "from": words("farm village market shop bakery"),
}
ANIMAL_SPOTS = {
    "near": words("pond barn tree gate river house fence wall well"),
    "in": words("garden field forest barn stable yard tree meadow park"),
    "on": words("roof hill wall fence island farm"),
    "under": words("table bed tree bench bush cart"),
    "of": words("farmer neighbour baker twin girl boy king woman man"),
}
