// SPDX-License-Identifier: Apache-2.0

/// A file of the console.
struct ConsoleResource: Sendable {
    /// Relative to `Console/`: `lib/values.js`.
    let path: String
    /// Names this content.
    let tag: String
    let content: Content

    enum Content: Sendable {
        /// Inside the program.
        case text(StaticString)
        case bytes([UInt8])
    }

    init(_ path: String, tag: String, _ text: StaticString) {
        self.path = path
        self.tag = tag
        content = .text(text)
    }

    init(_ path: String, tag: String, bytes: [UInt8]) {
        self.path = path
        self.tag = tag
        content = .bytes(bytes)
    }

    var bytes: [UInt8] {
        switch content {
        case .text(let text): text.withUTF8Buffer { Array($0) }
        case .bytes(let bytes): bytes
        }
    }

    /// The kinds of files that the console consists of.
    static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// nil for a file that is not a part of a page.
    static func type(of path: String) -> String? { path.split(separator: ".").last.flatMap { types[String($0)] } }
}
