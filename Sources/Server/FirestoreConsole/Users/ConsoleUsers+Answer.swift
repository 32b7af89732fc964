// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC

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
