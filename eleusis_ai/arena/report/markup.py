"""HTML put together from parts, in which every text that is not HTML is escaped."""

from __future__ import annotations

from html import escape

VOID = frozenset({"br", "link", "meta"})
"""Elements that hold nothing and are not closed."""


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str | None) -> Html:
    """Return an element; texts in it are escaped, and an attribute that is None is left out.

    Attributes are named as in HTML, with ``_`` for ``-``; ``class_`` is ``class``.

    >>> tag("p", "1 < 2: ", tag("b", "true"), class_="so")
    '<p class="so">1 &lt; 2: <b>true</b></p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    opened = f"<{name}{said}>"
    return Html(opened if name in VOID else f"{opened}{joined(*inside)}</{name}>")


def joined(*parts: str) -> Html:
    """Join parts, of which texts are escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))
