"""Writes random patterns and texts with what RE2 makes of them, as lines of JSON: pairs.py COUNT SEED, or pairs.py --corpus.

A row is {"pattern", "valid"} and, for valid ones, "names" and "texts": [{"text", "whole", "spans", "all"}]. "spans" holds where the
leftmost match and its captures begin and end, "all" the bounds of all matches as Java finds them one after the other; offsets
count bytes of UTF-8, -1 is no capture.
"""
import json
import random
import sys

import re2

OPTIONS = re2.Options()
OPTIONS.log_errors = False

LETTERS = ["a", "b", "a", "b", "c", "k", "K", "s", "\u017f", "\u212a", "\u00e9", "\u00c9", "\u00df", "\u03a3", "\u03c2", "\u03c3", "1", "_", " ", "-",
           "\n", ",", "\U0001f600", "\U00010428", "\u4e2d", "\u0301"]
ASCII_NAMES = ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word", "xdigit"]
PROPERTIES = ["L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "N", "Nd", "Nl", "P", "Pd", "Pc", "S", "So", "Z", "Zs", "C", "Cc", "Greek", "Latin",
              "Han", "Common", "Inherited", "Cyrillic", "Deseret", "Any", "greek", "Foo", ""]


class Grammar:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.groups = 0

    def pattern(self):
        self.groups = 0
        text = self.alternation(self.random.choice([1, 2, 2, 3, 3, 4]))
        if self.random.random() < 0.2:
            text = "(?" + "".join(self.random.sample("imsU", self.random.randint(1, 2))) + ")" + text
        while self.random.random() < 0.15:
            text = self.damaged(text)
        return text

    def damaged(self, text):
        at = self.random.randint(0, len(text))
        if self.random.random() < 0.5 and text:
            return text[:at] + text[at + 1:]
        return text[:at] + self.random.choice("()[]{}*+?|\\^$.-:PQE<>ipdbx0123789,&=!") + text[at:]

    def alternation(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.random.choice([1, 1, 1, 1, 2, 2, 3])))

    def sequence(self, depth):
        return "".join(self.repeated(depth) for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4])))

    def repeated(self, depth):
        text = self.atom(depth)
        if self.random.random() < 0.4:
            text += self.random.choice(["*", "+", "?", "*", "+", "?", self.bounds()])
            if self.random.random() < 0.3:
                text += "?"
            if self.random.random() < 0.02:
                text += self.random.choice("*+?{")
        return text

    def bounds(self):
        low, high = self.random.choice([0, 0, 1, 1, 2, 3]), self.random.choice([0, 1, 2, 3, 4])
        if self.random.random() < 0.03:
            low = self.random.choice([1000, 1001, 500, 999999999, 9999999999])
        form = self.random.choice(["{%d}", "{%d,}", "{%d,%d}", "{%d,%d}"])
        return form % ((low, max(low, high)) if form.count("%d") == 2 else (low,))

    def atom(self, depth):
        choice = self.random.random()
        if choice < 0.25 and depth > 0:
            return self.group(depth - 1)
        if choice < 0.40:
            return self.bracket()
        if choice < 0.47:
            return "."
        if choice < 0.57:
            return self.random.choice(["^", "$", r"\b", r"\B", r"\A", r"\z", "^", "$"])
        if choice < 0.67:
            return self.named()
        if choice < 0.70:
            return self.escape()
        if choice < 0.715:
            return r"\Q" + "".join(self.letter() for _ in range(self.random.randint(0, 2))) + self.random.choice([r"\E", ""])
        letter = self.letter()
        return letter if letter != "-" or depth else r"\-"

    def letter(self):
        return self.random.choice(LETTERS[:4]) if self.random.random() < 0.6 else self.random.choice(LETTERS)

    def group(self, depth):
        self.groups += 1
        name = "n%d" % self.groups
        opening = self.random.choice(["(", "(", "(", "(?:", "(?:", "(?P<%s>" % name, "(?<%s>" % name, "(?i:", "(?-i:", "(?s:", "(?m-s:", "(?U:", "(?i)(", "(?=",
                                      "(?m)("] if self.random.random() < 0.5 else ["(", "(?:"])
        return opening + self.alternation(depth) + ")"

    def named(self):
        choice = self.random.random()
        if choice < 0.5:
            return "\\" + self.random.choice("dDsSwW")
        name = self.random.choice(PROPERTIES)
        if choice < 0.6:
            return "\\" + self.random.choice("pP") + self.random.choice("LMNPSZCX")
        return "\\%s{%s%s}" % (self.random.choice("pP"), self.random.choice(["", "", "^"]), name)

    def escape(self):
        return self.random.choice([r"\n", r"\t", r"\x61", r"\x{61}", r"\x{1F600}", r"\x{e9}", r"\141", r"\0", r"\01", r"\.", r"\-", r"\_", r"\\", r"\a", r"\f", r"\v", r"\r",
                                   r"\1", r"\8", r"\Z", r"\G", r"\xg", r"\x{110000}", r"\12", r"\778", r"\x{d800}"])

    def bracket(self):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            choice = self.random.random()
            if choice < 0.45:
                parts.append(self.member())
            elif choice < 0.75:
                low, high = sorted([self.member(), self.member()])
                parts.append(low + "-" + high if self.random.random() < 0.95 else high + "-" + low)
            elif choice < 0.87:
                parts.append(self.named())
            elif choice < 0.97:
                parts.append("[:%s%s:]" % (self.random.choice(["", "", "^"]), self.random.choice(ASCII_NAMES)))
            else:
                parts.append(self.random.choice(["[:", "[:foo:]", "-", "]", "^", "[", r"\b", self.escape()]))
        return "[" + self.random.choice(["", "", "", "^"]) + "".join(parts) + "]"

    def member(self):
        letter = self.letter()
        return letter if letter not in "-]\\^" else "\\" + letter

    def text(self):
        return "".join(self.letter() for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, 10])))


