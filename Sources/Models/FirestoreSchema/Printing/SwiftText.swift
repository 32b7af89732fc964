// SPDX-License-Identifier: Apache-2.0

/// Lines of Swift with indentation.
struct SwiftText {
    private(set) var text = ""
    private var level = 0
    private static let width = 118

    mutating func line(_ line: String = "") {
        text += line.isEmpty ? "\n" : String(repeating: "    ", count: level) + line + "\n"
    }

    mutating func lines(_ lines: String) {
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) { self.line(String(line)) }
    }

    /// A line that ends with a brace, what stands between, and the closing brace.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line(head + " {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// A comment, on as many lines as it needs; on one line if blanks in it matter.
    ///
    /// Most notes contain names and ids of the data. Characters that could end the comment are escaped here, for every note.
    mutating func comment(_ note: String, isWrapped: Bool = true) {
        let note = StoredText.plain(note)
        guard isWrapped else { return self.line("// " + note) }
        var line = "//"
        for word in note.split(separator: " ") {
            if line.count + word.count + 1 + level * 4 > Self.width, line.count > 2 {
                self.line(line)
                line = "//"
            }
            line += " " + word
        }
        self.line(line)
    }
}
