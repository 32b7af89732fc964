// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files stay readable, and unfinished work stays out.
struct FileShapeTests {
    @Test func `no Swift file is longer than 600 lines`() throws {
        for file in Repository.swiftFiles {
            let count = try file.lines.count
            #expect(count <= 600, "\(file) has \(count) lines: split it")
        }
    }

    /// A row of a test's table may be longer: cut in two it can no longer be compared with its neighbours.
    @Test func `no line of Swift is longer than 140 characters, no row of a test's table longer than 220`() throws {
        for file in Repository.swiftFiles {
            let limit = file.path.contains("Tests/") ? 220 : 140
            for (index, line) in try file.lines.enumerated() where line.utf8.count > limit && line.count > limit {
                Issue.record("\(file):\(index + 1) has \(line.count) characters")
            }
        }
    }

    @Test func `the sources hold no reminders, no forced try and no way to end the process on bad input`() throws {
        let forbidden = ["TODO", "FIXME", "XXX", "try!", "fatalError(", "as! "]
        // The one place that ends the process: lifecycle misuse, never data.
        let misuse = "Sources/App/FirebaseCore/Misuse.swift"
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") {
            for (index, line) in try file.lines.enumerated() {
                for word in forbidden where line.contains(word) && !(file.path == misuse && word == "fatalError(") {
                    Issue.record("\(file):\(index + 1) contains \(word)")
                }
            }
        }
    }

    @Test func `files end with one newline and hold neither tabs nor trailing blanks`() throws {
        for file in Repository.swiftFiles {
            let text = try file.text
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(file) ends otherwise")
            for (index, line) in try file.lines.enumerated() where line.hasSuffix(" ") || line.contains("\t") {
                Issue.record("\(file):\(index + 1) has a tab or trailing blanks")
            }
        }
    }

    @Test func `every Swift file names its license in the first line`() throws {
        for file in Repository.swiftFiles {
            // A manifest begins with the version of its tools.
            let first = try file.lines.first { !$0.hasPrefix("// swift-tools-version") }
            #expect(first == "// SPDX-License-Identifier: Apache-2.0", "\(file): run dev/license-headers")
        }
    }

    @Test func `no placeholder is left`() {
        let left = Repository.swiftFiles.filter { $0.path.hasSuffix("/Placeholder.swift") }
        #expect(left.isEmpty)
    }

    @Test func `unchecked Sendable comes with a proof`() throws {
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") {
            let lines = try file.lines
            for (index, line) in lines.enumerated() where !line.contains("//") {
                let isUnchecked = line.contains("@unchecked Sendable")
                guard isUnchecked || line.contains("nonisolated(unsafe)") else { continue }
                // The comment directly above, attributes aside.
                let above = lines[..<index].reversed().prefix { line in
                    let text = line.drop { $0 == " " }
                    return text.hasPrefix("//") || text.hasPrefix("@")
                }
                let isProved = above.contains { isUnchecked ? $0.contains("unchecked Sendable`") : $0.contains("//") }
                #expect(isProved, "\(file):\(index + 1): say above it why it is safe")
            }
        }
    }
}
