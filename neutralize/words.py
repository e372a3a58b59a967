"""A short list of common English and programming words, written for this project. It decides only between grades."""

from __future__ import annotations

_COMMON = """
able about above accept access account across act action active actual add address adjust admin advance
after again against age agent air alarm alert algorithm alias align alive all allow alone along alpha also
alter always amber amount anchor and angle animal annotate answer any api app append apple apply arch
archive area argument arm around array arrow art article ascii ask aspect assert assign assist async atlas
atom attach attempt attribute audio audit author auto available average avoid await away axis back bad badge
bag bakery balance ball ballet band bank bar bare base basic basin basket batch be beach beacon bead beam
bean bear beat bee before begin behind bell belt bench best beta better between beyond big bill bin bind
bird bit black blade blank blast blaze blend blind block blog bloom blue board boat body boil bold bolt bond
bone book boolean boost boot border bot both bottle bottom bound bow bowl box brace brain branch brand brave
bread break brick bridge brief bright bring broken broker brook brown brush bubble bucket bud budget buffer
bug build bulk bundle burn burst bus button buy by byte bytes cabin cable cache cake calendar call camera
camp can cancel candle canvas cap capital capture car card care cargo carry cart carve case cast castle cat
catalog catch category cause cedar celery cell center chain chair chalk change channel chapter char charge
chart chat cheap check checkout checksum cheese chef cherry chest chief child chip choice choose chunk
cinema cipher circle circuit city claim class clay clean clear clerk click client cliff climb clip clock
clone close cloth cloud club cluster coach coal coast coat code coin cold collect color column comb combine
come command comment commit common compact company compare compile compiler complete component compose
compress compute concept config connect console constant contact contain content context control convert
cook cookie cool copper copy coral core corn corner correct cost cotton count country course cover craft
crane crash crate crawler cream create credit crew crisp cross crowd crown cruise crypto crystal cube cup
curl currency current cursor curve custom customer cut cycle daily dance dash data database date datum day
dead deal debug debugger decimal deck decode decor decorator decrypt deep default defer define delay delete
deliver delta demo dense depend deploy depth derive describe desert design desk dessert destroy detail
detect develop device diagram dial dialog diamond dict diff digest digit direct directory dirty disable
discover disk dispatch display distance dive divide dock doctor document dog dollar domain done door dot
double down draft dragon draw dream dress drift drill drink drive drop drum dry duck dump duration dust
dynamic each eagle early earth east easy echo edge edit effect egg eight element else email ember emit
employee empty enable encode encrypt end energy engine enter entity entry enum env environment equal error
escape evaluate even event every exact exam example except exception exchange execute exist exit expand
expect expire export express extend extension extra eye fabric face factor factory fail fair faith fall
false family fan far farm fast father fault favor feather feature feed feel fetch field fifth fig figure
file fill film filter final find fine finger finish fire first fish fit five fix flag flake flame flare
flash flask flat fleet flex flight flint float flock floor flow flower fluid fly focus fold folder follow
font food foot for force forest fork form formal format formatter forward found foundation four fox frame
framework free freeze freight fresh friend frog from front frost fruit fry fuel full fun function fund
funnel fuse future fuzz gain galaxy gallery game gap garden gas gate gather gear gem general generate
generator generic gentle get ghost giant gift glass global globe glow glue go goal goat gold good grab grade
grain grammar grand graph grass gravity great green grid grill group grow guard guess guest guide guitar
hail hair half hall hammer hand handle handler hang happy harbor hard harvest hash hat have hawk head header
heap hear heart heat heavy hedge height hello helm help helper here hero hidden high hill hint hit hold hole
holiday home honey hood hook hope horizon horn horse host hot hour house hub human hybrid ice icon idea
ideal identity idle if image impact import in inbox index info ink inline inner input insert inside inspect
install instance int integer intent interface internal interval into invalid invent inventory invite invoice
invoke iron island issue it item iterable iterator ivory jam jar jasmine jet jewel job join joint joke
journal json judge jump jungle just keep kernel kettle key keyboard kick kind king kit kitchen kite knife
knight knot know label lace ladder lake lamp land lane language lantern large laser last late latest launch
laurel law layer layout lazy lead leaf league lean learn lease leave ledger left legacy lemon length lens
less lesson letter level lever lexer library licence license lid life lift light like lily lime limit line
linear link lint linter lion list listen literal little live load loader local locale lock log logger
logging logic long look loop loose lost lotus love low lower lucky lunar machine magic magnet mail main
major make maker manage manager mango manual many map maple marble march mark marker market mask mason mast
master match mate material math matrix max meadow meal measure meat media meet melon member memory menu
merge message meta metal meter method metric micro middle migration mild mile milk mill min mind mine mini
minor mint minus mirror miss mix mixin mobile mock mode model modern module moment money monitor month moon
more morning moss most moth mother motion motor mount mountain mouse move movie much multi muse museum music
must mutable mute name native nature near need needle nest net network never new news next nice night nine
node noise nonce none normal north nose not notary note notice nova now null number nut oak oasis object
observe ocean octopus of off offer office offset often oil old olive on once one onion only opal open opera
operate option orange orbit orchid order organ origin other otter out outer output over owl own owner pack
package packer packet page paint pair palace palette palm pan panda panel paper parallel parameter parent
parrot parse parser part partial party pass past paste patch path pattern pause pay payload payroll peach
peak pearl pebble pen pencil people pepper perfect period permit person phase phone photo phrase piano pick
picture piece pillar pillow pilot pin pine pink pipe pipeline pirate pivot pixel place plain plan plane
planet plant plastic plate platform play player plot plug plugin plum plus pocket poem poet point policy
polish poll pond pool pop popular port portal pose position possible post pot potato pottery pound powder
power practice precise prefix premium prepare present press pretty prevent price pride prime prince print
prior prism private probe problem process produce product profile profiler program progress project promise
prompt proof proper property protect protocol proud prove provide proxy public pull pulse pump pure purple
push put puzzle python quality quantum queen query quest question queue quick quiet quill quilt quiz quota
quote rabbit race rack radar radio rail rain raise random range rank rapid rate rather raven raw reach read
reader ready real reason recent recipe record recover red reduce reef refer reference refresh regex region
register regular relate relation relay release remote remove render repair repeat replace replica reply
report request require reset resource response rest result retry return reverse review rich ride right ring
ripple rise river road roast robin robot rock rocket role roll roof room root rope rose rotate rough round
route router row royal ruby rule run rush sad safe sage sail salad salary salmon salt same sample sand
sapphire save scale scan scene schedule schema scheme school science scope score scout scraper screen script
scroll sculpt sea seal sealer search season second secret section secure see seed segment select self send
sense separate sequence serial serialize serializer series serve server service session set seven shade
shadow shape shard share shark sharp sheet shelf shell shield shift ship shock shoe shop shore short show
side sight sign signal signature silent silk silver simple single sink six size skeleton sketch skill skin
skip sky slate sleep slice slide slim slot slow small smart smile smoke smooth snack snail snake snap
snapshot snow social sock socket soft soil solar solid solve some song soon sort soul sound soup source
south space spade spare spark special spectrum speed spell sphere spice spider spin spiral spirit splash
split sponge spoon sport spot spray spring sprint square squash stable stack staff stage stamp stand
standard star start state static station status stay steam steel stem step stick still stone stop storage
store storm story stream street stress strict string strip stripe strong struct structure student studio
style sub subclass subject submit success such sugar suite sum summary summer sun super supply support
surface survey swallow swan swap sweet swift swim switch symbol sync syntax system tab table tablet tag tail
take tale talk tall tally tango tank tap tape target task tax tea teacher team tell template temple ten
tennis tensor tent term test text than thaw the theater theme then there thing think third thread three
through throw thunder ticket tide tie tiger tight tile time timed timer timestamp timezone tin tiny tip tire
title to toast today token tomato tone tool top topic torch total touch tour tower town toy trace track
trade traffic trail train transfer transform transit translate trap travel tray treasure tree trek trend
trial triangle trick trigger trim trip true trumpet trunk trust truth try tube tulip tumble tune tunnel
turbo turn turtle twelve twig twin twist two type ultra umbrella under unicode union unique unit unity
universe unlock until up update upgrade upload upper use user utility vacuum valid validate valley value
vapor variable vault vector velvet vendor verb verify version very vessel video view village vine violet
virtual vision visit visual vital voice void volume vote wait walk wall wallet want warm warn warning wash
watch water wave wax way weak wealth weather weave web wedge week weekday weight welcome well west whale
what wheel when where white wide wild will willow win wind window wing winter wire wise wish with within
without wizard wolf wonder wood wool word work worker world worm worth wrap wrapper write writer wrong yard
year yellow yes yield young zebra zero zone zoom
"""
WORDS = frozenset(_COMMON.split())
_PREFIXES = ("", "un", "re", "pre", "de", "dis", "sub", "multi", "non")
_SUFFIXES = (
    "",
    "s",
    "es",
    "d",
    "ed",
    "r",
    "er",
    "or",
    "ing",
    "able",
    "ly",
    "y",
    "ion",
    "ation",
    "ment",
    "ness",
    "ful",
)


