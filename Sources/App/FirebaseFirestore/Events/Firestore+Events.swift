// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEvents
import FirestoreStorage

extension Firestore {
    /// What a handler of events does: it returns when the event is done with, and throws to be called again later.
    ///
    /// Beyond the Apple SDK.
    public typealias EventHandler = @Sendable (DocumentEvent) async throws -> Void

    /// Calls a handler for every change of the documents that match a pattern, made by any caller.
    ///
    /// ```swift
    /// try db.onDocumentWritten("orders/{order}", named: "mailer") { event in
    ///     guard event.kind == .created else { return }
    ///     try await send(event.data(as: Order.self), event.id)
    /// }
    /// ```
    /// Returning acknowledges the event. A handler that throws is called again after a second, then after longer and longer pauses up to
    /// ten minutes, for a day from the change on; then the event is kept as a dead one, which `hearth events` shows. The next event of a
    /// document waits for the one before; events of different documents are handled at the same time, up to sixteen.
    ///
    /// Every event is handled at least one time: after a crash, those that were not acknowledged are handled again, with the same
    /// ``DocumentEvent/id``. Writes that change nothing are no events.
    ///
    /// The name is how a handler finds its place again: with one, it continues after a restart where it was, as soon as it is
    /// registered, and the changes meanwhile are handled then. The first time it begins with the next change. Without a name it begins
    /// with the next change each time.
    ///
    /// Handlers run in no order with writes and listeners, in no isolation, and security rules do not apply to what they see. A handler
    /// that changes what triggers it is called again: it has to find that nothing is left to do.
    ///
    /// Beyond the Apple SDK: for the embedded database.
    ///
    /// - Parameters:
    ///   - document: A pattern of paths. `{name}` matches one segment, `{name=**}` several; their values are in
    ///     ``DocumentEvent/params``.
    ///   - name: 1 to 63 letters, digits, hyphens, underscores and dots; nil to remember nothing.
    ///   - handler: Called for each event, on any thread. Its task is cancelled when the registration is removed.
    /// - Returns: A registration whose `remove` ends the calls. Dropping it does not.
    /// - Throws: `invalidArgument` for a text that is not a pattern, and for a name that is not one; `alreadyExists` if a handler with this
    ///   name is registered; `unimplemented` for a database on a server, which calls no handlers in other processes.
    @discardableResult
    public func onDocumentWritten(
        _ document: String, named name: String? = nil, handler: @escaping EventHandler
    ) throws -> any ListenerRegistration {
        try handle([.created, .updated, .deleted], of: document, name, handler)
    }

    /// Calls a handler for every document that is created and matches a pattern. Otherwise like
    /// ``onDocumentWritten(_:named:handler:)``.
    ///
    /// Beyond the Apple SDK: for the embedded database.
    @discardableResult
    public func onDocumentCreated(
        _ document: String, named name: String? = nil, handler: @escaping EventHandler
    ) throws -> any ListenerRegistration {
        try handle([.created], of: document, name, handler)
    }

    /// Calls a handler for every change of a document that exists before and after and matches a pattern. Otherwise like
    /// ``onDocumentWritten(_:named:handler:)``.
    ///
    /// Beyond the Apple SDK: for the embedded database.
    @discardableResult
    public func onDocumentUpdated(
        _ document: String, named name: String? = nil, handler: @escaping EventHandler
    ) throws -> any ListenerRegistration {
        try handle([.updated], of: document, name, handler)
    }

    /// Calls a handler for every document that is deleted and matches a pattern. Otherwise like
    /// ``onDocumentWritten(_:named:handler:)``.
    ///
    /// Beyond the Apple SDK: for the embedded database.
    @discardableResult
    public func onDocumentDeleted(
        _ document: String, named name: String? = nil, handler: @escaping EventHandler
    ) throws -> any ListenerRegistration {
        try handle([.deleted], of: document, name, handler)
    }

    private func handle(
        _ kinds: Set<EventKind>, of document: String, _ name: String?, _ handler: @escaping EventHandler
    ) throws -> any ListenerRegistration {
        do throws(FirestoreError) {
            let pattern = try DocumentPattern(document)
            if let name { try EventTrigger.check(name: name) }
            var trigger = EventTrigger(owner: .handler, name: name ?? AutoID.make(), pattern: pattern, kinds: kinds)
            trigger.isDurable = name != nil
            let database = try followedDatabase()
            // Before this method returns: the next write is an event.
            trigger.start = .time(try database.log.commits(after: .none, limit: 0).end)
            return try eventHandlers.add(trigger, of: database, databaseID, firestore: self, handler)
        } catch {
            throw error.publicError
        }
    }

    /// For tests: the clock of the database was moved.
    package func timePassed() { eventHandlers.timePassed() }

    /// For tests: see ``EventHandlers/rest()``.
    package func handlersAtRest() async -> DocumentVersion { await eventHandlers.rest() }

    private func followedDatabase() throws(FirestoreError) -> any LoggedDatabase {
        let authority = try backend().authority(for: "a handler of events")
        if let database = authority?.service.followed as? any LoggedDatabase { return database }
        throw FirestoreError(
            .unimplemented,
            "handlers of events are called in the process that stores the database, and this one is on a server; `hearth serve` and Cloud "
                + "Firestore deliver events over HTTP, by triggers on the server")
    }
}
