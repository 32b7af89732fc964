"""A flame graph as SVG: a frame is as wide as its share of the samples, and stands on the function that called it."""

from html import escape

WIDTH, ROW, TOP, BOTTOM = 1200, 16, 64, 8
LETTER = 6.7
COLORS = {
    "thread": "#cbd5e0",
    "Hearth": "#f6ad55",
    "SwiftNIO": "#90cdf4",
    "Swift runtime": "#d6bcfa",
    "SQLite and GRDB": "#9ae6b4",
    "C library and Dispatch": "#e2e8f0",
    "kernel": "#feb2b2",
}
LARGEST = 300_000


def draw(root, title):
    """Frames with less than a small part of the samples are left out, so that the file stays small."""
    least = 0.001
    while len((svg := _Drawing(root, title, least).svg()).encode()) > LARGEST:
        least *= 1.5
    return svg


class _Drawing:
    def __init__(self, root, title, least):
        self.root, self.title = root, title
        self.least = max(1, root.samples * least)
        self.scale = WIDTH / max(1, root.samples)
        self.frames = []
        self.depth = 0
        self._place(root, 0, 0)

    def _place(self, node, start, depth):
        """Side by side in the order of names, so that the same functions are in the same order in every picture."""
        for function, child in sorted(node.children.items(), key=lambda item: (item[0].name, item[0].kind)):
            if child.samples >= self.least:
                self.frames.append((function, child.samples, start, depth))
                self.depth = max(self.depth, depth)
                self._place(child, start, depth + 1)
            start += child.samples

    def svg(self):
        height = TOP + (self.depth + 1) * ROW + BOTTOM
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">',
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
            f'<text x="8" y="22" font-size="15" font-weight="bold">{escape(self.title)}</text>',
            *self._legend(),
            *(self._frame(height, *frame) for frame in self.frames),
        ]
        return "\n".join([*parts, "</svg>", ""])

    def _legend(self):
        x = 8
        for kind, color in COLORS.items():
            yield f'<rect x="{x}" y="34" width="12" height="12" fill="{color}"/><text x="{x + 17}" y="44">{escape(kind)}</text>'
            x += 34 + LETTER * len(kind) + 10

    def _frame(self, height, function, samples, start, depth):
        x, width = start * self.scale, samples * self.scale
        y = height - BOTTOM - (depth + 1) * ROW
        label = f"{escape(function.name)}, {samples / self.root.samples:.1%}"
        parts = [
            f"<g><title>{label}</title>",
            f'<rect x="{x:.1f}" y="{y}" width="{max(width - 0.4, 0.4):.1f}" height="{ROW - 1}" fill="{COLORS[function.kind]}"/>',
        ]
        letters = int((width - 6) / LETTER)
        if letters >= 4:
            name = function.name if len(function.name) <= letters else function.name[: letters - 1] + "…"
            parts.append(f'<text x="{x + 3:.1f}" y="{y + 11}">{escape(name)}</text>')
        return "".join([*parts, "</g>"])
