// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// Finds the method an HTTP request calls, by verb and path (HT-2).
package enum RESTRouter {
    /// Finds the call.
    ///
    /// - Parameters:
    ///   - path: `/v1/projects/P/databases/D/documents/…`, as it was sent: a segment is decoded after the path was split.
    ///   - query: The parameters behind the question mark, decoded.
    /// - Returns: nil if nothing exists at that path for that verb.
    /// - Throws: `invalidArgument` if a method exists but the path is malformed.
    package static func match(
        verb: String, path: String, query: [(name: String, value: String)] = []
    ) throws(FirestoreError) -> RESTCall? {
        guard let (database, found) = split(path), let last = found.last else { return nil }
        var segments = found
        if verb == "POST", let (rest, method) = suffix(of: last) {
            segments[segments.count - 1] = rest
            return try call(method, database, segments, query: query)
        }
        guard segments.count > 1 else { return nil }
        return try call(verb, database, segments, query: query)
    }

    /// The verbs with a method at a path, for `Allow`; empty if nothing exists there.
    package static func verbs(path: String) -> [String] {
        ["GET", "HEAD", "POST", "PATCH", "DELETE"].filter { (try? match(verb: $0, path: path)) != nil }
    }

    /// The database's name, and the following segments, `documents` first, still encoded.
    private static func split(_ path: String) -> (database: [Substring], segments: [Substring])? {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        guard segments.count >= 7, segments[0].isEmpty, segments[1] == "v1", segments[2] == "projects", segments[4] == "databases",
            segments[6] == "documents" || segments.count == 7 && segments[6].utf8.starts(with: "documents:".utf8)
        else { return nil }
        return ([segments[3], segments[5]], Array(segments[6...]))
    }

    /// Splits `documents:commit` into the text before the last colon and the method named after it.
    private static func suffix(of segment: Substring) -> (rest: Substring, method: FirestoreMethod)? {
        guard let colon = segment.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = segment[segment.utf8.index(after: colon)...]
        guard let method = FirestoreMethod.allCases.first(where: { $0.suffix.map { $0 == name } ?? false }) else { return nil }
        return (segment[..<colon], method)
    }

    private static func call(
        _ method: FirestoreMethod, _ database: [Substring], _ segments: [Substring], query: [(name: String, value: String)]
    ) throws(FirestoreError) -> RESTCall? {
        let name = try databaseName(database)
        guard method.resource == "database" else {
            // The root, or a document.
            let rest = try decoded(segments.dropFirst())
            guard rest.count % 2 == 0 else { throw oddPath(rest) }
            return try RESTCall(method, resource: ([name + "/documents"] + rest).joined(separator: "/"), query: query)
        }
        guard segments.count == 1 else { return nil }
        return try RESTCall(method, resource: name, query: query)
    }

    private static func call(
        _ verb: String, _ database: [Substring], _ segments: [Substring], query: [(name: String, value: String)]
    ) throws(FirestoreError) -> RESTCall? {
        let root = try databaseName(database) + "/documents"
        let path = try decoded(segments.dropFirst())
        let isDocument = path.count % 2 == 0
        func call(_ method: FirestoreMethod) throws(FirestoreError) -> RESTCall {
            if method.resource != "parent" {
                return try RESTCall(method, resource: ([root] + path).joined(separator: "/"), query: query)
            }
            return try RESTCall(
                method, resource: ([root] + path.dropLast()).joined(separator: "/"), collectionID: path.last,
                query: query)
        }
        switch verb {
        // A path with an odd number of segments is that of a collection (DM-9).
        case "GET", "HEAD": return try call(isDocument ? .getDocument : .listDocuments)
        case "POST":
            guard !isDocument else {
                throw .invalidArgument(
                    "documents are created in a collection, whose path has an odd number of segments",
                    at: path.joined(separator: "/"))
            }
            return try call(.createDocument)
        case "PATCH":
            guard isDocument else { throw oddPath(path) }
            return try call(.updateDocument)
        case "DELETE":
            guard isDocument else { throw oddPath(path) }
            return try call(.deleteDocument)
        default: return nil
        }
    }

    private static func oddPath(_ path: [String]) -> FirestoreError {
        .invalidArgument(
            "a document's path has an even number of segments; this one lacks \"/\" and an id", at: path.joined(separator: "/"))
    }

    private static func databaseName(_ segments: [Substring]) throws(FirestoreError) -> String {
        let names = try decoded(segments[...])
        return "projects/\(names[0])/databases/\(names[1])"
    }

    /// Each segment separately, so that an encoded slash does not add one (DM-8).
    private static func decoded(_ segments: ArraySlice<Substring>) throws(FirestoreError) -> [String] {
        var result: [String] = []
        for segment in segments {
            guard let text = PercentEncoding.decode(segment) else {
                throw .invalidArgument("the percent-encoding in the URL is malformed, or what it says is not UTF-8")
            }
            guard !text.utf8.contains(UInt8(ascii: "/")) else {
                throw .invalidArgument("an id in the URL contains a slash; ids cannot", at: text)
            }
            result.append(text)
        }
        return result
    }
}
