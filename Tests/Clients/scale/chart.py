"""A chart of lines over logarithmic axes, as SVG, without anything but the standard library."""

import math
from html import escape

WIDTH, HEIGHT = 790, 420
LEFT, RIGHT, TOP, BOTTOM = 76, 215, 44, 52
COLORS = ["#1b6ac9", "#d1495b", "#2e933c", "#8f5fbf", "#c77700", "#4a5568"]


class Chart:
    def __init__(self, title, across, up):
        self.title, self.across, self.up = title, across, up
        self.lines = []
        self._colors = -1

    def add(self, name, points, is_dashed=False, as_before=False):
        """`points` are pairs of positive numbers; others are left out. `as_before`: in the color of the line before."""
        self._colors += not as_before
        color = COLORS[self._colors % len(COLORS)]
        self.lines.append((name, [(x, y) for x, y in points if x > 0 and y > 0], color, is_dashed))

    def svg(self):
        points = [point for _, line, _, _ in self.lines for point in line]
        across = _Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
        up = _Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
        middle = (TOP + HEIGHT - BOTTOM) / 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold" fill="#1a202c">{escape(self.title)}</text>',
            *_grid(across, up),
            _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, self.across, "middle"),
            _text(16, middle, self.up, "middle", f' transform="rotate(-90 16 {middle:.0f})"'),
        ]
        for number, (name, line, color, is_dashed) in enumerate(self.lines):
            dash = ' stroke-dasharray="5 4"' if is_dashed else ""
            path = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in line)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
            y = TOP + 14 + 20 * number
            parts.append(f'<path d="M{WIDTH - RIGHT + 12} {y - 4}h20" stroke="{color}" stroke-width="2"{dash}/>')
            parts.append(_text(WIDTH - RIGHT + 38, y, name, "start"))
        return "\n".join([*parts, "</svg>", ""])


class _Axis:
    """Whole powers of ten, or halves of them, around the values."""

    def __init__(self, values, start, end):
        self.least, self.most = min(values), max(values)
        self.start, self.end = start, end
        self.least = 10 ** math.floor(math.log10(self.least) + 1e-9)
        top = 10 ** math.floor(math.log10(self.most) - 1e-9)
        self.most = next(top * factor for factor in (1, 2, 5, 10) if top * factor >= self.most * (1 - 1e-9))

    def place(self, value):
        part = math.log10(value / self.least) / math.log10(self.most / self.least)
        return self.start + part * (self.end - self.start)

    def marks(self):
        power = self.least
        while power <= self.most * (1 + 1e-9):
            yield power
            power *= 10


def _grid(across, up):
    for value in across.marks():
        x = across.place(value)
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e2e8f0"/>'
        yield _text(x, HEIGHT - BOTTOM + 18, _number(value), "middle")
    for value in up.marks():
        y = up.place(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e2e8f0"/>'
        yield _text(LEFT - 8, y + 4, _number(value), "end")
    yield f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#4a5568"/>'


def _text(x, y, text, anchor, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#2d3748"{more}>{escape(text)}</text>'


def _number(value):
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
