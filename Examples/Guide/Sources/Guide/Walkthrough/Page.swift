// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The output of the walkthrough, which also records whether its claims hold.
///
/// Every claim is checked against the database's answer; `failures` decides the exit code.
@MainActor
public final class Page {
    public private(set) var claims = 0
    public private(set) var failures: [String] = []

    /// The location of the database.
    let place: GuidePlace
    private let style: TextStyle
    private let write: (String) -> Void
    private var chapters = 0

    public init(style: TextStyle = .plain, place: GuidePlace = .memory, write: @escaping (String) -> Void) {
        self.style = style
        self.place = place
        self.write = write
    }

    public func heading(_ text: String, _ subtitle: String) {
        write(style.bold(text))
        write(style.faint(subtitle))
    }

    public func chapter(_ title: String) {
        chapters += 1
        write("")
        write(style.bold("\(chapters). \(title)"))
    }

    public func note(_ text: String) {
        write("   " + style.faint(text))
    }

    /// A stored document: its path, then a line per field.
    public func stored(_ path: String, _ fields: [String: Any]?) {
        write("   " + style.path(path))
        guard let fields else {
            write("     " + style.faint("(no such document)"))
            return
        }
        for line in FieldListing(fields, style).lines { write("     " + line) }
    }

    /// The Swift value that was read from a document or goes into one.
    public func value(_ value: Any) {
        for (index, line) in SwiftListing.describe(value).wrapped(at: 96).enumerated() {
            write("   " + style.faint(index == 0 ? "Swift  " : "         ") + line)
        }
    }

    public func error(_ text: String) {
        for (index, line) in text.wrapped(at: 96).enumerated() {
            write("   " + style.problem(index == 0 ? "error  " : "       ") + line)
        }
    }

    /// One line of a live query.
    public func change(_ kind: ChangeKind, _ text: String) {
        write("   " + style.change(kind) + " " + text)
    }

    public func line(_ text: String) {
        write("   " + text)
    }

    /// States a fact and checks it.
    @discardableResult
    public func claim(_ text: String, _ holds: Bool) -> Bool {
        claims += 1
        if !holds { failures.append(text) }
        write("   " + (holds ? style.good("✓ ") : style.problem("✗ ")) + text)
        return holds
    }

    /// Checks a fact that is printed only if it is false.
    public func expect(_ text: String, _ holds: Bool) {
        claims += 1
        if holds { return }
        failures.append(text)
        write("   " + style.problem("✗ ") + text)
    }

    /// Waits for the effect of a callback, up to a time limit.
    public func wait(for what: String, until condition: @MainActor () -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(15))
        while !condition() {
            guard ContinuousClock.now < deadline else { throw NeverHappened(description: what) }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// A wait of a chapter that timed out.
struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

public enum ChangeKind: String {
    case added
    case modified
    case removed
}

extension String {
    func wrapped(at width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, line.count + word.count + 1 > width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
        }
        return lines
    }

    func padded(to width: Int, alignRight: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - count))
        return alignRight ? fill + self : self + fill
    }
}
