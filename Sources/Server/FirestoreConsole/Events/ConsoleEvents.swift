// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreGateway
import FirestoreRPC
import FirestoreServer

/// The triggers of a database, and the events of it that were given up (`/console/api/events`).
struct ConsoleEvents: Sendable {
    /// Enough for a page; the command lists all.
    private static let shown = 200

    private let letters: ServedDeadLetters
    private let triggers: (any ConsoleTriggers)?

    init(_ letters: ServedDeadLetters, triggers: (any ConsoleTriggers)?) {
        self.letters = letters
        self.triggers = triggers
    }

    func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let database = try ConsoleQuestion.database(exchange)
            let id = ConsoleQuestion.parameter("id", exchange)
            switch exchange.request.method {
            case "POST":
                return try await letters.open(database) { (events) async throws(FirestoreError) in try await events.retry(id) }
            case "DELETE":
                return try await letters.open(database) { (events) async throws(FirestoreError) in try await events.drop(id) }
            default:
                let found = try await letters.open(database) { (events) async throws(FirestoreError) in try await events.show(id) }
                return id == nil ? await overview(of: database, found) : found
            }
        }
        exchange.respond(json: json.bytes())
    }

    private func overview(of database: DatabaseID, _ found: JSON) async -> JSON {
        let events = found.elements("events")
        return .object([
            ("triggers", .array(await triggers?.triggers(of: database) ?? [])), ("count", .number(events.count)),
            // The newest first.
            ("events", .array(events.suffix(Self.shown).reversed())),
        ])
    }
}
