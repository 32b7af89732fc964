// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// Which events a listener receives (SY-92, SY-92a).
@Suite struct ListenerGateTests {
    private final class Told {
        var events: [String] = []
    }

    /// A state of the view in which the gate of the first event is asked.
    struct FirstState: CustomTestStringConvertible {
        var isFromCache = true
        var isEmpty = true
        var hasCachedResults = false
        var online = OnlineState.unknown

        var testDescription: String {
            "\(isFromCache ? "from cache" : "synced"), \(isEmpty ? "empty" : "a document"), \(hasCachedResults ? "known" : "unknown"), \(online)"
        }

        static let all: [FirstState] = [true, false].flatMap { isFromCache in
            [true, false].flatMap { isEmpty in
                [true, false].flatMap { hasCachedResults in
                    [OnlineState.unknown, .online, .offline].map {
                        FirstState(isFromCache: isFromCache, isEmpty: isEmpty, hasCachedResults: hasCachedResults, online: $0)
                    }
                }
            }
        }
    }

    private func document(_ n: Int64, _ state: LocalDocument.State = .synced) -> LocalDocument {
        let document = RemoteDocument.found("c/a", 1, ("n", .integer(n))).document
        return LocalDocument(
            key: DocumentKey(trusted: "c/a"), content: document.map { .found($0) } ?? .none, version: DocumentVersion(microseconds: 1),
            state: state)
    }

    private func snapshot(_ state: FirstState) -> SyncSnapshot {
        let documents = state.isEmpty ? [] : [document(1)]
        return SyncSnapshot(
            documents: DocumentList(documents.compactMap(\.document)), changes: documents.map { SyncChange(kind: .modified, document: $0) },
            pendingKeys: [], isFromCache: state.isFromCache, syncStateChanged: true, hasCachedResults: state.hasCachedResults,
            readTime: .none)
    }

    private func listener(_ options: SyncListener.Options) -> (SyncListener, Told) {
        let told = Told()
        let listener = SyncListener(to: .query("c"), options: options) { result in
            if case .success(let snapshot) = result { told.events.append(EngineFixture.text(snapshot)) }
        }
        return (listener, told)
    }

    /// What opens the gate, for a listener of the server.
    private static func opens(_ state: FirstState) -> Bool {
        switch (state.isFromCache, state.online) {
        case (false, _), (_, .offline): true
        default: !state.isEmpty || state.hasCachedResults
        }
    }

    @Test(arguments: FirstState.all) func `the first event waits until there is something to say`(_ state: FirstState) {
        let first = "[\(state.isEmpty ? "] " : "a] +a ")\(state.isFromCache ? "fc" : "")".trimmingSuffix(" ")
        func expect(_ options: SyncListener.Options, _ isTold: Bool, _ comment: Comment) {
            let (listener, told) = listener(options)
            let added = [SyncChange(kind: .added, document: document(1))]
            #expect(listener.take(snapshot(state), state.online) { state.isEmpty ? [] : added } == isTold, comment)
            #expect(told.events == (isTold ? [first] : []), comment)
        }
        expect(.init(), Self.opens(state), "a listener")
        expect(.init(includeMetadataChanges: true), Self.opens(state), "a listener with metadata changes")
        expect(.init(source: .cache), true, "a listener of the cache")
        expect(.init(waitsForSync: true), !state.isFromCache || state.online == .offline, "a read")
        expect(.init(source: .server, waitsForSync: true), !state.isFromCache || state.online == .offline, "a read of the server")
    }

    @Test(arguments: FirstState.all) func `a waiting listener is notified when the client goes offline, and only then`(_ state: FirstState) {
        for waitsForSync in [false, true] {
            let (listener, told) = listener(.init(waitsForSync: waitsForSync))
            // Nothing to report before the view has a state.
            #expect(!listener.conditionsChanged(.offline) { [] })
            let isTold = listener.take(snapshot(state), state.online) { [] }
            #expect(!listener.conditionsChanged(.unknown) { [] })
            #expect(!listener.conditionsChanged(.online) { [] })
            #expect(listener.conditionsChanged(.offline) { [] } == !isTold)
            #expect(!listener.conditionsChanged(.offline) { [] })
            #expect(told.events.count == 1)
        }
    }

    /// Kinds of changes, whether the sync state or the pending writes have changed; what a listener without and one with metadata
    /// changes is notified.
    struct LaterState: Sendable {
        var kinds: [ViewChange.Kind] = []
        var syncStateChanged = false
        var pendingChanged = false
        var plain: String?
        var full: String?
    }

    static let later: [LaterState] = [
        LaterState(),
        LaterState(syncStateChanged: true, full: "[a] fc"),
        LaterState(pendingChanged: true, full: "[a] pw"),
        LaterState(syncStateChanged: true, pendingChanged: true, full: "[a] fc pw"),
        LaterState(kinds: [.metadata], pendingChanged: true, full: "[a] µa pw"),
        LaterState(kinds: [.metadata], full: "[a] µa"),
        LaterState(kinds: [.modified], plain: "[a] ~a", full: "[a] ~a"),
        LaterState(kinds: [.added], plain: "[a] +a", full: "[a] +a"),
        LaterState(kinds: [.removed], plain: "[a] -a", full: "[a] -a"),
        LaterState(kinds: [.modified, .metadata], syncStateChanged: true, plain: "[a] ~a fc", full: "[a] ~a µa fc"),
    ]

    @Test(arguments: later.indices) func `later events are changes of data, and of metadata where they are wanted`(_ place: Int) {
        let state = Self.later[place]
        for includesMetadata in [false, true] {
            let (listener, told) = listener(.init(includeMetadataChanges: includesMetadata))
            #expect(listener.take(snapshot(FirstState(isFromCache: false, isEmpty: false)), .online) { [] })
            told.events = []
            let next = SyncSnapshot(
                documents: DocumentList([document(1)].compactMap(\.document)),
                changes: state.kinds.map { SyncChange(kind: $0, document: document(1)) },
                pendingKeys: state.pendingChanged ? [DocumentKey(trusted: "c/a")] : [], isFromCache: state.syncStateChanged,
                syncStateChanged: state.syncStateChanged, hasCachedResults: true, readTime: .none)
            let expected = includesMetadata ? state.full : state.plain
            #expect(listener.take(next, .online) { [] } == (expected != nil))
            #expect(told.events == [expected].compactMap { $0 })
            // What was not reported is remembered.
            var same = next
            same.changes = []
            same.syncStateChanged = false
            #expect(!listener.take(same, .online) { [] })
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
