// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// `onDocumentWritten` and its kin, over the embedded database.
@Suite(.only(.eventHandlers)) struct EventHandlerTests {
    private struct Order: Codable, Equatable, Sendable { var total: Int }
    private struct Refusal: Error {}

    /// What handlers are called with.
    private final class Calls: Sendable {
        private let events = Mutex<[DocumentEvent]>([])

        func note(_ event: DocumentEvent) { events.withLock { $0.append(event) } }
        var all: [DocumentEvent] { events.withLock { $0 } }
    }

    private static func file(_ folder: ScratchFolder) -> Firestore {
        let db = Firestore.firestore(app: Scratch.app(project: "handlers"))
        let settings = db.settings
        settings.storage = .file(URL(fileURLWithPath: folder.file()))
        db.settings = settings
        return db
    }

    @Test func `a handler gets the states before and after, the parameters and the decoded document`() async throws {
        let (db, calls) = (Scratch.firestore(), Calls())
        try db.onDocumentWritten("orders/{order}/items/{item}") { calls.note($0) }
        let document = db.document("orders/1/items/2")
        try await document.setData(["total": 1])
        try await document.setData(["total": 1])
        try await document.setData(["total": 2])
        try await document.delete()
        try await db.document("orders/1").setData([:])
        await eventually("three changes are handled") { calls.all.count == 3 }
        let events = calls.all
        #expect(events.map(\.kind) == [.created, .updated, .deleted])
        #expect(events.map { $0.before?["total"] as? Int } == [nil, 1, 2])
        #expect(events.map { $0.after?["total"] as? Int } == [1, 2, nil])
        #expect(try events.map { try $0.data(as: Order.self).total } == [1, 2, 2])
        #expect(events.allSatisfy { $0.params == ["order": "1", "item": "2"] && $0.reference == document && $0.attempt == 1 })
        #expect(events[0].time == events[0].after?.updateTime)
        #expect(Set(events.map(\.id)).count == 3)
        try await db.terminate()
    }

    @Test func `handlers for one kind of change are called for it only`() async throws {
        let (db, calls) = (Scratch.firestore(), Calls())
        try db.onDocumentCreated("orders/{order}") { calls.note($0) }
        try db.onDocumentUpdated("orders/{order}") { calls.note($0) }
        try db.onDocumentDeleted("orders/{order}") { calls.note($0) }
        let document = db.document("orders/1")
        try await document.setData(["total": 1])
        try await document.setData(["total": 2])
        try await document.delete()
        await eventually("three changes are handled") { calls.all.count == 3 }
        #expect(Set(calls.all.map(\.kind)).count == 3)
        try await db.terminate()
    }

    // OT-47
    @Test func `a handler that throws is called again with the same event`() async throws {
        let (db, calls) = (Scratch.firestore(), Calls())
        try db.onDocumentCreated("orders/{order}") { event in
            calls.note(event)
            if event.attempt == 1 { throw Refusal() }
        }
        try await db.document("orders/1").setData(["total": 1])
        await eventually("it is called again") { calls.all.count == 2 }
        #expect(calls.all.map(\.attempt) == [1, 2])
        #expect(calls.all[0].id == calls.all[1].id)
        try await db.terminate()
    }

    // OT-47
    @Test func `a named handler continues after a restart where it was, one without a name begins with the next change`() async throws {
        let (folder, calls) = (try ScratchFolder(), Calls())
        var db = Self.file(folder)
        try db.onDocumentCreated("orders/{order}", named: "mailer") { calls.note($0) }
        try await db.document("orders/1").setData(["total": 1])
        await eventually("the first is handled") { calls.all.count == 1 }
        try await db.terminate()
        db = Self.file(folder)
        // While no handler is registered.
        try await db.document("orders/2").setData(["total": 2])
        let (named, unnamed) = (Calls(), Calls())
        try db.onDocumentCreated("orders/{order}", named: "mailer") { named.note($0) }
        try db.onDocumentCreated("orders/{order}") { unnamed.note($0) }
        try await db.document("orders/3").setData(["total": 3])
        await eventually("all are handled") { named.all.count == 2 && unnamed.all.count == 1 }
        #expect(named.all.map(\.reference.documentID) == ["2", "3"])
        #expect(unnamed.all.map(\.reference.documentID) == ["3"])
        try await db.terminate()
    }

    // OT-47
    @Test func `two names have separate places, separate ids, and a name is taken while its handler is registered`() async throws {
        let (db, first, second) = (Scratch.firestore(), Calls(), Calls())
        let registration = try db.onDocumentWritten("orders/{order}", named: "a") { first.note($0) }
        try db.onDocumentWritten("orders/{order}", named: "b") { second.note($0) }
        #expect(isFailure(await failure { try db.onDocumentWritten("x/{y}", named: "a") { _ in } }, .alreadyExists, naming: "\"a\""))
        try await db.document("orders/1").setData(["total": 1])
        await eventually("both are called") { first.all.count == 1 && second.all.count == 1 }
        #expect(first.all[0].id != second.all[0].id)
        registration.remove()
        registration.remove()
        try await db.document("orders/2").setData(["total": 2])
        await eventually("the other is called") { second.all.count == 2 }
        let again = Calls()
        try db.onDocumentWritten("orders/{order}", named: "a") { again.note($0) }
        await eventually("the next with this name continues") { again.all.map(\.reference.documentID) == ["2"] }
        #expect(first.all.count == 1)
        try await db.terminate()
    }

    // OT-47
    @Test func `removing a registration cancels a handler, and the event is handled by the next one`() async throws {
        let (db, calls) = (Scratch.firestore(), Calls())
        let wasCancelled = Mutex(false)
        let registration = try db.onDocumentWritten("orders/{order}", named: "a") { event in
            calls.note(event)
            do { try await Task.sleep(for: .seconds(3_600)) } catch {
                wasCancelled.withLock { $0 = true }
                throw error
            }
        }
        try await db.document("orders/1").setData(["total": 1])
        await eventually("it is called") { calls.all.count == 1 }
        registration.remove()
        await eventually("it is cancelled") { wasCancelled.withLock { $0 } }
        let next = Calls()
        try db.onDocumentWritten("orders/{order}", named: "a") { next.note($0) }
        await eventually("the next handles it") { next.all.first?.id == calls.all[0].id }
        try await db.terminate()
    }

    @Test func `a pattern or a name that cannot be used is refused`() async throws {
        let db = Scratch.firestore()
        #expect(isFailure(await failure { try db.onDocumentWritten("orders") { _ in } }, .invalidArgument, naming: "orders"))
        #expect(isFailure(await failure { try db.onDocumentWritten("o/{o}", named: "a/b") { _ in } }, .invalidArgument, naming: "a/b"))
        try await db.terminate()
        #expect(isFailure(await failure { try db.onDocumentWritten("o/{o}") { _ in } }, .failedPrecondition))
    }

    #if Remote
    // OP-88
    @Test func `for a database on a server handlers are unimplemented, and the message says what to use`() async throws {
        let db = Firestore.firestore(app: Scratch.app())
        db.useEmulator(withHost: "127.0.0.1", port: 1)
        let error = await failure { try db.onDocumentWritten("o/{o}") { _ in } }
        #expect(isFailure(error, .unimplemented, naming: "on a server", "triggers"))
        try await db.terminate()
    }
    #endif
}
