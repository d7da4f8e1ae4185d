"""Names from files and users as text that is safe in a page, and numbers in a readable form."""

import html

LONGEST = 120  # characters of a name that are shown
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(text: object, longest: int = LONGEST) -> str:
    """The text in one line, cut to a length; unprintable characters become escapes.

    Control characters, lone surrogates and marks that turn the direction of reading would break
    the page or deceive its reader.
    """
    text = str(text)
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def escaped(text: object, longest: int = LONGEST) -> str:
    """The same text for use inside HTML or SVG, in elements and in quoted attributes."""
    return html.escape(plain(text, longest), quote=True)


def power_of_ten(exponent: int) -> str:
    """10 with a raised exponent."""
    return "10" + str(exponent).translate(SUPERSCRIPT)


def number(value: float, digits: int = 6) -> str:
    """A number in few characters, with a real minus sign."""
    text = f"{value:.{digits}g}"
    mantissa, e, exponent = text.partition("e")
    if e:
        text = f"{mantissa} × {power_of_ten(int(exponent))}"
    return text.replace("-", "−")


def coordinate(value: float) -> str:
    """A length in a drawing, to a hundredth."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
