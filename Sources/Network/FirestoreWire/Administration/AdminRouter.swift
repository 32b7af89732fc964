// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Finds the method of the admin API that an HTTP request calls, by verb and path.
package enum AdminRouter {
    /// Returns nil if nothing exists at that path for that verb. Throws `invalidArgument` for a path that is malformed.
    package static func match(
        verb: String, path: String, query: [(name: String, value: String)] = []
    ) throws(FirestoreError) -> AdminCall? {
        guard let segments = segments(path) else { return nil }
        let verb = verb == "HEAD" ? "GET" : verb
        for (method, route) in AdminMethod.routes where route.verb == verb {
            if let resource = try route.resource(of: segments) {
                return try AdminCall(method, route, resource: resource, query: query)
            }
        }
        return nil
    }

    /// The verbs with a method at a path, for `Allow`; empty if nothing exists there.
    package static func verbs(path: String) -> [String] {
        ["GET", "HEAD", "POST", "PATCH", "DELETE"].filter { (try? match(verb: $0, path: path)) != nil }
    }

    /// The segments behind `/v1/`; nil for a path that is none of the admin API.
    private static func segments(_ path: String) -> [Substring]? {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        guard segments.count >= 5, segments[0].isEmpty, segments[1] == "v1", segments[2] == "projects" else { return nil }
        return Array(segments[2...])
    }
}
