// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreGateway
import FirestoreRPC
import FirestoreServer

/// The triggers of a database, and the events of it that were given up (`/console/api/events`).
final class ConsoleEvents: Sendable {
    /// Enough for a page; the command lists all.
    private static let shown = 200

    private let letters: DeadLetterAdministration
    private let triggers: (any ConsoleTriggers)?
    /// What was read last: a page asks every few seconds, and ten thousand events are much to read.
    private let last = Mutex<Found?>(nil)

    private struct Found: Sendable {
        let database: DatabaseID
        let revision: DeadLetterStore.Revision
        let count: Int
        /// The newest first.
        let events: [JSON]
    }

    init(_ letters: DeadLetterAdministration, triggers: (any ConsoleTriggers)?) {
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
                guard let id else { return try await overview(of: database) }
                return try await letters.open(database) { (events) async throws(FirestoreError) in try await events.show(id) }
            }
        }
        exchange.respond(json: json.bytes())
    }

    private func overview(of database: DatabaseID) async throws(FirestoreError) -> JSON {
        let found = try await letters.open(database) { (events) async throws(FirestoreError) in try await self.found(events, of: database) }
        return .object([
            ("triggers", .array(await triggers?.triggers(of: database) ?? [])), ("count", .number(found.count)),
            ("events", .array(found.events)),
        ])
    }

    private func found(_ events: EventAdministration, of database: DatabaseID) async throws(FirestoreError) -> Found {
        let revision = try await events.revision()
        if let last = last.withLock({ $0 }), last.database == database, last.revision == revision { return last }
        let all = try await events.show(nil).elements("events")
        let found = Found(database: database, revision: revision, count: all.count, events: all.suffix(Self.shown).reversed())
        last.withLock { $0 = found }
        return found
    }
}
