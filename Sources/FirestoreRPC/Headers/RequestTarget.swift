// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// `/v1/projects/p?mask=a&mask=b`, taken apart.
enum RequestTarget {
    /// Returns the path as it was sent, and the parameters of the query, decoded.
    static func parse(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
        return (String(target[..<mark]), PercentEncoding.parameters(of: target[target.utf8.index(after: mark)...]))
    }
}
