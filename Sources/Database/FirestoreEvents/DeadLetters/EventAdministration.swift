// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What operators do with events that were given up, with answers in JSON: for the server's port and for the command.
package struct EventAdministration: Sendable {
    private let shelf: DeadLetterStore
    private let database: DatabaseID

    package init(_ shelf: DeadLetterStore, of database: DatabaseID) {
        self.shelf = shelf
        self.database = database
    }

    /// Equal as long as what `show` answers does not change, but for requests that are being carried out. Cheap to ask for.
    package func revision() async throws(FirestoreError) -> DeadLetterStore.Revision { try await shelf.revision() }

    /// One event with its documents, or all without: `{"events": […]}`.
    package func show(_ id: String?) async throws(FirestoreError) -> JSON {
        let letters = try await shelf.all()
        guard let id else {
            var events: [JSON] = []
            for letter in letters { events.append(try json(of: letter, withDocuments: false)) }
            return .object([("events", .array(events))])
        }
        guard let letter = letters.first(where: { equalUTF8($0.event.id, id) }) else { throw Self.missing(id) }
        return try json(of: letter, withDocuments: true)
    }

    /// Requests that one event or all are delivered again: `{"count": …}`.
    package func retry(_ id: String?) async throws(FirestoreError) -> JSON {
        try Self.answer(try await shelf.request(try await ids(id)), id)
    }

    /// Removes one event or all: `{"count": …}`.
    package func drop(_ id: String?) async throws(FirestoreError) -> JSON {
        try Self.answer(try await shelf.drop(try await ids(id)), id)
    }

    private func ids(_ id: String?) async throws(FirestoreError) -> Set<String> {
        if let id { return [id] }
        return Set(try await shelf.all().map(\.event.id))
    }

    private static func answer(_ found: Set<String>, _ id: String?) throws(FirestoreError) -> JSON {
        if let id, found.isEmpty { throw missing(id) }
        return .object([("count", .number(found.count))])
    }

    private static func missing(_ id: String) -> FirestoreError {
        FirestoreError(.notFound, "no event with the id \(id) was given up; it may have been delivered, or removed")
    }

    private func json(of letter: DeadLetter, withDocuments: Bool) throws(FirestoreError) -> JSON {
        guard case .object(var members) = try letter.json(in: database, withDocuments: withDocuments) else { return .null }
        if letter.isRequested { members.append(("retryRequested", .boolean(true))) }
        return .object(members)
    }
}
