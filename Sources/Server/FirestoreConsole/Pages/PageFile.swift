// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// A file of the console or of the guide, as it is sent.
struct PageFile: Sendable {
    /// Relative to `Console/`: `lib/values.js`.
    let path: String
    let bytes: [UInt8]

    /// Names this content.
    var tag: String { String(bytes.withUnsafeBytes { MD5.hash($0).low }, radix: 16) }

    /// The kinds of files that the pages consist of.
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// nil for a file that is not a part of a page.
    static func type(of path: String) -> String? { path.split(separator: ".").last.flatMap { types[String($0)] } }
}
