// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore
import FirestoreRemote
import FirestoreTesting
import TestSupport
import Testing

@testable import FirebaseFirestore
@testable import FirestoreSync

/// A client with a cache in memory, the network to its server, and the server.
final class ClientFixture: Sendable {
    let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.server"))
    let client: SyncClient
    let service: RemoteService
    /// Callbacks of listeners.
    let callbacks = DispatchQueue(label: "hearth.tests.callbacks")

    init(
        offlineAfter: Duration = .seconds(60), file: String? = nil, failedWrites: FailedWritePolicy = .keep, cacheIsPerUser: Bool = false
    ) throws {
        service = network.connect()
        var settings = SyncEngine.Settings()
        settings.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(20))
        settings.offlineAfter = offlineAfter
        settings.failedWrites = failedWrites
        let database = network.databaseID
        client = try SyncClient(
            SyncClient.Parts(
                database: database, cacheIsPerUser: cacheIsPerUser, transport: try service.transport, service: service, settings: settings,
                cache: { user throws(FirestoreError) in
                    LocalStore.Configuration(
                        location: file.map { .file(path: $0) } ?? .memory, databaseID: database, server: "test.invalid", user: user)
                }))
    }

    static func with(
        offlineAfter: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation, _ body: (ClientFixture) async throws -> Void
    ) async throws {
        let fixture = try ClientFixture(offlineAfter: offlineAfter)
        do { try await body(fixture) } catch {
            try? await fixture.close()
            throw error
        }
        try await fixture.close()
    }

    func close() async throws {
        network.stopFailing()
        network.goOnline()
        await client.terminate()
        try await network.close()
    }

    /// The public API over this client.
    func firestore() -> Firestore {
        let db = Firestore(app: .unregistered(projectID: "demo-test"), databaseID: network.databaseID) {
            [client] (_, _, _) throws(FirestoreError) in client
        }
        let settings = db.settings
        settings.dispatchQueue = callbacks
        db.settings = settings
        return db
    }

    /// Writes, and returns when the writes are in the cache and shown.
    func write(_ writes: Write...) async {
        await withCheckedContinuation { continuation in
            client.write(writes, saved: { _ in continuation.resume() }, completion: { _ in })
        }
    }

    /// What the server has, whatever the network does.
    func onServer(_ path: String, _ n: Int?) async throws {
        if let n {
            try await network.server.document(path).setData(["n": n])
        } else {
            try await network.server.document(path).delete()
        }
    }

    // MARK: Reads in short

    /// `{n: 1} fc pw`, `missing fc`, or the code of the error.
    func read(_ path: String, _ source: ReadSource) async -> String {
        do {
            let answer = try await client.documents([DocumentKey(trusted: path)], from: source, at: .latest)
            var text = try answer.documents[0].map { try CacheFixture.short($0.fields) } ?? "missing"
            if answer.isFromCache { text += " fc" }
            if !answer.pendingKeys.isEmpty { text += " pw" }
            return text
        } catch {
            return "\((error as? FirestoreError)?.code ?? .unknown)"
        }
    }

    /// `[a b] fc pw`, or the code of the error.
    func run(_ query: StructuredQuery, _ source: ReadSource) async -> String {
        do {
            let answer = try await client.run(ClientQuery(query), from: source, at: .latest)
            var text = "[" + answer.documents.map(\.key.id).joined(separator: " ") + "]"
            if answer.isFromCache { text += " fc" }
            if answer.hasPendingWrites { text += " pw" }
            return text
        } catch {
            return "\(error.code)"
        }
    }

    /// Waits until the client knows that it is offline.
    func goOffline() async {
        network.goOffline()
        _ = await run(.collection("nothing"), .default)
    }

    // MARK: Listeners

    func listen(
        _ target: ClientTarget = .query("c"), metadata: Bool = true, source: ReadSource = .default,
        _ onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle {
        client.listen(
            to: target, options: ListenOptions(source: source, includeMetadataChanges: metadata),
            schedule: { [callbacks] job in callbacks.async(execute: job) }, onEvent: onEvent)
    }

    static func text(_ result: Result<ViewSnapshot, FirestoreError>) -> String {
        switch result {
        case .failure(let error): return "\(error.code)"
        case .success(let view):
            var text = "[" + view.documents.map(\.key.id).joined(separator: " ") + "]"
            if view.isFromCache { text += " fc" }
            if view.hasPendingWrites { text += " pw" }
            return text
        }
    }
}

/// What callbacks on other threads report.
final class Notes: Sendable {
    private let state = Mutex<[String]>([])

    func add(_ line: String) { state.withLock { $0.append(line) } }

    var lines: [String] { state.withLock { $0 } }
}
