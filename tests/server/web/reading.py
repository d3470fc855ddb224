"""Reading a page as people do: faults in its sentences, and texts that stick out."""

from __future__ import annotations

__all__ = ["STICKING_OUT", "faults", "missing_article"]

import re

# Cards (r7, b?), piles (R1) and places (@2, +1) as they are written for the terminal and in records.
NOTATION = re.compile(r"(?<![\w{])(?:[rbgypo](?:1?\d|\?)|[RB][12]|@\d|\+\d|x [rbgypo]\d+)(?![\w}])")
# Words that occur only in notation, except in English.
TYPED = re.compile(r"\b(?:skip|reverse|card|chip|block|allow|top|bottom|stock)\b")
GAP = re.compile(r"\{\w*\}|\b(?:undefined|null|None|NaN)\b|\[object")
TWICE = re.compile(r"\b([^\W\d_]{2,}) \1\b(?!-)", re.IGNORECASE)  # "you steal steal-a-chip" is right
# A gap where a word is missing. French punctuation follows a no-break space.
EMPTY = re.compile(r" [,.;)]|[ \u00a0]$|^[ ,.:]|  |\(\)|“”|„“|«»|‘’|''|: ?[.,]|[(]\s")
# Sentences in which a word is repeated on purpose.
PAIRS = {"vous vous", "nous nous", "die die", "das das", "je je"}

# The words before the name of a card in a prompt or a reason. Languages in which an article would have to
# agree with the card use another word there, or none (docs/words).
BEFORE_CARDS = {
    "en": ("the", "another"),
    "es": ("el", "otro", "del", "al"),
    "fr": ("le", "autre", "du", "au"),
    "it": ("carta",),
    "nl": ("de", "een"),
    "pt": ("carta",),
    "pt-PT": ("carta",),
}

# The texts in an element that are cut off, or stick out of the screen, of a button, of the colour behind them
# or of anything that hides them. Texts that can be scrolled to, that only screen readers read, or in drawings
# are left alone.
STICKING_OUT = """(root) => {
  const hides = (style) => /hidden|clip/.test(style.overflowX);
  const scrolls = (style) => /auto|scroll/.test(style.overflowX);
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest("svg, script, style, option, select, [hidden]")) continue;
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (!text.width || !owner.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    let scrollable = false, unseen = false, place = null;
    for (let each = owner; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each), box = each.getBoundingClientRect();
      if (style.display === "contents") continue;
      if (box.width <= 1.5 || box.height <= 1.5) unseen = true;
      if (scrolls(style)) scrollable = true;
      if (scrollable && !place) break;
      const painted = style.display !== "inline" && style.backgroundColor !== "rgba(0, 0, 0, 0)";
      if (!place && (hides(style) || painted || each.matches("button, a.button, dialog"))) place = box;
    }
    if (unseen || (scrollable && !place)) continue;
    const out = (!scrollable && (text.left < -1 || text.right > innerWidth + 1))
      || (place && (text.left < place.left - 1.5 || text.right > place.right + 1.5));
    if (out) found.push(node.data.trim());
  }
  return found;
}"""


def faults(text: str, language: str) -> list[str]:
    """Return the faults of a sentence."""
    found = [match[0] for form in (NOTATION, GAP, EMPTY) for match in form.finditer(text)]
    found += [match[0] for match in TWICE.finditer(text) if match[0].lower() not in PAIRS]
    if language != "en":
        found += TYPED.findall(text)
    return found


def missing_article(text: str, card: str, language: str) -> bool:
    """Whether a sentence contains the name of a card without the word that belongs before it."""
    before = BEFORE_CARDS.get(language)
    return (
        before is not None
        and card in text
        and not re.search(rf"(?:^|\W)(?:{'|'.join(before)}) {re.escape(card)}", text, re.IGNORECASE)
    )
