// SPDX-License-Identifier: Apache-2.0

/// A table that fits a width: columns take the width they need; if that is too much, the widest columns are shortened.
struct TableLayout: Equatable {
    struct Cell: Sendable {
        var text: String
        /// Numbers.
        var isRight: Bool
        var role: Style.Role?

        init(_ text: String, isRight: Bool = false, role: Style.Role? = nil) {
            // A row is one line.
            self.text = Self.singleLine(text)
            self.isRight = isRight
            self.role = role
        }

        private static func singleLine(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
            var line = ""
            for scalar in text.unicodeScalars {
                line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
            }
            return line
        }
    }

    private static let gap = 2
    /// The minimum width of a shortened column.
    private static let least = 4

    let titles: [String]
    private(set) var widths: [Int]

    /// `width`: nil for no limit.
    init(titles: [String], rows: [[Cell]], width: Int?) {
        self.titles = titles
        widths = titles.map { DisplayWidth.of($0) }
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.of(cell.text)) }
        }
        if let width { shrink(to: width - Self.gap * (titles.count - 1)) }
    }

    /// Shortens the widest columns until all fit, or until none can be shortened.
    private mutating func shrink(to room: Int) {
        var excess = widths.reduce(0, +) - room
        while excess > 0, let widest = widths.max(), widest > Self.least {
            let which = widths.indices.filter { widths[$0] == widest }
            // At most down to the width of the next widest column, all of them alike.
            let next = max(widths.filter { $0 < widest }.max() ?? Self.least, Self.least)
            let step = min(widest - next, max(1, excess / which.count))
            for column in which where excess > 0 {
                widths[column] -= step
                excess -= step
            }
        }
    }

    func heading(_ style: Style) -> String {
        line(titles.map { Cell($0, role: .heading) }, style)
    }

    func line(_ row: [Cell], _ style: Style) -> String {
        var line = ""
        // Blanks are written when text follows them: no line ends with one.
        var owed = 0
        for (column, cell) in row.enumerated() {
            let text = DisplayWidth.cut(cell.text, to: widths[column])
            let blanks = widths[column] - DisplayWidth.of(text)
            if cell.isRight { owed += blanks }
            if !text.isEmpty {
                line += String(repeating: " ", count: owed)
                owed = 0
                line += cell.role.map { style($0, text) } ?? text
            }
            owed += (cell.isRight ? 0 : blanks) + Self.gap
        }
        return line
    }
}
