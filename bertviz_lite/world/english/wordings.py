"""What may be said of each kind of event, in English: several wordings each.

The notation is explained in ``notation``. A kind of event stands at the margin, its wordings stand below it.
Each must go with the roles and facts that an event of its kind has (``episodes`` and ``plot``).

Left out: when a wording is told (``teller``), and the constructions of frames (``constructions``).

>>> WORDINGS["thank"][0]
Frame(verb='thank', rest='[B.o]', object='', passive_rest='')
>>> WORDINGS["thank"][2]
Line(name='for', text='[A] <thank> [B.o] for [B.p] help')
"""

from __future__ import annotations

from bertviz_lite.world.english.notation import Frame, Line, wording

_TEXT = """
weather
  time_place: It <be.sg> a $weather $time in $season
  fronted: On $day the weather <be.sg> $weather
  it_weather: It <be.sg> $day , and the $time <be.sg> $weather
  what_exclaim: What a $weather $time it <be.sg> !
  there: There <be.sg> a $weather sky above the town that $time
  one_day: It <be.sg> $season , and every day <be.sg> $weather
at
  simple: [A] <be!> [P.at]
  fronted: One $time [A] <be!> [P.at]
  fronted: On $day [A] <walk> [P.to]
  progressive: [A] <be!> <sit.ing> [P.at]
  progressive: [A] <be!> <wait.ing> [P.at]
  progressive: Early that $time [A] <be!> <stand.ing> [P.at]
  spend: [A] <spend> the whole $time [P.at]
  when: When [A] <come> [P.to] , nobody <be.sg> there
live
  simple: [A] <live> in [H]
  from: [A] <come> from [H]
  whose: [A.n] , whose home <be.sg> in [H] , <know> everybody
  house: [A.np] house <be.sg> in [H]
kin
  kin: [B] <be!> [A.np] $kin
  kin: [A.n] <have> a $kin called [B.n]
  love: [A] <love> [A.p!] $kin [B.n]
  live_with: [A] <live> with [A.p!] $kin [B.n]
friends
  friends: [A.n] and [B.n] <be@G!> good friends
  each_other: [A.n] and [B.n] <like@G> each other
  both: Both [A.n] and [B.n] <like@G> $hobby
  reciprocal: [A.n] and [B.n] always <help@G> each other
like
  gerund: [A] <like> $hobby
  more_than: [A] <like> $hobby more than anything
  favourite: [A.np] favourite game <be.sg> $hobby
  good_at: [A] <be!> good at $hobby
  never_tired: [A] <be!> never tired of $hobby
come_back
  A|return|to the town
  A|come|home
  A|go|home
  simple: [A] <walk> slowly home
meet
  A|meet|[B.o] [P.at]
  saw_ing: [A] <see> [B.o] <come.ing> along the road
  where: [A] <find> [B.o] [P.at] , where [B.he!] <be@B!> <sit.ing> alone
  there: There [A] <meet> [B.o]
greet
  quote: " Hello ! " <say@B> [B.n]
  quote_how: " Good $time , [A.n] , " <say@B> [B.n]
  wave: [A] <wave:hand> to [B.o]
  wave_hand: [A] <greet> [B.o] with a wave.hand of [A.his!] hand
need_hungry
  so: [A] <be!> hungry! , so [A.he!] <eat!> [T]
  because: [A] <eat!> [T] because [A.he!] <be!> hungry!
  so_that: [A] <be!> so hungry! that [A.he!] <eat!> [T] at once
  until: [A] <eat!> [T] until [A.he!] <be!> no longer hungry!
  two: [A] <have> no breakfast and <be!> hungry! , and so [A.he!] <eat!> [T]
need_thirsty
  so: [A] <be!> thirsty! , so [A.he!] <drink!> [T]
  because: [A] <drink!> [T] because [A.he!] <be!> thirsty!
  so_that: [A] <be!> so thirsty! that [A.he!] <drink!> [T] at once
  until: [A] <drink!> [T] until [A.he!] <be!> no longer thirsty!
need_tired
  so: [A] <be!> tired! , so [A.he!] <sleep!> for an hour
  because: [A] <sleep!> on the sofa because [A.he!] <be!> tired!
  too_to: [A] <be!> too tired! to play , so [A.he!] <sleep!> a little
  so_that: [A] <be!> so tired! that [A.he!] <sleep!> until the evening
need_cold
  so: [A] <be!> cold! , so [A.he!] <wear!> a warm $warm
  because: [A] <wear!> a thick $warm because [A.he!] <be!> cold!
  without: Without [A.his!] $warm [A.he!] <be!> cold! , so [A.he!] <wear!> it
need_wet
  so: [A] <be!> wet! , so [A.he!] <dry!> [A.self!] with a towel
  because: [A] <dry!> [A.self!] with a soft towel because [A.he!] <be!> wet!
  from: [A] <be!> wet! from the rain , so [A.he!] <dry!> [A.self!]
need_dirty
  so: [A] <be!> dirty! , so [A.he!] <wash!> [A.self!] with soap
  because: [A] <wash!> [A.self!] at the well because [A.he!] <be!> dirty!
  from: [A] <be!> dirty! from the mud , so [A.he!] <wash!> [A.self!]
need_ill
  so: [A] <be!> ill! , so [A.he!] <take> some! medicine!
  because: [A] <stay> in bed and <take> medicine! because [A.he!] <be!> ill!
need_hot
  so: [A] <be!> hot! , so [A.he!] <swim!> in the lake
  because: [A] <swim!> in the cool lake because [A.he!] <be!> hot!
need_frightened
  so: [A] <be!> frightened! by the thunder , so [A.he!] <hide!> under the bed
  because: [A] <hide!> under the table because [A.he!] <be!> frightened!
need_bored
  so: [A] <be!> bored! , so [A.he!] <read!> an old book
  because: [A] <read!> three books because [A.he!] <be!> bored!
need_lonely
  so: [A] <be!> lonely! , so [A.he!] <visit!> a friend
  because: [A] <visit!> an old friend because [A.he!] <be!> lonely!
find
  A|find|[T] [C.rel]|T|[C.rel]
  A|discover|[T] [C.rel]|T|[C.rel]
  surprise: To [A.p] surprise there <be@T!> [T] [C.rel]
  quote: " Look what is here ! " <say> [A.n] , and [A.he!] <pull> [T] out
put
  A|put|[T] [C.rel]|T|[C.rel]
  A|lay|[T] [C.rel]|T|[C.rel]
  A|leave|[T] [C.rel]|T|[C.rel]
give
  A|give|[T.the!] to [B.o]|T|to [B.o]
  A|hand|[T.the!] to [B.o]|T|to [B.o]
  A|pass|[T.the!] to [B.o]|T|to [B.o]
  hold_out: [A] <hold> out [T.the!] , and [B] <take@B> [T.him]
give_present
  A|give|[T.the!] to [B.o]|T|to [B.o]
  A|offer|[T.the!] to [B.o] as a present|T|to [B.o] as a present
  quote: " This is for you , [B.n] , " <say> [A.n] and <give> [B.o] [T.the!]
  surprise: It <be.sg> a surprise when [B] <get@B> [T.the!] from [A.o]
give_back
  A|give|[T.the!] back to [B.o]|T|back to [B.o]
  A|return|[T.the!] to [B.o]|T|to [B.o]
  A|bring|[T.the!] back to [B.o]|T|back to [B.o]
  glad: [B] <be@B!> glad to get [T.the!] back
enjoy
  of: [A] <take> good care of [T.the!]
  look_at: [A] <look> at [T.the!] for a long time
  hold: [A] <hold> [T.the!] tightly in [A.p!] hand
  think: All day long [A] <think> about [T.the!]
  polish: [A] <polish> [T.the!] with a cloth
  show: [A] <show> [T.the!] to [B.o]
  about: Everybody <talk.sg> about [T.the!]
  whose: [A] <ask> [B.o] where [T.the!] <come@T> from
thank
  A|thank|[B.o]
  quote: " Thank you , [B.n] , " <say> [A.n]
  for: [A] <thank> [B.o] for [B.p] help
  reported: [A] <say> that [B] <be@B!> very kind
  kindness: [A] never <forget> [B.np] kindness
describe
  be_adj: [T.the!] <be!> $look
  be_and: [T.the!] <be!> $look and $other_look
  how: How $look [T.the!] <be!> !
  not_adj: [T.the!] <be!> not $this but $that
near
  attractor: [T.the] beside [U] <be@T!> $look
  attractor: [T.the] under [U] <be@T!> $look
  attractor: [T.the] near [U] <have@T!> been there all day
  attractor: [T.the] behind [U] <be@T!> very $look
among
  attractor: [A.d] with [U] <be@A!> $mood
  attractor: [A.d] beside [U] <have@A!> been there for an hour
  attractor: [A.d] behind [U] <be@A!> <sing.ing> a song
mood
  be_adj: [A] <be!> $mood
  very: [A] <be!> very $mood
  made: This <make.sg> [A.o] $mood
  how: How $mood [A] <be!> !
  never_so: [A] <have!> never been so $mood
lose
  A|lose|[T] [P.at]|T|[P.at]
  own: [A] <have> lost [A.p!] own $T.thing
  that: [A] <say> that [A.he!] <have!> lost [T]
  cannot: [A] <can> not find [T] anywhere
  gone: When [A] <open> [A.p] bag , [T.the] <be@T!> gone
search
  look_for: [A] <look> for [T.the!] everywhere
  neither: [T.the] <be@T!> neither in the garden nor in the house
  even: [A] even <look> behind the clock and under the stairs
  wonder: [A] <wonder> where [T.the!] <be@T!>
  quote: " Where is my $T.noun ? " <ask> [A.n]
  help: [A] <ask> [B.o] to look for [T.the!]
  asked_if: [A] <ask> [B.o] whether [B.he!] <have@B!> seen [T.the!]
  nobody: Nobody <have.sg> seen [T.the!]
search_with
  reciprocal: [A.n] and [B.n] <look@G> for [T.the!] together
  while: While [A] <look> under the table , [B] <look@B> behind the door
  all: [G.he] both <look@G> for [T.the!] all $time
break
  passive_verb: Suddenly [T] <fall> down and <be!> broken
  crash: [A] <drop> [T] , and there <be.sg> a loud crash
  but: [A] <want> to use [T] , but [T.he!] <be@T!> broken
  accident: By accident [A] <break> [T]
mend
  A|mend|[T.the!] with $tool|T|with $tool
  A|repair|[T.the!] in the workshop|T|in the workshop
  because: [A] <can> mend [T.the!] because [A.he!] <be!> clever
  took: It <take.sg> [A.o] an hour to mend [T.the!]
as_new
  as_as: Now [T.the!] <be!> as good as new
  like: [T.the!] <be!> like new again
pay
  gold: [A] <give> [B.o] a gold coin
  A|pay|[B.o] two silver coins
  A|give|[B.o] some money
  not_want: [B] <do@B> not want any money
  for: [A] <pay> [B.o] for [B.p] work
buy
  A|buy|[T] [P.at]|T|[P.at]
  A|choose|[T] [P.at]|T|[P.at]
  cost: [A] <buy> [T] for only three coins [P.at]
  purpose: [A] <spend> all [A.p] money to buy [T]
sell
  A|sell|[T.the!] to [B.o]|T|to [B.o]
  bought: [B] <buy@B> [T.the!] from [A.o] for five coins
wish
  would_like: [A] <want> a present for [B.o]
  birthday: It <be.sg> [B.np] birthday
  tomorrow: The next day <be.sg> [B.np] birthday
  if: If [A.he] <have> enough money , [A.n] <will> buy a present for [B.o]
wrap
  A|wrap|[T.the!] in $colour paper|T|in $colour paper
  tie: [A] <tie> a $colour ribbon around [T.the!]
unwrap
  A|unwrap|[T.the!] carefully|T|carefully
  open: [A] <open> the paper , and there <be@T!> [T.the!]
  untie: [A] <untie> the string and <unwrap> [T.the!]
  unopened: [A] <can> not leave the present unopened
make
  A|make|[T] for [B.o]|T|for [B.o]
  out_of: Out of wood and string [A] <make> [T]
  self: [A] <have> made [T] all by [A.self!]
  myself: " I made it myself , " <say> [A.n]
alone
  reflexive: [A] <hurt> [A.self!] with $tool
  reflexive: [A] <cut> [A.self!] on a sharp stone
  reflexive: [A] <look> at [A.self!] in the mirror
  reflexive: [A] <be!> proud of [A.self!]
  reflexive: [A] <laugh> at [A.self!]
  reflexive: [A] <say> to [A.self!] that everything <will.sg> be well
  reflexive: [A] <teach> [A.self!] a new song
  reflexive: [A] <buy> [A.self!] a muffin
  reflexive: [A] <ask> [A.self!] why the town <be.sg> so quiet
rain
  it_rain: Suddenly it <begin.sg> to rain
  there: There <be.sg> thunder and lightning
  clouds: Dark clouds <hang.pl> over the town
  while: While [A] <be!> [P.at] , it <begin.sg> to rain
shelter
  A|run|under a big tree
  A|wait|under the roof of the barn
  until: [A] <wait> inside until the rain <stop.sg>
umbrella
  purpose: [A] <open> [A.p] umbrella to stay dry
  because: [A] <open> a big umbrella because it <be.sg> <rain.ing>
  share: [A] and [B] <share@G> one umbrella
rainbow
  after: After the rain there <be.sg> a rainbow above the $where
  saw: Then [A] <see> a rainbow in the sky
  soon: Soon the sun <shine.sg> again
animal_in
  there: There <be@X!> [X] [P.at]
  saw: [A] <see> [X] [P.at]
  saw_ing: [A] <see> [X] <run.ing> through the grass
  heard: Something <move.sg> in the grass , and it <be.sg> [X]
  behind: Behind a bush [A] <find> [X]
animal_do
  look: [X.the] <look> at [A.o]
  eat: [X.the] <eat> some leaves and berries
  drink: [X.the] <drink> from a puddle
  listen: [X.the] <listen> to every sound
  sleep: [X.the] <be!> asleep under a tree
  have: [X.the] <have> soft fur and bright eyes
  not_afraid: [X.the] <be!> not afraid of [A.o]
  young: [X.the] <have> two young ones
feed
  A|feed|[X.the] with some bread|X|with some bread
  A|give|[X.the] a carrot|X|a carrot
  A|bring|[X.the] a bowl of milk|X|a bowl of milk
animal_hurt
  hurt: [X.the!] <have!> hurt its leg
  bandage: [A] <put> a bandage around its leg
help_animal
  A|help|[X.the!]|X|
  safe: Soon [X.the!] <be!> well again
  passive: [X.the!] <be!> washed and fed by [A.o]
animal_leave
  away: Then [X.the!] <go> back to the forest
  gone: The next morning [X.the!] <be!> gone
  run: At last [X.the!] <run> away into the bushes
pet_gone
  ran: [D] <run> after a $small and <do> not come back
  gone: When [A] <come> home , [D] <be@D!> gone
  jump: [D] <jump> over the fence and <run> away
  nowhere: [D] <be!> nowhere in the house
  open: The gate <be.sg> open , and [D] <be@D!> not in the yard
pet_home
  chase: [D] <chase> a $small around the house
  sleep: [D] <sleep> on a cushion near the oven
  follow: [D] <follow> [A.o] everywhere
  beg: [D] <beg> for a piece of cheese
  play: [D] <play> with a ball of wool
  wet: [D] <shake> the water out of [D.p!] fur
pet_search
  call: [A] <call> [D.o] again and again
  look: [A] <look> for [D.o] all over the town
  posters: [A] <put> a poster on every tree
  ask: [A] <ask> everybody in the street about [D.o]
  afraid: [A] <be!> afraid that [D] <be@D!> lost
pet_found
  A|find|[D] [C.rel]|D|[C.rel]
  hug: [A] <be!> so glad that [A.he!] <hug> [D.o]
  there: [D] <have!> been [C.rel] the whole time
  hear: Then [A] <hear> a noise , and [D] <be@D!> [C.rel]
  tail: [D] <come> out with leaves on [D.p!] tail
pet_care
  A|brush|[D.o] every morning|D|every morning
  A|feed|[D.o]|D|
  walk: [A] <take> [D.o] for a walk along the river
  stroke: [A] <stroke> [D.p!] soft ears
recipe
  need: For the $dish [A] <need> flour , sugar and two eggs
  no: There <be.sg> no milk in the kitchen
  let_us: " Let us bake a $dish , " <say> [A.n]
  want: [A] <want> to bake a $dish for the party
fetch
  A|fetch|some milk from the farm
  A|borrow|two eggs from [B.o]
  send: [A] <send> [B.o] to the shop for some butter
stir
  A|stir|the dough with a big spoon
  A|put|the $dish into the hot oven
  smell: Soon there <be.sg> a sweet smell in the kitchen
  taste: [A] <taste> the dough and <add> some honey
share_food
  A|cut|the $dish into six pieces
  share: [A] and [B] <eat@G> the whole $dish
  nothing: Soon nothing <be.sg> left of the $dish but crumbs
  taste: The $dish <taste.sg> sweet and delicious
  best: It <be.sg> the best $dish in the whole town
write
  A|write|a long letter.mail to [B.o]
  A|send|a letter.mail to [B.o]
  dear: " Dear [B.n] , please visit us soon , " <write> [A.n]
  that: In [A.p] letter.mail [A] <write> that [A.he!] <be!> well
post
  A|take|the letter.mail to the station
  A|put|a stamp on the letter.mail
  post: The letter.mail <be.sg> in the postman 's bag the next morning
get_letter
  get: Two days later [B] <get@B> the letter.mail
  read: [B] <open@B> the envelope and <read@B> the letter.mail twice
  answer: [B] <answer@B> the letter.mail at once
  keep: [B] <keep@B> the letter.mail under [B.p] pillow
plant
  A|plant|some seeds in the garden
  A|plant|some $fruit along the fence
  water: Every evening [A] <water> the seeds
  weed: [A] <pull> out the weeds between the rows
grow
  grow: Three weeks later the first leaves <be.pl> there
  taller: The $plant <be.sg> taller than [A.n]
  ripe: At last the $fruit <be.pl> ripe
harvest
  A|pick|a basketful of $fruit
  all: All the $fruit <be.pl> sweet , and none <be.pl> sour
  some: Some of the $fruit <be.pl> still unripe
  share: [A] <give> half of the $fruit to [B.o]
race
  who: " Who is faster ? " <ask> [A.n]
  race: [A.n] and [B.n] <run@G> a race from the $where to the bridge
  agree: [A.n] and [B.n] <agree@G> to run a race to the $where
race_start
  start: At the start [B] <be@B!> a little faster than [A.o]
  half: After half of the way [B] <be@B!> tired
  crowd: Their friends <shout.pl> and <clap.pl> loudly
  dust: [G.he] <run@G> so fast that dust <fly.sg> up behind them
win
  comparative: [A.n] <be!> faster than [B.n]
  superlative: [A.n] <be!> the fastest runner in the town
  A|win|the race|R|
  medal: [A] <get> a medal made of gold
  not_so: [B.n] <be@B!> not as fast as [A.n]
lost_race
  not_sad: [B] <be@B!> not sad , because it <be.sg> only a game
  next: " Next time I will win , " <say> [B.n]
  although: Although [B] <have@B!> lost , [B.he!] <be@B!> cheerful
compare
  comparative: [T.the] <be!> bigger than [U.the]
  comparative: [T.the] <be!> heavier than [U.the]
  as_as: [T.the] <be!> as old as [U.the]
  prettier: [A] <like> [T.the] better than [U.the]
  cheaper: [T.the] <be!> cheaper than [U.the]
compare_people
  comparative: [A.n] <be!> $quality.er than [B.n]
  as_as: [B.n] <be@B!> not as $quality as [A.n]
  superlative: Of all the children [A] <be!> the $quality.est
hide
  game: [A.n] and [B.n] <play@G> hide-and-seek [P.at]
  want: [A.n] and [B.n] <want@G> to play hide-and-seek
  let_us: " Let us play hide-and-seek , " <say> [A.n]
hide_spot
  count: While [A] <count> to twenty , [B] <hide@B> [C.rel]
  simple: [B] <hide@B> [C.rel]
seek
  look: [A] <look> behind every tree and under every bush
  found: At last [A] <find> [B.o] [C.rel]
  hear: [A] <hear> [B.o] <laugh.ing> [C.rel]
  turn: " Now it is my turn , " <say> [B.n]
build
  A|build|[T] behind the house|T|behind the house
  A|build|[T] out of old wood|T|out of old wood
  help: [B] <help@B> [A.o] to build [T]
build_work
  saw: [A] <saw> the planks and <carry> them into the garden
  hold: While [A] <hold> the wood , [B] <strike@B> the nails.metal with a hammer
  hard: It <be.sg> hard work , but [G.he] <be@G!> cheerful
  so: The ladder <be.sg> too short , so [A] <fetch> a longer one
swap
  for: [A] <swap> [T.the] with [B.o] for [U]
  give: [A.n] <give> [B.o] [T.the] , and [B.n] <give@B> [A.o] [U]
  exchange: In exchange for [T.the] [A] <get> [U] from [B.o]
swap_now
  now: Now [T.the] <be!> [B.np] , and [U.the] <be@U!> [A.np]
  glad: [B] <be@B!> glad about [T.the] , and [A] about [U.the]
  rather: [A] <like> [U.the] rather more than [T.the]
both_happy
  both: Both of them <be@G> happy
  neither: Neither [A.n] nor [B.n] <be.sg> sad any more
  together: [G.he] <laugh@G> and <sing@G> together
  hand: [A.n] and [B.n] <walk@G> home hand in hand
quarrel
  both_want: Both [A.n] and [B.n] <want@G> [T.the!]
  mine: " It is mine ! " <say> [A.n]
  angry: [A] <be!> angry with [B.o]
  unkind: [B] <say@B> something unkind
  cry: [A] <begin> to cry
sorry
  sorry: [B] <say@B> that [B.he!] <be@B!> sorry
  quote: " I am sorry , " <say@B> [B.n]
  forgive: [A] <forgive> [B.o] at once
  share: So [G.he] <play@G> with [T.the!] together
  turns: From then on each of them <have.sg> a turn
visit
  A|visit|[B.o] in [H]
  every: Every $day [A] <visit> [B.o]
  bring: [A] <bring> [B.o] a basket of $fruit
  glad: [B] <be@B!> glad to see [A.o]
tell_story
  tell: [B] <tell@B> [A.o] a story about $hero
  begin: " Once there was $hero , " <begin@B> [B.n]
  long_ago: The story <be.sg> about $hero who <live.sg> in a castle
  promise: [B] <promise@B> [A.o] a story , and it <be.sg> about $hero
story_end
  end: The end of the story <be.sg> sad , but [A] <love> it
  asked: [A] <ask> [B.o] to tell it once more
  laugh: The story <be.sg> so funny that [A] <can> not stop laughing
  asleep: Before the end of the story [A] <be!> asleep
  quote: " Tell me another one , " <say> [A.n]
help
  A|help|[B.o]|B|
  ask: [B] <ask@B> [A.o] to help [B.him!]
  offer: " May I help you ? " <ask> [A.n]
  told: [B] <tell@B> [A.o] to carry the bags
  let: [A] <let> [B.o] rest and <do> the work alone
tidy
  untidy: [A.np] room <be.sg> untidy
  must: [A] <must> tidy the room before supper
  put: [A] <put> the toys into the box and the books on the shelf
  sweep: [A] <sweep> the floor with a broom
  clean: At last everything <be.sg> clean
pictures
  A|paint|a picture of $hero
  A|draw|a $small with a pencil
  hang: The picture <be.sg> on the wall above the sofa
  colours: For the sky [A] <use> blue paint , and for the sun yellow paint
sing
  A|sing|an old song
  A|play|a tune on the $music
  dance: Everybody <dance.sg> when [A] <play> the $music
  listen: [B] <listen@B> to the music with shut eyes
  learn: [A] <have!> learned the tune from [B.o]
school
  A|read|a story to the class
  answer: [A] <know> the answer to every question
  homework: [A] <forget> [A.p!] homework
  teacher: The teacher <tell.sg> [A.o] to read the first page aloud
travel
  A|ride|to the village on a bicycle
  A|take|the early train to the sea
  never: [A] <have!> never been so far away from home
  ticket: [A] <buy> a ticket at the station
  used_to: [A] <use> to travel by ship
dream
  dream: That night [A] <dream> of $hero
  dreamed: In [A.p] dream [A] <can> fly like a bird
  wake: The next morning [A] <wake> up early
  think: Before [A] <go> to sleep , [A.he!] <think> of [B.o]
night
  moon: The moon <rise.sg> over the hill
  stars: The stars <be.pl> bright that night
  everyone: Everybody in the town <be.sg> asleep
  silence: There <be.sg> silence in the streets
end
  happy: So the day <have.sg> a happy end
  never: [A] never <forget> that day
  supper: In the evening [A] <go> home to supper
  good_day: " What a wonderful day ! " <say> [A.n]
  best: It <be.sg> the best day of the whole year
  asleep: Soon [A] <be!> asleep in [A.p!] bed
  tell_all: At supper [A] <tell> the whole story to [A.p!] family
  hope: [A] <hope> that tomorrow <will.sg> be as good as today
  smile: [A] <smile> to [A.self!]
  if: If it rains tomorrow , [A] <will> stay at home and read
end_both
  promise: [A] <promise> [B.o] to come again
  since: Since then [A.n] and [B.n] <have@G!> been good friends
  thanked: [A] <be!> thankful for a friend like [B.n]
  hand: [A.n] and [B.n] <walk@G> home together
  happy: [A.n] and [B.n] <be@G!> both very happy
  they: [G.he] <have@G> a lot of fun that day
  were: [A.n] and [B.n] <be@G!> good friends for ever
work_baker
  A|bake|six loaves of fresh bread
  A|knead|the dough for the muffins
  A|sell|warm bread to the customers
work_teacher
  A|teach|the children a poem
  A|write|a long word on the wall
  A|read|aloud to the class
work_doctor
  A|look|at a sore throat
  A|visit|a child who <be.sg> ill
work_builder
  A|build|a wall of stone
  A|carry|bricks up the ladder
work_gardener
  A|plant|roses along the path
  A|cut|the grass and the bushes
work_farmer
  A|feed|the cows and the pigs
  A|milk|the goats before breakfast
  A|drive|the sheep into the barn
work_painter
  A|paint|the door of the shop green
  A|mix|yellow and blue paint
work_fisher
  A|catch|three fish with a net
  A|mend|the holes in the net
work_singer
  A|sing|a slow song in the theatre
  A|practise|a new song
work_carpenter
  A|make|four chairs and a table
  A|polish|a wooden bench
work_sailor
  A|wash|the deck of the ship
  A|climb|to the top of the mast
work_postman
  A|carry|a heavy bag from house to house
  A|bring|postcards and parcels to everybody
work_dancer
  A|dance|on the stage of the theatre
  A|practise|in front of a mirror
work_driver
  A|drive|the bus over the bridge
  A|wait|for the last train
work_nurse
  A|put|bandages on a knee
  A|bring|tea and soup to the beds
work_librarian
  A|put|the returned books back on the shelf
  A|read|every book about ships
work_cook
  A|boil|a pot of soup
  A|chop|onions and carrots
work_tailor
  A|sew|a $colour dress
  A|measure|the sleeves of a coat
work_writer
  A|write|ten pages of a new book
  A|think|about the end of a story
work_beekeeper
  A|fill|twelve jars with honey
  A|look|after the bees
work_miller
  A|carry|sacks of flour
  A|wait|for the wind to turn the mill
sense_bank_river
  simple: [A] <sit> on the bank.river of the river and <watch:look> the water
  where: The grass on the bank.river <be.sg> wet , and frogs <sit.pl> among the reeds
  boat: [A] <tie> the boat to a tree on the bank.river
  swim: [A] <swim> across the river to the other bank.river
  fish: [A] <catch> a fish from the muddy bank.river
  steep: Flowers <grow.pl> on the steep bank.river near the water
sense_bank_money
  simple: [A] <take> [A.p] coins to the bank.money
  account: [A] <have> some money in the bank.money
  borrow: [A] <borrow> money from the bank.money to buy a house
  clerk: The clerk at the bank.money <count.sg> the coins twice
  safe: [A] <keep> the gold in the bank.money , where it <be.sg> safe
  queue: There <be.sg> a long queue of customers in the bank.money
sense_bat_animal
  fly: At night a bat.animal <fly.sg> out of the cave
  hang: A little bat.animal <hang.sg> under the roof with folded wings
  saw: In the dark [A] <see> a bat.animal that <catch.sg> moths
  wings: The bat.animal <open.sg> its thin wings and <fly.sg> away
  ears: A bat.animal <have.sg> big ears and <sleep.sg> all day
sense_bat_game
  hit: [A] <hit> the ball with a wooden bat.game
  swing: [A] <swing> the bat.game , but the ball <be.sg> too fast
  new: For the game [A] <need> a ball and a bat.game
  hold: The team <lend.sg> [A.o] a bat.game for the match.game
  over: With one stroke of the bat.game the ball <fly.sg> over the fence
sense_bark_dog
  heard: From the yard [A] <hear> the loud bark.dog of a dog
  wake: The bark.dog of the dog <wake.sg> the whole street
  one: The dog <give.sg> one short bark.dog and <run.sg> to the gate
  puppy: The puppy 's bark.dog <be.sg> high and funny
  afraid: The cat <be.sg> afraid of that angry bark.dog
sense_bark_tree
  rough: The bark.tree of the old oak <be.sg> rough and thick
  cut: [A] <cut> a heart into the bark.tree of a tree
  beetle: Beetles <live.pl> under the bark.tree of the branch
  boat: [A] <make> a little boat out of bark.tree and leaves
  birch: The birch <have.sg> white bark.tree and small leaves
sense_spring_season
  birds: In spring.season the birds <build.pl> their nests
  snow: When spring.season <come.sg> , the snow <be.sg> gone
  flowers: Every spring.season the meadow <be.sg> full of flowers
  after: After a long winter [A] <be!> glad that it <be.sg> spring.season
  plant: [A] <plant> tulips every spring.season
sense_spring_metal
  clock: A steel spring.metal inside the clock <be.sg> broken
  mattress: A spring.metal in the old mattress <be.sg> loose
  jump: [A] <press> the spring.metal , and the lid of the box <jump.sg> up
  wheel: The robot <have.sg> a spring.metal and two wheels inside
  wind: [A] <wind> up the spring.metal of the toy with a key
sense_light_lamp
  on: [A] <turn> on the light.lamp in the dark hall
  window: There <be.sg> a light.lamp in the window of the tower
  out: Suddenly the light.lamp <go.sg> out , and it <be.sg> dark
  candle: By the light.lamp of a candle [A] <read> a book
  bright: The bright light.lamp <wake.sg> [A.o] up
sense_light_weight
  carry: The basket <be.sg> so light.weight that a child <can.sg> carry it
  feather: The parcel <be.sg> as light.weight as a feather
  not_heavy: The suitcase <be.sg> not heavy but light.weight
  easy: The sack <be.sg> light.weight , so it <be.sg> easy to lift
  empty: Because it <be.sg> empty , the bucket <be.sg> light.weight
sense_ring_jewel
  finger: [A] <have> a gold ring.jewel on [A.p] finger
  lose: [A] <wear> a silver ring.jewel with a blue stone
  box: In the little box <be.sg> a ring.jewel made of gold
  wedding: For the wedding [A] <polish> the ring.jewel with a soft cloth
  queen: The queen in the story <have.sg> a magic ring.jewel on her hand
sense_ring_sound
  bell: Then the ring.sound of a bell <wake.sg> everybody
  door: At the door there <be.sg> a loud ring.sound
  heard: [A] <hear> the ring.sound of the church bell
  school: With the ring.sound of the school bell the lesson <begin.sg>
  silence: Suddenly a ring.sound at the gate <end.sg> the silence
sense_letter_mail
  stamp: [A] <put> a stamp on the letter.mail
  postman: The postman <have.sg> a letter.mail for [A.o]
  read: [A] <read> the letter.mail from an old friend twice
  envelope: The letter.mail <be.sg> in a blue envelope
  answer: [A] <answer> the long letter.mail the same day
sense_letter_alphabet
  first: The first letter.alphabet of the alphabet <be.sg> easy to write
  word: Every word <begin.sg> with a letter.alphabet
  learn: [A] <learn> a new letter.alphabet of the alphabet every week
  name: [A] <write> each letter.alphabet of [A.p] name in red ink
  big: The word <have.sg> a silent letter.alphabet in the middle
sense_match_game
  win: [A.np] team <win.sg> the match.game by two goals
  watch: On $day there <be.sg> a big match.game between two teams
  end: At the end of the match.game the players <shake.pl> hands
  ball: The ball <be.sg> lost , and so the match.game <be.sg> over
  goal: In the last minute of the match.game [A] <score> a goal
sense_match_fire
  candle: [A] <light> the candle with a match.fire
  strike: [A] <strike> a match.fire to make a fire
  burn: The match.fire <burn.sg> with a small flame
  last: The last match.fire in the box <be.sg> wet and useless
  dark: In the dark cave [A] <light> a match.fire
sense_nail_finger
  paint: [A] <paint> the nail.finger of [A.p] thumb red
  bite: [A] <bite> the nail.finger of [A.p] little finger
  cut: The nurse <cut.sg> the long nail.finger with small scissors
  dirty: There <be.sg> mud under the nail.finger of every finger
  hurt: The nail.finger on [A.p] toe <be.sg> sore
sense_nail_metal
  hammer: [A] <strike> the nail.metal with a hammer
  wall: The picture <hang.sg> on a nail.metal in the wall
  rusty: There <be.sg> a rusty nail.metal in the plank
  coat: [A] <hang> the coat on a nail.metal behind the door
  tyre: A sharp nail.metal <be.sg> stuck in the wheel
sense_trunk_tree
  lean: [A] <lean> against the trunk.tree of a tall oak
  owl: An owl <live.sg> in the hollow trunk.tree of an old tree
  fall: After the storm a tree trunk.tree <lie.sg> across the path
  climb: The squirrel <climb.sg> up the trunk.tree to its branch
  moss: Green moss <grow.sg> on the trunk.tree of the tree
sense_trunk_elephant
  lift: At the zoo the elephant <lift.sg> an apple with its trunk.elephant
  water: The elephant <fill.sg> its trunk.elephant with water
  take: With its long trunk.elephant the elephant <take.sg> a nut from [A.np] hand
  baby: The baby elephant <hold.sg> its mother 's tail with its trunk.elephant
  circus: The circus elephant <wave.sg> its grey trunk.elephant
sense_wave_sea
  high: A high wave.sea <roll.sg> onto the beach
  boat: Every wave.sea <shake.sg> the little ship
  castle: A big wave.sea <wash.sg> the sand castle away
  jump: [A] <jump> over a cold wave.sea in the sea
  foam: The wave.sea <break.sg> on the rocks with white foam
sense_wave_hand
  hand: With a wave.hand of [A.p] hand [A] <say> goodbye
  train: From the window of the train [A] <give> a little wave.hand
  friendly: The sailor <answer.sg> with a friendly wave.hand
  stage: The singer <leave.sg> the stage with a bow and a wave.hand
  queen: The queen <greet.sg> the crowd with a wave.hand
sense_watch_clock
  late: [A] <look> at [A.p] watch.clock , for it <be.sg> late
  gold: The gold watch.clock on [A.p] wrist <tick.sg> softly
  slow: [A.np] watch.clock <be.sg> ten minutes slow
  wind: [A] <wind> up [A.p] old watch.clock every evening
  chain: Grandfather <keep.sg> his watch.clock on a silver chain
sense_watch_look
  birds: [A] <like> to <watch:look.0> the birds in the garden
  play: [A] <sit> down to <watch:look.0> the children at play
  stars: At night [A] <go> out to <watch:look.0> the stars
  ships: From the hill [A] <can> <watch:look.0> the ships
  race: Many people <come.pl> to <watch:look.0> the race
"""


def _parse() -> dict[str, tuple[Frame | Line, ...]]:
    table: dict[str, tuple[Frame | Line, ...]] = {}
    kind = ""
    for line in _TEXT.strip().splitlines():
        if line.startswith(" "):
            table[kind] += (wording(line.strip()),)
        else:
            kind = line
            table[kind] = ()
    return table


# All wordings of each kind of event.
WORDINGS = _parse()
# Those that can share a sentence with another, or be turned into another construction.
FRAMES = {
    kind: tuple(item for item in wordings if isinstance(item, Frame)) for kind, wordings in WORDINGS.items()
}
