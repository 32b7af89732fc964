// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestorePostgres
    import FirestoreStorage
    import Foundation
    import PostgresLink
    import PostgresServer
    import Testing

    @Suite(.needsPostgres)
    struct SchemaTests {
        private func error(_ test: TestCluster) -> FirestoreError? {
            do { _ = try test.node() } catch { return error as? FirestoreError }
            return nil
        }

        @Test func `a schema without tables says how to create them`() throws {
            let test = try TestCluster(isInitialized: false)
            #expect(error(test)?.message.contains("hearth store init") == true)
            try test.run("CREATE SCHEMA \(test.schema)")
            #expect(error(test)?.message.contains("hearth store init") == true)
            try PostgresCluster.initialize(test.settings, test.options())
            #expect(error(test) == nil)
        }

        @Test func `what a node cannot use is named`() throws {
            let cases = [
                ("DROP TABLE SCHEMA.cluster; CREATE TABLE SCHEMA.cluster(x int)", "is not Hearth's"),
                ("UPDATE SCHEMA.cluster SET format = 9", "use a newer Hearth"),
                ("UPDATE SCHEMA.cluster SET min_writer = 9", "use a newer Hearth"),
                ("DROP TABLE SCHEMA.facts", "SCHEMA.facts"), ("DELETE FROM SCHEMA.cluster", "has no version"),
            ]
            for (sql, words) in cases {
                let test = try TestCluster()
                try test.run(sql)
                let found = error(test)
                #expect(found?.code == .failedPrecondition)
                #expect(found?.message.contains(words.replacingOccurrences(of: "SCHEMA", with: test.schema)) == true, "\(sql)")
            }
        }

        // DN-8.8
        @Test func `tables of an older format are migrated beside nodes that run`() throws {
            let test = try TestCluster()
            let running = try test.store()
            try running.put(["a/1": fields(1)])
            // As the first version made them.
            try test.run("ALTER TABLE SCHEMA.cluster DROP COLUMN timeline, DROP COLUMN since; ALTER TABLE SCHEMA.indexes DROP COLUMN expiry; UPDATE SCHEMA.cluster SET format = 1")
            #expect(error(test)?.message.contains("hearth store migrate") == true)
            #expect(try PostgresCluster.migrate(test.settings, test.options()) == 1)
            #expect(error(test) == nil)
            try running.put(["a/2": fields(2)])
            let node = try test.node()
            try node.membership.join(as: "a:1")
            #expect(try node.membership.deploy([ClusterRuleset(scope: "", hash: [1], text: "x")], removing: []) == 1)
            #expect(try PostgresCluster.migrate(test.settings, test.options()) == 3)
            try test.run("UPDATE SCHEMA.cluster SET format = 9")
            #expect(throws: FirestoreError.self) { try PostgresCluster.migrate(test.settings, test.options()) }
            let empty = try TestCluster(isInitialized: false)
            #expect(throws: FirestoreError.self) { try PostgresCluster.migrate(empty.settings, empty.options()) }
        }

        @Test func `a schema of others is not touched`() throws {
            let test = try TestCluster(isInitialized: false)
            try test.run("CREATE SCHEMA \(test.schema); CREATE TABLE SCHEMA.orders(x int)")
            #expect(throws: FirestoreError.self) { try PostgresCluster.initialize(test.settings, test.options()) }
        }

        @Test func `the error of a user without rights names them`() throws {
            let test = try TestCluster()
            let role = "r" + test.schema.dropFirst(10)
            try test.run("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(test.schema) TO \(role)")
            let settings = try PostgresSettings(url: PostgresServer.shared.url(user: role))
            var found: FirestoreError?
            do { _ = try PostgresCluster.connect(settings, test.options()) } catch { found = error }
            #expect(found?.code == .permissionDenied)
            #expect(found?.message.contains("GRANT USAGE ON SCHEMA") == true)
            try test.run("DROP OWNED BY \(role); DROP ROLE \(role)")
        }

        @Test(arguments: ["", "Hearth", "1a", "pg_x", "a-b", "a\"b", String(repeating: "a", count: 64)])
        func `names of schemas that would have to be quoted are rejected`(name: String) {
            #expect(throws: FirestoreError.self) { try PostgresTables(schema: name) }
        }

        /// DN-6.2, the row of `DatabaseRegistry`.
        @Test func `two nodes create the tables and a database at the same time`() async throws {
            let test = try TestCluster(isInitialized: false)
            let (settings, options) = (test.settings, test.options())
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        try PostgresCluster.initialize(settings, options)
                        let cluster = try PostgresCluster.connect(settings, options)
                        defer { cluster.close() }
                        try cluster.openStore(testDatabase, creating: true)?.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try test.node().databases() == [testDatabase])
            #expect(try test.run("SELECT count(*) FROM SCHEMA.epochs").hasPrefix("1"))
        }

        /// DN-8.3: tokens of the database before are too old.
        @Test func `a deleted database is gone, and another one begins with a new history`() throws {
            let test = try TestCluster()
            let store = try test.store()
            let time = try store.put(["a/1": fields(1)])
            let cluster = try test.node()
            try cluster.delete(testDatabase)
            #expect(try cluster.open(testDatabase, creating: false) == nil)
            #expect(throws: FirestoreError.self) { try store.put(["a/2": fields(2)]) }
            #expect(throws: FirestoreError.self) { try store.read { _ in 1 } }
            let again = try test.store()
            #expect(again.history != store.history)
            try again.read { (snapshot) throws(FirestoreError) in
                #expect(try snapshot.logFloor() > time)
                #expect(try snapshot.document(DocumentKey(trusted: "a/1")) == nil)
            }
            #expect(try test.run("SELECT count(*) FROM SCHEMA.documents").hasPrefix("0"))
        }

        @Test func `the status names databases with their last commits`() throws {
            let test = try TestCluster()
            let store = try test.store()
            let time = try store.put(["a/1": fields(1)])
            let status = try test.node().status()
            #expect(status.format == 3 && status.serverVersion >= 150_000)
            #expect(status.databases.map(\.id) == [testDatabase] && status.databases.map(\.lastCommit) == [time])
            #expect(status.databases.map(\.histories) == [1])
        }
    }
#endif
