// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer

/// Reads the question of a page.
enum ConsoleQuestion {
    /// The body of a request, which is a JSON object.
    static func body(_ exchange: any HTTPExchange, most: Int = 10 << 20) throws(FirestoreError) -> JSONNode {
        let body = exchange.request.body
        guard body.count <= most else { throw .invalidArgument("the body has \(body.count) bytes; send at most \(most)") }
        let json = try JSON(body.array)
        guard case .object = json else { throw .invalidArgument("the body must be a JSON object") }
        return JSONNode(json)
    }

    /// The parameter of a URL; the last one, if there are several.
    static func parameter(_ name: String, _ exchange: any HTTPExchange) -> String? {
        exchange.request.query.last { equalUTF8($0.name, name) }?.value
    }

    /// The database that a URL names: `?database=projects/P/databases/D`.
    static func database(_ exchange: any HTTPExchange) throws(FirestoreError) -> DatabaseID {
        guard let name = parameter("database", exchange) else {
            throw .invalidArgument("the URL names no database; add ?database=projects/P/databases/D")
        }
        return try database(name)
    }

    static func database(_ name: String) throws(FirestoreError) -> DatabaseID {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard parts.count == 4, equalUTF8(parts[0], "projects"), equalUTF8(parts[2], "databases") else {
            throw .invalidArgument("a database is named projects/P/databases/D", at: String(name.prefix(200)))
        }
        let database = DatabaseID(projectID: parts[1], databaseID: parts[3])
        try DatabaseRules.check(database)
        return database
    }

    /// A caller that a page describes: `"anonymous"`, or the claims of a user with `sub`; nil for the administrator.
    static func caller(_ node: JSONNode?) throws(FirestoreError) -> RequestContext.Caller {
        guard let node else { return .administrator }
        switch node.json {
        case .string("anonymous"): return .anonymous
        case .object(let claims):
            guard case .string(let id)? = node.json["sub"], !id.utf8.isEmpty else {
                throw node.failure("the claims need \"sub\", the id of the user")
            }
            return .user(id: id, claims: FieldMap(claims.map { ($0.name, Value(claim: $0.value)) }))
        default: throw node.failure("\"anonymous\" or an object with claims is expected")
        }
    }

    /// Runs `body`, and rejects the request with its error.
    static func answering<R: Sendable>(
        _ body: () async throws(FirestoreError) -> R
    ) async throws(HTTPRefusal) -> R {
        do throws(FirestoreError) { return try await body() } catch { throw HTTPRefusal(error) }
    }
}
