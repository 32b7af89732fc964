// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Colours on a terminal, plain text elsewhere.
public struct TextStyle: Sendable {
    public static let plain = TextStyle(inColor: false)

    /// Colours unless the output is a file or a pipe, or the user asked for none (no-color.org).
    public static var forStandardOutput: TextStyle {
        let refused = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return TextStyle(inColor: isatty(STDOUT_FILENO) == 1 && !refused)
    }

    private let inColor: Bool

    func bold(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }
    func path(_ text: String) -> String { paint(text, "36") }
    func good(_ text: String) -> String { paint(text, "32") }
    func problem(_ text: String) -> String { paint(text, "31") }

    func change(_ kind: ChangeKind) -> String {
        let label = kind.rawValue.padded(to: 8)
        return switch kind {
        case .added: paint(label, "32")
        case .modified: paint(label, "33")
        case .removed: paint(label, "31")
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        inColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
