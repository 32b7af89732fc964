// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

@testable import FirebaseFirestore

/// Pins as the app sees them (SY-D25).
@Suite struct PinsTests {
    private func open(_ backend: QueueingBackend) -> Firestore {
        let databaseID = DatabaseID(projectID: "demo-pins")
        return Firestore(app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true) {
            _, _, _ throws(FirestoreError) in backend
        }
    }

    private func failure(_ body: () async throws -> Void) async -> FirestoreErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return error as? FirestoreErrorCode
        }
    }

    @Test func `queries and documents are pinned, listed and unpinned by name`() async throws {
        let backend = QueueingBackend()
        backend.pinBoard = PinBoard()
        let db = open(backend)
        var lists = db.pins.makeAsyncIterator()
        #expect(try await lists.next()?.isEmpty == true)
        try await db.collection("trails").order(by: "n").limit(toLast: 3).keepOffline(named: "trails", refreshEvery: .seconds(60))
        #expect(try await lists.next()?.count == 1)
        try await db.document("huts/stone").keepOffline(named: "hut")
        let pins = try await db.pins.current()
        #expect(pins.map(\.id) == ["hut", "trails"] && pins.map(\.refreshInterval) == [.seconds(3_600), .seconds(60)])
        guard case .document(db.document("huts/stone")) = pins[0].target else { return #expect(Bool(false)) }
        guard case .query(db.collection("trails").order(by: "n").limit(toLast: 3)) = pins[1].target else { return #expect(Bool(false)) }
        #expect(pins[0].documentCount == 2 && pins[0].byteCount == 100 && !pins[0].isCurrent)
        #expect(pins[0].asOf == Date(timeIntervalSince1970: 1.5) && pins[0].lastError?.code == .permissionDenied)
        try await db.pins.refresh("hut")
        try await db.pins.unpin("hut")
        #expect(try await db.pins.current().map(\.name) == ["trails"])
        #expect(await failure { try await db.pins.unpin("hut") }?.code == .notFound)
        #expect(await failure { try await db.collection("a/b").keepOffline(named: "x") }?.code == .invalidArgument)
    }

    @Test(.enabled(if: Mode.current == .embedded, "a client of a server has pins, or no cache"))
    func `the embedded database needs no pins and stores none`() async throws {
        let embedded = Scratch.firestore()
        try await embedded.collection("trails").keepOffline(named: "trails")
        #expect(try await embedded.pins.current().isEmpty)
        var lists = embedded.pins.makeAsyncIterator()
        #expect(try await lists.next()?.isEmpty == true)
        #expect(try await lists.next() == nil)
        #expect(await failure { try await embedded.pins.unpin("trails") }?.code == .notFound)
    }

    @Test func `a client without a cache rejects pins`() async throws {
        let remote = open(QueueingBackend())
        #expect(await failure { try await remote.collection("trails").keepOffline(named: "trails") }?.code == .failedPrecondition)
        #expect(await failure { try await remote.pins.refresh("trails") }?.code == .notFound)
    }
}

/// Pins without a cache below them.
final class PinBoard: PinAdministration {
    private struct State {
        var pins: [String: PinnedTarget] = [:]
        var observers: [@Sendable () -> Void] = []
    }

    private final class Handle: ListenHandle {
        func remove() {}
    }

    private let state = Mutex(State())

    private func change(_ body: (inout State) -> Void) {
        let observers = state.withLock { state in
            body(&state)
            return state.observers
        }
        for observer in observers { observer() }
    }

    func pin(_ target: ClientTarget, named name: String, refreshEvery interval: Duration) async throws(FirestoreError) {
        let pin = PinnedTarget(
            name: name, target: target, refreshInterval: interval, documentCount: 2, byteCount: 100,
            asOf: DocumentVersion(microseconds: 1_500_000), isCurrent: false, lastError: FirestoreError(.permissionDenied, "no"))
        change { $0.pins[name] = pin }
    }

    func pinnedTargets() async throws(FirestoreError) -> [PinnedTarget] { state.withLock { $0.pins.values.sorted { $0.name < $1.name } } }

    func refreshPin(named name: String) async throws(FirestoreError) {
        guard state.withLock({ $0.pins[name] != nil }) else { throw FirestoreError(.notFound, "no pin") }
    }

    func unpin(_ name: String) async throws(FirestoreError) {
        try await refreshPin(named: name)
        change { $0.pins[name] = nil }
    }

    func observePins(_ body: @escaping @Sendable () -> Void) -> any ListenHandle {
        state.withLock { $0.observers.append(body) }
        return Handle()
    }
}
