"""The preview of a page: its language, title and description, for links and search engines.

All pages share the client's `index.html`. Here its head is rewritten for an address and a language: that of
`?lang=fr`, else the browser's preferred one, else English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from urllib.parse import parse_qs, urlencode

from tikal.words.texts import ENGLISH, PSEUDO, best, has, languages, text

HEAD = re.compile(r'<html lang="[^"]*">|<title>.*?</title>\s*|<meta name="description"[^>]*>\s*|</head>')


def language_of(query: str, accepted: str) -> str:
    """The language for a request, from its query and its header Accept-Language.

    >>> language_of("lang=fr", "de"), language_of("", "la, fr-CA;q=0.8, en;q=0.9"), language_of("lang=xx", "")
    ('fr', 'en', 'en')
    """
    asked = parse_qs(query).get("lang", [""])[0]
    if asked in (*languages(), PSEUDO):
        return asked
    return best(_preferred(accepted))


def _preferred(accepted: str) -> Iterable[str]:
    """The locales of Accept-Language, the best first.

    >>> list(_preferred("fr;q=0.5, es-ES, *;q=0.1"))
    ['es-ES', 'fr', '*']
    """
    found = []
    for word in accepted.split(",")[:20]:
        locale, _, quality = word.replace(" ", "").partition(";q=")
        try:
            found.append((-float(quality or 1), locale))
        except ValueError:
            continue
    return [locale for _, locale in sorted(found, key=lambda pair: pair[0])]


def with_head(index: str, base: str, path: str, language: str) -> str:
    """`index.html` with a head for an address; `base` is the server's address, without a trailing slash."""
    page = path.strip("/").partition("/")[0]
    title = text(f"server.{page}_title" if has(f"server.{page}_title") else "server.title", language)
    about = text(f"server.{page}_about" if has(f"server.{page}_about") else "server.about", language)
    parts = {"<html": f'<html lang="{_locale(language)}" dir="{direction(language)}">', "</hea": ""}
    parts["</hea"] = "\n    ".join(_lines(title, about, f"{base}{path}", language)) + "\n  </head>"
    return HEAD.sub(lambda found: parts.get(found[0][:5], ""), index)


def _lines(title: str, about: str, url: str, language: str) -> Iterable[str]:
    yield f"<title>{escape(title)}</title>"
    yield f'<meta name="description" content="{escape(about)}" />'
    for name, value in (("type", "website"), ("site_name", "Tikal"), ("title", title), ("description", about)):
        yield f'<meta property="og:{name}" content="{escape(value)}" />'
    yield f'<meta property="og:locale" content="{_locale(language)}" />'
    yield f'<meta property="og:url" content="{escape(url)}" />'
    for other in languages():
        address = escape(f"{url}?{urlencode({'lang': other})}")
        yield f'<link rel="alternate" hreflang="{other}" href="{address}" />'
    yield f'<link rel="alternate" hreflang="x-default" href="{escape(url)}" />'


def _locale(language: str) -> str:
    """The pseudo-language is English for browsers."""
    return ENGLISH if language == PSEUDO else language


def direction(language: str) -> str:
    """Whether a language is written from left to right or from right to left.

    >>> direction("zh"), direction("ar")
    ('ltr', 'rtl')
    """
    from babel import Locale

    written: str = Locale.parse(_locale(language), sep="-").text_direction
    return written
