// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Splits `/v1/projects/p?mask=a&mask=b`.
enum RequestTarget {
    /// Returns the path as sent, and the decoded parameters of the query.
    static func parse(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
        return (String(target[..<mark]), PercentEncoding.parameters(of: target[target.utf8.index(after: mark)...]))
    }

    /// Splits `http://host:port/v1/…`, the form for proxies, which every server has to understand. The host in it replaces the header of
    /// that name (RFC 9112). nil for other targets.
    static func absolute(_ target: String) -> (authority: String, target: String)? {
        guard target.utf8.first != UInt8(ascii: "/") else { return nil }
        for scheme in ["http://", "https://"] where target.prefix(scheme.utf8.count).lowercased() == scheme {
            let rest = target.dropFirst(scheme.utf8.count)
            let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let path = rest[end...]
            return (String(rest[..<end]), path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path)
        }
        return nil
    }
}
