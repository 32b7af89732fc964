// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation
    import PostgresServer
    import Testing

    /// Leases of nodes, and notices that all of them obey (DN-6.3).
    @Suite(.needsPostgres)
    struct MembershipTests {
        private final class Obeyed: Sendable {
            private let state = Mutex<[[Int64]?]>([])

            var all: [[Int64]?] { state.withLock { $0 } }

            func note(_ notices: [ClusterNotice]?) { state.withLock { $0.append(notices?.map(\.number)) } }
        }

        private func ruleset(_ text: String, scope: String = "") -> ClusterRuleset {
            ClusterRuleset(scope: scope, hash: [UInt8](text.utf8), text: text)
        }

        @Test func `a deployment is obeyed by every living node before it is answered`() throws {
            let test = try TestCluster()
            let publisher = try test.node().membership
            #expect(try publisher.deploy([ruleset("zero")], removing: []) == 0)
            let (a, b) = (try test.node().membership, try test.node().membership)
            let (atA, atB) = (Obeyed(), Obeyed())
            try a.join(as: "a:1") { atA.note($0) }
            try b.join(as: "b:1") { atB.note($0) }
            // Everything, as of the start.
            #expect(atA.all == [nil] && atB.all == [nil])
            #expect(try publisher.deploy([ruleset("one"), ruleset("other", scope: "archive")], removing: []) == 2)
            #expect(atA.all == [nil, [2]] && atB.all == [nil, [2]])
            #expect(try publisher.rulesets() == [ruleset("one"), ruleset("other", scope: "archive")])
            #expect(try publisher.deploy([], removing: ["archive"]) == 2)
            #expect(try publisher.rulesets() == [ruleset("one")])
            #expect(atA.all == [nil, [2], [3]])
            let nodes = try a.all()
            #expect(nodes.map(\.address) == ["a:1", "b:1"] && nodes.map(\.isLive) == [true, true])
            #expect(nodes.map(\.isSelf) == [true, false])
            b.leave()
            #expect(try a.all().map(\.address) == ["a:1"])
            #expect(try publisher.deploy([ruleset("two")], removing: []) == 1)
        }

        @Test func `a node that has missed notices obeys everything`() throws {
            let test = try TestCluster()
            let (publisher, node) = (try test.node().membership, try test.node().membership)
            let obeyed = Obeyed()
            try node.join(as: "a:1") { obeyed.note($0) }
            // A kind that a later version has, and one that was removed before the node looked.
            for change in ["INSERT INTO SCHEMA.notices SELECT notice, 99, '', now() FROM SCHEMA.cluster", "SELECT 1"] {
                try test.run("BEGIN; UPDATE SCHEMA.cluster SET notice = notice + 1; \(change); COMMIT")
                while try publisher.all().isEmpty {}
            }
            #expect(try publisher.deploy([ruleset("x")], removing: []) == 1)
            #expect(obeyed.all.dropFirst().allSatisfy { $0 == nil || $0 == [3] } && obeyed.all.dropFirst().contains { $0 == nil })
        }

        @Test func `a node that cannot obey has no lease, and is not waited for longer than that`() throws {
            let test = try TestCluster()
            let (publisher, cluster) = (try test.node().membership, try test.node())
            let store = try #require(try cluster.openStore(testDatabase, creating: true))
            defer { try? store.close() }
            let refuses = Mutex(false)
            try cluster.membership.join(as: "a:1") { (_) throws(FirestoreError) in
                if refuses.withLock({ $0 }) { throw FirestoreError(.unavailable, "not yet") }
            }
            try store.put(["c/a": fields(1)])
            refuses.withLock { $0 = true }
            #expect(try publisher.deploy([ruleset("x")], removing: []) == 0)
            #expect(!cluster.membership.isLive)
            #expect(throws: FirestoreError.self) { try store.put(["c/a": fields(2)]) }
            #expect(throws: FirestoreError.self) { try store.read { $0.readTime } }
            refuses.withLock { $0 = false }
            for _ in 0..<300 where !cluster.membership.isLive { Thread.sleep(forTimeInterval: 0.01) }
            try store.put(["c/a": fields(3)])
            #expect(try publisher.deploy([ruleset("y")], removing: []) == 1)
        }

        /// DN-6.3.2: the server refuses a node that was paused between its own check and the commit.
        @Test func `a commit of a node that the server takes for gone is refused`() throws {
            let test = try TestCluster()
            let cluster = try test.node()
            let store = try #require(try cluster.openStore(testDatabase, creating: true))
            defer { try? store.close() }
            try cluster.membership.join(as: "a:1") { _ in }
            try store.put(["c/a": fields(1)])
            let error = #expect(throws: FirestoreError.self) {
                for number in 0..<200 {
                    try test.run("UPDATE SCHEMA.nodes SET seen = now() - interval '1 minute'")
                    try store.put(["c/a": fields(number)])
                }
            }
            #expect(error?.code == .unavailable && error?.message.contains("lease") == true, "\(String(describing: error))")
        }

        @Test func `a process that has not joined needs no lease`() throws {
            let test = try TestCluster()
            let cluster = try test.node()
            #expect(cluster.membership.isLive)
            #expect(try cluster.membership.all().isEmpty)
        }
    }

    extension ClusterNodes {
        fileprivate func join(
            as address: String, obeying body: @escaping @Sendable ([ClusterNotice]?) throws(FirestoreError) -> Void
        ) throws(FirestoreError) {
            obey(body)
            try join(as: address)
        }
    }
#endif
