"""Rules for nicknames and languages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from tikal.server.errors import Refused
from tikal.words import texts

NAME = re.compile(r"[^\W_](?:[\w .'’-]{0,22}[\w.])?")
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")  # printable by category
ALIKE = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "COPTIC", "CHEROKEE", "LISU", "CANADIAN"}  # have similar letters

MARKED = re.compile("LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]) WITH ")
_LIKE_LATIN = {
    "АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁ": "ABESIJKMHOPCTYXaeopcyxsijhd",  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναικυρ": "ABEZHIKMNOPTYXovaikup",  # Greek
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDTGKJCZFMNLSRVHWXYAEIOU",  # Lisu
    "ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏒᏔᏙᏚᏞᏟᏢᏦ": "DRTAJEWMHGZRWVSLCPK",  # Cherokee
    "ⲀⲂⲈⲒⲔⲘⲚⲞⲢⲤⲦⲬ": "ABEIKMNOPCTX",  # Coptic
    "ՍՕԼհոսօց": "UOLhnuog",  # Armenian
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡ": "abcdefghijklmnoprstuvwyzag",  # small capitals, and letters of phonetic alphabets
}
_LATIN = str.maketrans("".join(_LIKE_LATIN), "".join(_LIKE_LATIN.values()))
# Latin letters and digits that look like each other.
_ONE_LOOK = str.maketrans({"0": "o", "1": "l", "i": "l", "\N{LATIN SMALL LETTER DOTLESS I}": "l"})
_TOGETHER = (("rn", "m"), ("vv", "w"))
_KNOWN = 1024  # tables whose names are remembered


def check_name(name: str) -> str:
    """Returns a nickname with its spaces tidied. It uses one alphabet, so that it can't imitate another name.

    >>> check_name("  Ann   B. ")
    'Ann B.'
    >>> check_name("\N{CYRILLIC CAPITAL LETTER A}nn")
    Traceback (most recent call last):
    tikal.server.errors.Refused: name: must not mix the letters of different alphabets
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not NAME.fullmatch(tidy) or INVISIBLE.search(tidy):
        raise Refused("name", "name: must be 1 to 24 letters, digits, spaces, dots, hyphens or apostrophes")
    if len(ALIKE & {unicodedata.name(letter, "").partition(" ")[0] for letter in tidy}) > 1:
        raise Refused("name", "name: must not mix the letters of different alphabets", "name_alphabets")
    return tidy


@lru_cache(_KNOWN)
def _without_mark(letter: str) -> str:
    """A Latin letter without a stroke, a hook and the like, which Unicode does not take apart.

    >>> _without_mark("\N{LATIN SMALL LETTER O WITH STROKE}"), _without_mark("x")
    ('O', 'x')
    """
    found = MARKED.match(unicodedata.name(letter, ""))
    return found[1] if found else letter


def skeleton(name: str) -> str:
    """What a name looks like at a glance: names with the same skeleton are easily taken for each other.

    >>> skeleton("Ian"), skeleton("lán"), skeleton("Corn"), skeleton("Com")
    ('lan', 'lan', 'com', 'com')
    """
    parts = unicodedata.normalize("NFKD", name.translate(_LATIN))
    letters = (_without_mark(c) for c in parts if c.isalnum() and unicodedata.category(c) != "Lm")
    seen = "".join(letters).casefold().translate(_ONE_LOOK)
    for two, one in _TOGETHER:
        seen = seen.replace(two, one)
    return seen


@lru_cache(_KNOWN)
def look_alike(names: tuple[str, ...]) -> frozenset[int]:
    """The seats, counted from 1, whose names look like another one; seats without a name don't count.

    >>> sorted(look_alike(("Ann", "Bob", "A. nn", "")))
    [1, 3]
    """
    seen = [skeleton(name) for name in names]
    count = Counter(seen)
    return frozenset(seat for seat, look in enumerate(seen, 1) if look and count[look] > 1)


def check_language(language: str | None) -> str | None:
    """Returns the code of a supported language; None stays None.

    >>> check_language("fr"), check_language(None)
    ('fr', None)
    """
    if language is not None and language not in texts.languages():
        raise Refused("malformed", f"language: must be one of {', '.join(texts.languages())}")
    return language
