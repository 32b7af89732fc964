// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation
    import FirestoreCore
    import FirestoreRPC
    import FirestoreRemote
    import Testing

    /// Processes over one PostgreSQL server (DN-9.3), with clients that do not care which one they use.
    struct SeveralServersTests {
        private func client(of node: HearthServerProcess) throws -> RemoteService {
            let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: try node.port))
            return RemoteService(
                channel, database: DatabaseID(projectID: "demo"), metadata: RPCMetadata([("authorization", "Bearer owner")]))
        }

        // DN-9.3 a, b, d; DN-8.1
        @Test func `no acknowledged commit is lost when a node is killed, and listeners elsewhere receive all of them`() async throws {
            let store = try StoreFixture()
            let nodes = [try store.node(), try store.node(), try store.node()]
            let clients = try nodes.map { try client(of: $0) }
            let heard = Mutex<[String: DocumentVersion]>([:])
            let listener = clients[2].watch(
                .query(StructuredQuery(scope: .collection(CollectionPath(trusted: "c")))), from: nil, context: .embedded,
                sink: Heard { document in heard.withLock { $0[document.key.path] = document.updateTime } })
            let acknowledged = await withTaskGroup(of: [String: DocumentVersion].self) { group in
                for (number, client) in clients.enumerated() {
                    group.addTask { await Self.write(client, prefix: "c/\(number)-", count: 60) }
                }
                try? await Task.sleep(for: .milliseconds(60))
                nodes[0].kill()
                return await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
            #expect(acknowledged.count >= 120, "\(acknowledged.count)")
            #expect(Set(acknowledged.values).count == acknowledged.count, "commit times are not unique")
            for (path, time) in acknowledged {
                let found = try await clients[1].documents([DocumentKey(trusted: path)], options: .latest, context: .embedded)
                #expect(found.documents[0]?.updateTime == time, "\(path)")
            }
            for _ in 0..<500 where !acknowledged.allSatisfy({ path, time in heard.withLock { $0[path] } == time }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(acknowledged.allSatisfy { path, time in heard.withLock { $0[path] } == time })
            listener.cancel()
            for client in clients { await client.shutdown() }
        }

        /// Returns the commits that were acknowledged. Stops when its node is gone.
        private static func write(_ client: RemoteService, prefix: String, count: Int) async -> [String: DocumentVersion] {
            var times: [String: DocumentVersion] = [:]
            for number in 0..<count {
                let key = DocumentKey(trusted: "\(prefix)\(number)")
                let write = Write(key: key, operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(number)))]))))
                guard let response = try? await client.commit([write], context: .embedded) else { return times }
                times[key.path] = response.commitTime
            }
            return times
        }
    }

    private final class Heard: WatchSink {
        private let body: @Sendable (Document) -> Void

        init(_ body: @escaping @Sendable (Document) -> Void) { self.body = body }

        func receive(_ batch: WatchBatch) {
            for case .update(let document) in batch.changes { body(document) }
        }

        func fail(_ error: FirestoreError) {}
    }
#endif
