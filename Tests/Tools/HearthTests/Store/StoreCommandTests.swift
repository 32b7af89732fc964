// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import Foundation
    import PostgresServer
    import Testing

    /// `hearth store` and `hearth serve --store`: what an operator meets.
    struct StoreCommandTests {
        @Test func `tables are created once, and status and check show what is there`() async throws {
            let store = try StoreFixture(isInitialized: false)
            let before = try HearthCommand("store", "status", "--store", store.url)
            #expect(before.exitCode == 2 && before.errors.contains("hearth store init"), "\(before.errors)")
            for _ in 0..<2 { #expect(try HearthCommand("store", "init", "--store", store.url).exitCode == 0) }
            let node = try store.node()
            #expect(try HearthCommand("set", "--server", "127.0.0.1:\(node.port)", "--project", "demo", "c/a", #"{"n": 1}"#).exitCode == 0)
            let status = try HearthCommand("store", "status", "--store", store.url)
            #expect(status.output.contains("demo/(default): last commit 20") && status.output.contains("histories: 1"), "\(status.output)")
            // Beside the node.
            let check = try HearthCommand("store", "check", "--store", store.url)
            #expect(check.exitCode == 0 && check.output.contains("demo/(default): 1 documents, 1 changes"), "\(check.output)")
            node.terminate()
            #expect(node.waitForExit() == 0)
        }

        @Test func `the console of a node shows all nodes, and which one it is`() async throws {
            let store = try StoreFixture()
            let key = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-key-" + AutoID.make()).path
            defer { try? FileManager.default.removeItem(atPath: key) }
            #expect(try HearthCommand("admin-key", key).exitCode == 0)
            let token = try String(contentsOfFile: key, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            let other = try store.node()
            let node = try HearthServerProcess("--store", store.url, "--port", "0", "--development", "--console-token", key)
            let report = try JSON(
                try await node.send("GET", "/console/api/server", nil, headers: ["Authorization": "Bearer \(token)"]).utf8)
            guard case .array(let nodes)? = report["nodes"] else { throw HearthServerProcess.NotReady(errors: "\(report)") }
            let found = Set(nodes.map { "\($0["address"]?.text() ?? "") \($0["live"]?.text() ?? "") \($0["self"]?.text() ?? "")" })
            #expect(found == ["\"127.0.0.1:\(try node.port)\" true true", "\"127.0.0.1:\(try other.port)\" true false"])
            #expect(report["data"]?.text().contains("postgres") == true)
        }

        @Test func `check finds what does not fit together`() async throws {
            let store = try StoreFixture()
            let node = try store.node()
            #expect(try HearthCommand("set", "--server", "127.0.0.1:\(node.port)", "--project", "demo", "c/a", #"{"n": 1}"#).exitCode == 0)
            let name = try #require(URL(string: store.url)).lastPathComponent.prefix { $0 != "?" }
            try PostgresServer.shared.run("UPDATE hearth.documents SET fields = '\\x0a01'", database: String(name))
            let check = try HearthCommand("store", "check", "--store", store.url)
            #expect(check.exitCode == 1 && check.output.contains("c/a"), "\(check.output)")
        }

        static let refused: [(words: [String], says: String)] = [
            (["--store", "postgres://u@127.0.0.1/x", "--data", "d"], "--data and --store exclude each other"),
            (["--store", "postgres://u@127.0.0.1/x", "--in-memory"], "--in-memory and --store exclude each other"),
            (["--store", "postgres://u:secret@127.0.0.1/x"], "HEARTH_STORE"),
            (["--store", "postgres://u@127.0.0.1/x", "--durability", "relaxed"], "synchronous_commit"),
            (["--in-memory", "--auth", "0", "--development", "--auth-key", "x"], "--auth-key has no effect without --store"),
            (["--store", "postgres://u@127.0.0.1:99999/x"], "port"),
            (["--store", "mysql://u@127.0.0.1/x"], "the URL of PostgreSQL is malformed"),
        ]

        @Test(arguments: refused)
        func `settings that do not fit are refused`(words: [String], says: String) throws {
            let answer = try HearthCommand(["serve", "--port", "0"] + words, environment: [:])
            #expect(answer.exitCode == 2 && answer.errors.contains(says), "\(answer.errors)")
            #expect(!answer.errors.contains("secret"))
        }

        @Test func `a password from the environment appears nowhere`() throws {
            let environment = ["HEARTH_STORE": "postgres://u:secret@127.0.0.1:1/x"]
            let shown = try HearthCommand(["serve", "--print-config"], environment: environment)
            #expect(shown.exitCode == 0 && shown.output.contains("127.0.0.1:1/x") && !shown.output.contains("secret"), "\(shown.output)")
            let started = try HearthCommand(["serve", "--port", "0"], environment: environment)
            #expect(started.exitCode == 2 && !started.errors.contains("secret"), "\(started.errors)")
        }

        @Test func `a database with another encoding is refused with what to do`() throws {
            let store = try StoreFixture(encoding: "LATIN1", isInitialized: false)
            let answer = try HearthCommand("store", "init", "--store", store.url)
            #expect(answer.exitCode == 2 && answer.errors.contains("UTF8"), "\(answer.errors)")
        }
    }
#endif
