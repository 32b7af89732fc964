// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreTokens
    import Foundation
    import Testing

    /// `hearth serve --store … --auth`: the accounts of all nodes.
    struct ClusterAccountsTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-accounts-" + AutoID.make())
        private let store: StoreFixture

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            store = try StoreFixture()
            let rules = folder.appendingPathComponent("signed.rules")
            try Data(
                "service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read: if request.auth != null; } } }".utf8
            ).write(to: rules)
            #expect(try HearthCommand("rules", "deploy", "--store", store.url, rules.path).exitCode == 0)
        }

        private func key(_ name: String) throws -> String {
            let file = folder.appendingPathComponent(name + ".pem").path
            try Data(SigningKey.create().pem.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            return file
        }

        private func words(_ key: String) throws -> [String] {
            let administrators = folder.appendingPathComponent("admin.key")
            try Data("RJm4FUlnAVRiro5hmS6UL0eiMKj7pINrhBpKpLFlxrQ\n".utf8).write(to: administrators)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: administrators.path)
            return [
                "--store", store.url, "--port", "0", "--no-console", "--auth", "0", "--auth-url", "http://127.0.0.1:9099", "--project", "demo",
                "--auth-providers", "anonymous,password", "--auth-key", key, "--admin-key-file", administrators.path,
            ]
        }

        private struct Node {
            let process: HearthServerProcess
            /// The port of the accounts.
            let accounts: Int

            init(_ words: [String]) throws {
                process = try HearthServerProcess(words)
                let line = process.readyLine
                let port = line.firstMatch(of: /accounts on 127\.0\.0\.1:([0-9]+)/).map { Int($0.1) } ?? nil
                accounts = try #require(port, "\(line)")
            }

            func call(_ method: String, _ body: String, isAdministrator: Bool = false) async throws -> [String: Any] {
                let path = isAdministrator ? "/v1/projects/demo/accounts:\(method)" : "/v1/accounts:\(method)?key=k"
                var headers = ["Content-Type": "application/json"]
                if isAdministrator { headers["Authorization"] = "Bearer RJm4FUlnAVRiro5hmS6UL0eiMKj7pINrhBpKpLFlxrQ" }
                let text = try await process.send(
                    "POST", "/identitytoolkit.googleapis.com" + path, body, headers: headers, port: accounts)
                return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
            }

            /// Whether a read is granted to a token.
            func grants(_ token: String) async throws -> Bool {
                let path = "/v1/projects/demo/databases/(default)/documents/c"
                let text = try await process.send("GET", path, nil, headers: ["Authorization": "Bearer " + token])
                #expect(text == "{}" || text.contains("UNAUTHENTICATED"), "\(text)")
                return text == "{}"
            }
        }

        // DN-6.2, DN-9.3 g
        @Test func `who signs up at one node is known to all, and a token that ended is refused by all from the answer on`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let words = try words(try key("one"))
            let nodes = [try Node(words), try Node(words), try Node(words)]
            let credentials = #"{"email": "ada@example.com", "password": "Analytical1", "returnSecureToken": true}"#
            let account = try await nodes[0].call("signUp", credentials)
            let id = try #require(account["localId"] as? String, "\(account)")
            #expect((try await nodes[1].call("signUp", credentials)["error"] as? [String: Any])?["message"] as? String == "EMAIL_EXISTS")
            for round in 0..<4 {
                let answer = try await nodes[round % 3].call("signInWithPassword", credentials)
                let token = try #require(answer["idToken"] as? String, "\(answer)")
                // Every node reads the account, and remembers what it has read.
                for node in nodes { #expect(try await node.grants(token)) }
                let change = #"{"localId": "\#(id)", "disableUser": true}"#
                _ = try await nodes[(round + 1) % 3].call("update", change, isAdministrator: true)
                for node in nodes { #expect(try await !node.grants(token), "round \(round)") }
                _ = try await nodes[(round + 2) % 3].call(
                    "update", #"{"localId": "\#(id)", "disableUser": false}"#, isAdministrator: true)
            }
        }

        @Test func `wrong passwords are counted over all nodes`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let words = try words(try key("one"))
            let nodes = [try Node(words), try Node(words)]
            _ = try await nodes[0].call("signUp", #"{"email": "ada@example.com", "password": "Analytical1"}"#)
            let start = ContinuousClock.now
            var refused = 0
            var message = ""
            while message != "TOO_MANY_ATTEMPTS_TRY_LATER", refused < 40 {
                let answer = try await nodes[refused % 2].call(
                    "signInWithPassword", #"{"email": "ada@example.com", "password": "wrong-\#(refused)"}"#)
                message = (answer["error"] as? [String: Any])?["message"] as? String ?? "none"
                if message == "INVALID_LOGIN_CREDENTIALS" { refused += 1 }
            }
            // Ten, and one more in a minute: as many as at one server.
            let minutes = Int((ContinuousClock.now - start) / .seconds(60))
            #expect((10...10 + minutes).contains(refused), "\(message)")
        }

        @Test func `a node with another signing key does not start, and keys are rotated in two steps`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let (one, two) = (try key("one"), try key("two"))
            func refusal(_ words: [String]) throws -> String {
                let answer = try HearthCommand(["serve"] + words, environment: [:])
                #expect(answer.exitCode != 0)
                return answer.errors
            }
            let words = try words(one)
            #expect(try refusal(words.filter { ![one, "--auth-key"].contains($0) }).contains("needs --auth-key"))
            #expect(try refusal(words + ["--auth-previous-key", two + "-"]).contains("does not exist"))
            #expect(
                try refusal(["--in-memory", "--auth", "--development", "--auth-key", one]).contains("--auth-key has no effect without --store"))
            let first = try Node(words)
            let token = try #require(try await first.call("signUp", "{}")["idToken"] as? String)
            #expect(try refusal(try self.words(two)).contains("sign tokens with another key than this one"))
            // All nodes accept the new key, then they sign with it.
            let accepting = try Node(words + ["--auth-previous-key", two])
            let signing = try Node(try self.words(two) + ["--auth-previous-key", one])
            #expect(try await signing.grants(token))
            let new = try #require(try await signing.call("signUp", "{}")["idToken"] as? String)
            #expect(try await accepting.grants(new))
        }

        @Test func `accounts of a cluster are exported and imported`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let node = try Node(try words(try key("one")))
            _ = try await node.call("signUp", #"{"email": "ada@example.com", "password": "Analytical1"}"#)
            let export = folder.appendingPathComponent("export").path
            let exported = try HearthCommand("accounts", "export", "--store", store.url, "--project", "demo", export)
            #expect(exported.exitCode == 0, "\(exported.errors)")
            let missing = try HearthCommand("accounts", "export", "--store", store.url, "--project", "other", export + "2")
            #expect(missing.exitCode == 2 && missing.errors.contains("no accounts of the project other"), "\(missing.errors)")
            let imported = try HearthCommand("accounts", "import", "--store", store.url, "--project", "copy", export)
            #expect(imported.exitCode == 0, "\(imported.errors)")
            let again = try HearthCommand("accounts", "export", "--store", store.url, "--project", "copy", export + "3")
            #expect(again.exitCode == 0, "\(again.errors)")
            let accounts = try String(contentsOfFile: export + "3/auth_export/accounts.json", encoding: .utf8)
            #expect(accounts.contains("ada@example.com"))
        }
    }
#endif