def excluded(pattern):
    # What is refused on purpose: bytes of characters, and two groups of one name.
    names = [part.split(">")[0] for part in pattern.replace("?P<", "?<").split("(?<")[1:]]
    return r"\C" in pattern or len(set(names)) < len(names)


def width(text, at):
    return 1 if at >= len(text) or text[at] < 0x80 else 2 if text[at] < 0xE0 else 3 if text[at] < 0xF0 else 4


def is_inside(text, at):
    return 0 <= at < len(text) and text[at] & 0xC0 == 0x80


def all_bounds(compiled, text):
    bounds, at = [], 0
    while at <= len(text):
        match = compiled.search(text, at)
        if match is None:
            break
        start, end = match.span()
        bounds.append([start, end])
        at = end if end > start else end + width(text, end)
    return bounds


def row(pattern, texts):
    try:
        compiled = re2.compile(pattern.encode(), options=OPTIONS)
    except re2.error as error:
        # RE2 counts bytes where Hearth counts characters, so their limits are not the same.
        return None if b"too large" in error.args[0] else {"pattern": pattern, "valid": False}
    names = {number: name.decode() if isinstance(name, bytes) else name for name, number in compiled.groupindex.items()}
    results = []
    for text in texts:
        encoded = text.encode()
        match = compiled.search(encoded)
        spans = [bound for group in range(compiled.groups + 1) for bound in match.span(group)] if match else None
        bounds = all_bounds(compiled, encoded)
        # RE2 finds \B between the bytes of a character, where Hearth finds nothing.
        if any(is_inside(encoded, bound) for bound in (spans or []) + sum(bounds, [])):
            continue
        results.append({"text": text, "whole": compiled.fullmatch(encoded) is not None, "spans": spans, "all": bounds})
    return {"pattern": pattern, "valid": True, "names": [names.get(number + 1) for number in range(compiled.groups)], "texts": results}


