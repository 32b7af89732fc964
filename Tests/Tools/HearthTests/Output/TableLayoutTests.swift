// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import hearth

struct TableLayoutTests {
    private typealias Cell = TableLayout.Cell

    private static func lines(_ titles: [String], _ rows: [[TableLayout.Cell]], width: Int?) -> [String] {
        let layout = TableLayout(titles: titles, rows: rows, width: width)
        let style = Style(isColored: false)
        return [layout.heading(style)] + rows.map { layout.line($0, style) }
    }

    @Test func `columns are as wide as they need, numbers are aligned to the right`() {
        let rows = [[Cell("SF"), Cell("San Francisco"), Cell("860000", isRight: true)], [Cell("LA"), Cell("Los Angeles"), Cell("12", isRight: true)]]
        #expect(
            Self.lines(["id", "name", "population"], rows, width: nil) == [
                "id  name           population", "SF  San Francisco      860000", "LA  Los Angeles            12",
            ])
    }

    @Test func `wide characters take two columns, marks none`() {
        let rows = [[Cell("東京"), Cell("1")], [Cell("e\u{301}a"), Cell("2")], [Cell("👩‍👩‍👧"), Cell("3")], [Cell("☃\u{FE0F}"), Cell("4")]]
        #expect(Self.lines(["n", "x"], rows, width: nil) == ["n     x", "東京  1", "e\u{301}a    2", "👩‍👩‍👧    3", "☃\u{FE0F}    4"])
    }

    static let widths: [(text: String, width: Int)] = [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("ｱ", 1), ("Ａ", 2), ("한국", 4), ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("\u{200B}", 0), ("a\tb", 2), ("…", 1), ("☃", 1),
    ]

    @Test(arguments: widths.indices)
    func `the width of text equals a terminal's`(index: Int) {
        let (text, width) = Self.widths[index]
        #expect(DisplayWidth.of(text) == width, "\(text)")
    }

    @Test func `a table that is too wide takes from its widest columns`() {
        let rows = [[Cell("1"), Cell(String(repeating: "a", count: 50)), Cell(String(repeating: "b", count: 30))]]
        for width in [20, 30, 40, 60, 86, 87, 200] {
            let layout = TableLayout(titles: ["id", "long", "longer"], rows: rows, width: width)
            for line in Self.lines(["id", "long", "longer"], rows, width: width) { #expect(DisplayWidth.of(line) <= width) }
            #expect(layout.widths[0] == 2)
        }
        #expect(Self.lines(["id", "long", "longer"], rows, width: 20)[1] == "1   aaaaaa…  bbbbbb…")
        // Too narrow for anything: as narrow as it gets, and no crash.
        #expect(TableLayout(titles: ["id", "long", "longer"], rows: rows, width: 3).widths == [2, 4, 4])
    }

    @Test func `cutting never splits a character, and a wide one may leave a blank`() {
        #expect(DisplayWidth.cut("abcdef", to: 4) == "abc…")
        #expect(DisplayWidth.cut("abcd", to: 4) == "abcd")
        #expect(DisplayWidth.cut("東京都", to: 4) == "東…")
        #expect(DisplayWidth.cut("東京都", to: 1) == "…")
        #expect(DisplayWidth.cut("x", to: 0) == "")
        let layout = TableLayout(titles: ["name", "x"], rows: [[Cell("東京都庁前"), Cell("1")]], width: 9)
        #expect(layout.line([Cell("東京都庁前"), Cell("1")], Style(isColored: false)) == "東京…   1")
    }

    @Test func `no text breaks a line or paints one`() {
        #expect(TableLayout.Cell("a\nb\u{1B}[31mc\u{9B}d").text == "a b [31mc d")
    }

    @Test func `no line ends with blanks, and colours do not count`() {
        let rows = [[Cell("a", role: .path), Cell("")], [Cell("bbbb"), Cell("c")]]
        #expect(Self.lines(["k", "v"], rows, width: nil) == ["k     v", "a", "bbbb  c"])
        let layout = TableLayout(titles: ["k", "v"], rows: rows, width: nil)
        #expect(layout.line(rows[0], Style(isColored: true)) == "\u{1B}[1ma\u{1B}[0m")
    }
}
