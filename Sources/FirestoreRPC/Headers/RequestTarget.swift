// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Splits `/v1/projects/p?mask=a&mask=b`.
enum RequestTarget {
    /// Returns the path as sent, and the decoded parameters of the query.
    static func parse(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
        return (String(target[..<mark]), PercentEncoding.parameters(of: target[target.utf8.index(after: mark)...]))
    }
}
