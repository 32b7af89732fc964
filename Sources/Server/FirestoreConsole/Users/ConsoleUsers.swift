// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreGateway
import FirestoreRPC

/// The accounts of users, for the console. The server knows no accounts; the process that starts it provides them.
package protocol ConsoleUsers: Sendable {
    /// Which accounts there are, for `/console/api/server`.
    var summary: JSON { get }

    /// Answers a question about accounts. The caller is an administrator; for a read-only console the question is one that reads.
    func respond(to question: ConsoleUsersQuestion) async throws(FirestoreError) -> JSON
}

/// A page's question about accounts.
package struct ConsoleUsersQuestion: Sendable {
    package enum Verb: Sendable { case read, change, delete }

    package let verb: Verb
    /// The parameters of the URL: `project`, `search`, `after`, `limit`, `codes`, `id`.
    package let parameters: [String: String]
    /// The body of a change, a JSON object.
    package let body: JSON
    /// The address of the caller.
    package let peer: String

    package init(_ verb: Verb, parameters: [String: String], body: JSON = .object([]), peer: String = "") {
        self.verb = verb
        self.parameters = parameters
        self.body = body
        self.peer = peer
    }
}

extension ConsoleUsers {
    private static var names: [String] { ["project", "search", "after", "limit", "codes", "id"] }

    func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        let answer = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            var parameters: [String: String] = [:]
            for name in Self.names { parameters[name] = ConsoleQuestion.parameter(name, exchange) }
            let peer = exchange.request.peer
            switch exchange.request.method {
            case "POST":
                let body = try ConsoleQuestion.body(exchange, most: 1 << 20).json
                return try await respond(to: ConsoleUsersQuestion(.change, parameters: parameters, body: body, peer: peer))
            case "DELETE": return try await respond(to: ConsoleUsersQuestion(.delete, parameters: parameters, peer: peer))
            default: return try await respond(to: ConsoleUsersQuestion(.read, parameters: parameters, peer: peer))
            }
        }
        exchange.respond(json: answer.bytes())
    }
}
