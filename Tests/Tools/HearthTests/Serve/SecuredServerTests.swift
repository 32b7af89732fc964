// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreTokens
import Foundation
import TestSupport
import Testing

@testable import hearth

/// `hearth serve` as a process, secured by rules, tokens and keys; asked over REST and gRPC.
@Suite(.waitingForProcesses, .timeLimit(.minutes(3))) struct SecuredServerTests {
    private let folder: ScratchFolder
    private let path = "/v1/projects/p/databases/(default)/documents/notes"

    init() throws { folder = try ScratchFolder() }

    private static let owned = RulesCommandTests.rules(
        "match /notes/{id} { allow read: if resource.data.owner == request.auth.uid; allow create: if request.auth != null; }")

    private static func status(_ answer: String) -> String {
        answer.components(separatedBy: "\"status\": \"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) } ?? "OK"
    }

    private func now() -> Int64 { SystemClock().now() / 1_000_000 }

    /// gRPC, as the SDKs use it.
    private func read(_ server: HearthServerProcess, token: String?) async throws -> String {
        let credentials = token.map { token in Credentials.provider(TokenProvider { AccessToken(token, expiry: .max) }) } ?? .none
        let service = try RemoteEndpoint(host: "127.0.0.1", port: try server.port, usesTLS: false, credentials: credentials)
            .open(DatabaseID(projectID: "p"))
        var outcome: String
        do throws(FirestoreError) {
            let found = try await service.documents([DocumentKey(trusted: "notes/1")], context: RequestContext(caller: .anonymous))
            outcome = found.documents[0] == nil ? "missing" : "found"
        } catch {
            outcome = "\(error.code)"
        }
        await service.shutdown()
        return outcome
    }

    @Test func `users are judged by rules, over REST and gRPC`() async throws {
        let keys = try await KeyServer()
        keys.publish("/keys", keys: [try TestIssuer.first.get()])
        let rules = try folder.file("firestore.rules", Self.owned)
        let adminKey = try AdministratorKeysTests.file(folder)
        let server = try HearthServerProcess(
            "--port", "0", "--project", "p", "--rules", rules, "--admin-key-file", adminKey, "--firebase-project", TestIssuer.project,
            "--firebase-keys-url", keys.url("/keys"))
        defer { server.kill() }
        func token(_ user: String, _ changes: [(name: String, value: JSON?)] = []) throws -> String {
            try TestIssuer.first.get().sign(TestIssuer.claims(at: now(), [("sub", .string(user))] + changes))
        }
        let (alice, bob) = (try token("alice"), try token("bob"))
        let note = #"{"fields":{"owner":{"stringValue":"alice"}}}"#
        func send(_ method: String, _ path: String, _ body: String?, _ token: String?) async throws -> String {
            Self.status(try await server.send(method, path, body, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:]))
        }
        #expect(try await send("POST", path + "?documentId=1", note, nil) == "PERMISSION_DENIED")
        #expect(try await send("POST", path + "?documentId=1", note, alice) == "OK")
        let expired = try token("alice", [("exp", .number(now() - 100))])
        let none = TestIssuer.token(header: #"{"alg":"none"}"#, TestIssuer.claims(at: now()))
        let table: [(token: String?, rest: String, gRPC: String)] = [
            (alice, "OK", "found"), (bob, "PERMISSION_DENIED", "permissionDenied"), (nil, "PERMISSION_DENIED", "permissionDenied"), (AdministratorKeysTests.first, "OK", "found"),
            ("owner", "UNAUTHENTICATED", "unauthenticated"), (expired, "UNAUTHENTICATED", "unauthenticated"), (none, "UNAUTHENTICATED", "unauthenticated"), ("x", "UNAUTHENTICATED", "unauthenticated"),
            (AdministratorKeysTests.second, "UNAUTHENTICATED", "unauthenticated"),
        ]
        for (index, row) in table.enumerated() {
            #expect(try await send("GET", path + "/1", nil, row.token) == row.rest, "row \(index)")
            #expect(try await read(server, token: row.token) == row.gRPC, "row \(index)")
        }
        // What a query costs includes documents of others.
        for (token, exitCode) in [(alice, Int32(2)), (AdministratorKeysTests.first, 0)] {
            let arguments = ["notes", "--where", "owner == \"alice\"", "--server", "127.0.0.1:\(try server.port)", "--project", "p", "--token-file"]
            let tokenFile = try folder.file("token", token)
            #expect(try HearthCommand(["query"] + arguments + [tokenFile], environment: [:]).exitCode == 0)
            let explained = try HearthCommand(["explain"] + arguments + [tokenFile], environment: [:])
            #expect(explained.exitCode == exitCode && explained.errors.contains("explain_options is for administrators") == (exitCode != 0), "\(explained)")
        }
        // Only administrators create databases: a name of a project costs a stranger nothing.
        let elsewhere = "/v1/projects/elsewhere/databases/(default)/documents/notes/1"
        #expect(try await send("GET", elsewhere, nil, alice) == "NOT_FOUND")
        #expect(try await send("PATCH", elsewhere, note, AdministratorKeysTests.first) == "OK")
        #expect(try await send("GET", elsewhere, nil, alice) == "OK")
        // What the emulators do without proof.
        let clear = "/emulator/v1/projects/p/databases/(default)/documents"
        for credentials in [nil, "owner", alice] as [String?] { #expect(try await send("DELETE", clear, nil, credentials) != "OK") }
        #expect(try await send("GET", path + "/1", nil, alice) == "OK")
        #expect(try await send("DELETE", clear, nil, AdministratorKeysTests.first) == "OK")
        // The reason is in the log, and nowhere else.
        let denied = try await server.send("GET", path + "/1", nil, headers: ["Authorization": "Bearer \(bob)"])
        #expect(denied.contains("Missing or insufficient permissions.") && !denied.contains("notes"))
        #expect(!server.errors.contains(alice) && !server.errors.contains(AdministratorKeysTests.first))
        server.terminate()
        #expect(server.waitForExit() == 0)
        // Written on a separate thread, and at the latest before the server ends.
        #expect(server.errors.contains("denied by rules") && server.errors.contains("get notes/1"), "\(server.errors)")
        await keys.stop()
    }

    @Test func `the command presents a key from a file`() async throws {
        let rules = try folder.file("firestore.rules", Self.owned)
        let adminKey = try AdministratorKeysTests.file(folder, "# for tests\n\(AdministratorKeysTests.first)\n")
        let server = try HearthServerProcess("--port", "0", "--rules", rules, "--admin-key-file", adminKey)
        defer { server.kill() }
        let place = ["--server", "127.0.0.1:\(try server.port)", "--project", "p"]
        #expect(try HearthCommand(["set", "notes/1", "{}", "--token-file", adminKey] + place, environment: [:]).exitCode == 0)
        #expect(try HearthCommand(["get", "notes/1"] + place, environment: ["HEARTH_TOKEN_FILE": adminKey]).exitCode == 0)
        let owner = try HearthCommand(["get", "notes/1"] + place, environment: [:])
        #expect(owner.exitCode == 2 && owner.errors.contains("development mode only"), "\(owner)")
        for (file, part) in [("/nonexistent", "does not exist"), (try folder.file("empty", " \n"), "does not contain a token")] {
            let refused = try HearthCommand(["get", "notes/1", "--token-file", file] + place, environment: [:])
            #expect(refused.exitCode == 2 && refused.errors.contains(part), "\(refused)")
        }
        #expect(try HearthCommand("get", "notes/1", "--token-file", adminKey, "--data", "x").errors.contains("--token-file requires --server"))
    }

    @Test func `rules are replaced while the server runs`() async throws {
        func rules(_ condition: String) -> String { RulesCommandTests.rules("match /notes/{id} { allow read: if \(condition); }") }
        let file = try folder.file("firestore.rules", rules("false"))
        let adminKey = try AdministratorKeysTests.file(folder)
        let server = try HearthServerProcess("--port", "0", "--project", "p", "--rules", file, "--admin-key-file", adminKey)
        defer { server.kill() }
        func isGranted() async throws -> Bool { Self.status(try await server.get(path + "/1")) == "NOT_FOUND" }
        func put(_ text: String, as name: String) throws { try text.write(toFile: name, atomically: false, encoding: .utf8) }
        #expect(try await !isGranted())
        // Renamed into place.
        try rules("true").write(toFile: file, atomically: true, encoding: .utf8)
        try await eventually("the new rules") { try await isGranted() }
        for broken in ["", "rules_version = '2'; service cloud.firestore { match /databases/{d}/docum", rules("nonsense(")] {
            let before = server.errors.components(separatedBy: "the new rules file is rejected").count
            try put(broken, as: file)
            await eventually("a refusal") { server.errors.components(separatedBy: "the new rules file is rejected").count > before }
            #expect(try await isGranted())
        }
        try FileManager.default.removeItem(atPath: file)
        await eventually("a message") { server.errors.contains("the file with the rules was removed") }
        #expect(try await isGranted())
        // In pieces, with SIGHUP at the end.
        let text = rules("false")
        try put(String(text.prefix(60)), as: file)
        try put(text, as: file)
        server.hangUp()
        try await eventually("the last rules") { try await !isGranted() }
        #expect(server.errors.contains("rules in force"))
        // The key changes too.
        _ = try AdministratorKeysTests.file(folder, AdministratorKeysTests.second)
        server.hangUp()
        try await eventually("the new key") {
            Self.status(try await server.send("GET", path + "/1", nil, headers: ["Authorization": "Bearer \(AdministratorKeysTests.second)"])) == "NOT_FOUND"
        }
        server.terminate()
        #expect(server.waitForExit() == 0)
    }

    @Test func `development mode explains, believes and lets rules be set until the file changes`() async throws {
        let file = try folder.file("firestore.rules", Self.owned)
        let server = try HearthServerProcess("--port", "0", "--development", "--rules", file)
        defer { server.kill() }
        #expect(server.errors.contains("development mode"))
        let unsigned = UnsignedToken.make([("sub", .string("bob"))])
        let header = ["Authorization": "Bearer \(unsigned)"]
        let note = #"{"fields":{"owner":{"stringValue":"alice"}}}"#
        #expect(Self.status(try await server.send("POST", path + "?documentId=1", note, headers: header)) == "OK")
        let denied = try await server.send("GET", path + "/1", nil, headers: header)
        #expect(denied.contains("L3:") && denied.contains("alice"), "\(denied)")
        #expect(Self.status(try await server.send("GET", path + "/1", nil, headers: ["Authorization": "Bearer owner"])) == "OK")
        let forwarded = try await server.send("GET", path + "/1", nil, headers: ["Authorization": "Bearer owner", "X-Forwarded-For": "203.0.113.1"])
        #expect(Self.status(forwarded) != "OK")
        let open = RulesCommandTests.rules("match /{all=**} { allow read; }")
        let upload = JSON.object([("rules", .object([("files", .array([.object([("name", .string("a")), ("content", .string(open))])]))]))]).text()
        _ = try await server.send("PUT", "/emulator/v1/projects/p:securityRules", upload)
        #expect(Self.status(try await server.get(path + "/1")) == "OK")
        try Self.owned.appending("// changed\n").write(toFile: file, atomically: true, encoding: .utf8)
        try await eventually("the rules of the file") { Self.status(try await server.get(path + "/1")) == "PERMISSION_DENIED" }
    }

    static let refusals: [(arguments: [String], files: [(name: String, text: String)], parts: [String])] = [
        (["--rules", "a.rules"], [], ["a.rules does not exist"]), (["--rules", "a.rules"], [("a.rules", "")], ["a.rules is empty"]), (["--rules", "a.rules"], [("a.rules", "x\n")], ["a.rules:1:1: error: "]),
        (["--rules", "a.rules", "--rules", "d=b.rules"], [("a.rules", "x"), ("b.rules", "y")], ["a.rules:1:1: error: ", "b.rules:1:1: error: "]), (["--admin-key-file", "k"], [], ["cannot be read"]),
        (["--admin-key-file", "k"], [("k", AdministratorKeysTests.first)], ["can be read or changed by other users"]), (["--issuer", "i"], [("i", "{}")], ["\"issuer\" is missing"]),
        (["--firebase-project", "p", "--firebase-keys-url", "http://keys.example"], [], ["must begin with https"]), (["--host", "0.0.0.0"], [], ["--allow-everything"]),
        (["--development", "--host", "0.0.0.0"], [], ["loopback"]),
    ]

    @Test(arguments: refusals.indices)
    func `a server with unsafe settings does not start`(index: Int) throws {
        let (arguments, files, parts) = Self.refusals[index]
        for (name, text) in files {
            let file = try folder.file(name, text)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
        let line = "cd \"$1\"; shift; \"$0\" serve --port 0 \"$@\""
        let command = try HearthCommand.shell(line, arguments: [folder.path] + arguments)
        #expect(command.exitCode == 2 && command.output.isEmpty, "\(command)")
        for part in parts { #expect(command.errors.contains(part), "\(command.errors)") }
    }
}