CORPUS = [line for line in r"""
(|a)*
(?:(|a)*)*
(|a)+
(a|b*)*
(a*)+
(a*)*
(a*)*b
(a|)+?b
(?:(a)|b)*
((a)|(b))*
(a){0}b
(a?){3}
(a??){3}
(a{1,2}){2}
(?:a{2}){3}
(a+)(b+)
(a+?)(b*?)
a|ab
ab|a
(?:a|ab)(?:c|bcd)
(a|ab)(c|bcd)(d*)
^a|b$
(?m)^a$
(?m)^$
(?m)(^|b)
\bfoo\b
\b
\B
\Aa\z
^*
^+a
(?:^a)*
a**
a*?
a*??
a+?+
a{2}?
a{2}{3}
a{,2}
a{01}
a{2
a{1000}
a{1001}
a{2,1}
a{999999999}
a{9999999999}
(?:a{33}){33}
(?:a{31}){32}
(?:a{0}){2000}
((a{10}){10}){11}
(?:a{1000}){1}
(?:(?:a{1000}){0}){2}
*
|*
(*)
()*
(
)
(?
(?i
(?i)
(?)
(?-)
(?--i)
(?i-s:a)
(?x)a
(?i)a(?-i)b
((?i)a)b
(?i:a)b|c
(?U)a+
(?U)a+?
(?i)\w
(?i)\W
(?i)[^k]
(?i)\p{Lu}
(?i)\P{Lu}
(?i)[[:^lower:]]
(?i)[^\W]
(?i)k
(?i)S
(?i)ß
(?i)σ
\pL
\pN+
\p{L}
\p{^L}
\P{^L}
\P{L}+
\p{Greek}
\p{greek}
\p{Letter}
\p{Any}
\p{}
\p
\p{L
\pé
[\pL-z]
[a-\pL]
[a-\d]
[\d-z]
[z-a]
[a-]
[-a]
[a-b-c]
[]
[]a]
[^]
[^]a]
[^a]
[[:alpha:]]
[[:^alpha:]]
[[:foo:]]
[[:alpha:]-z]
[[:alpha]
[[:
[:alpha:]
[\b]
[\Qa\E]
\Q
\Qa.b\E+
a\Q\E*
\Qa\E*
\E
\x61
\x{61}
\x{}
\x{110000}
\x
\x1
\101
\1
\12
\8
\0
\08
\777
\_
\é
\-
\Z
\G
\h
.
(?s).
.*
.+?b
(?P<n>a)
(?<n>a)
(?P<n>a)(?<m>b)
(?P<1>a)
(?P<a-b>a)
(?P<>a)
(?P<é>a)
(?P=n)
(?P<n
(?=a)
(?!a)
(?<=a)
(?<!a)
(?#a)
a||b
(|)
[^\x00-\x{10FFFF}]
[^\x00-\x{10FFFF}]*
[a-c][^a-c]?
(?i)[a-z]+
^[\w.+-]+@[\w-]+\.[a-z]{2,}$
^\d{4}-\d{2}-\d{2}$
""".split("\n") if line] + [""]

CORPUS_TEXTS = ["", "a", "b", "aa", "ab", "abcd", "aab", "a\nb", "\n", "k\u212a", "\u017f", "\u00e9\u00c9", "\u03a3\u03c2\u03c3", "a😀b", "a-b c", "foo a_b", "1,2", "a" * 12, "me@example.com", "2026-11-22", "z]-^", "A{,2}"]


def main():
    if sys.argv[1] == "--corpus":
        rows = [row(pattern, CORPUS_TEXTS) for pattern in CORPUS]
        grammar = Grammar(14)
        count = 200
    else:
        rows, count, grammar = [], int(sys.argv[1]), Grammar(int(sys.argv[2]))
    for written in rows:
        print(json.dumps(written, ensure_ascii=False, separators=(",", ":")))
    made = 0
    while made < count:
        pattern = grammar.pattern()
        if excluded(pattern):
            continue
        # Two texts for each pattern.
        written = row(pattern, [grammar.text(), grammar.text()])
        if written is None:
            continue
        print(json.dumps(written, ensure_ascii=False, separators=(",", ":")))
        made += 2 if written["valid"] else 1


if __name__ == "__main__":
    main()