def listed(text: str) -> frozenset[str]:
    """A set written as words with white space between them."""
    return frozenset(text.split())


GIVEN_NAMES = listed(
    """
    adam adrian alex alice amy andrea andrew andrey anna ben bernhard bob brian carl carol chris claire dan
    daniel daniela dave david donald eli emma eric eva felix florian frank gary george greg hans henry
    holger hugo hynek ian illia ivan jack james jan jane jason jeff jim joe john jonas jose josh juan julia
    julien karl kate ken kenneth kevin kim kostiantyn lars laura lee leo lisa louis luke mara marc maria
    mark martin mary matt max michael mike nate nathan nathaniel neil nick nina olga oliver oscar pablo paul
    pedro peter petra philip quentin rachel ralph rob robert ronny ross roy ryan sam sara scott sebastian
    sebastien seth simon stefan steve stuart susan sven thea theo thomas tim tom tomas tyler uwe val viktor
    walter wei will yann yuki zoe
    """
)
"""Given names that say nothing alone."""


def is_word(text: str) -> bool:
    """Whether `text` is a listed word, or one with a common prefix or ending."""
    return any(_bare(text.lower(), prefix, suffix) for prefix in _PREFIXES for suffix in _SUFFIXES)


def _bare(text: str, prefix: str, suffix: str) -> bool:
    if not (text.startswith(prefix) and text.endswith(suffix)):
        return False
    stem = text[len(prefix) : len(text) - len(suffix)]
    if len(stem) < (3 if prefix or suffix else 2):
        return False
    doubled = suffix in {"ed", "er", "ing", "able"} and len(stem) > 3 and stem[-1] == stem[-2]
    return (
        stem in WORDS
        or (suffix[:1] in {"e", "i", "o", "a"} and stem + "e" in WORDS)
        or (doubled and stem[:-1] in WORDS)
        or (suffix in {"es", "ed", "er"} and stem.endswith("i") and stem[:-1] + "y" in WORDS)
    )
