// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// What goes wrong on the way to a bucket, and there. // OT-15
@Suite(.timeLimit(.minutes(2)))
struct S3FailureTests {
    private static let page = ScriptedServer.Step.status(200, ["Content-Type: text/html"], "<html>Sign in</html>")

    // MARK: Trying again

    @Test(arguments: [
        ScriptedServer.Step.error(500, "InternalError"), .error(503, "SlowDown"), .status(429), .status(502, ["Content-Type: text/html"], "<html>"),
        .status(504), .error(400, "RequestTimeout"), .error(409, "ConditionalRequestConflict"), .drop, .answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel"),
        .answer("HTTP/1.1 200 OK\r\n"), .answer("nonsense\r\n\r\n"), .status(200, ["x-amz-checksum-sha256: AAAA"], "hello"),
    ])
    func `a passing failure is tried again`(step: ScriptedServer.Step) async throws {
        let waits = Waits()
        try await ScriptedServer.run(step, step, .object("hello")) { server in
            let store = try server.archive(waits: waits)
            #expect(try await store.get("a") == Array("hello".utf8))
            #expect(server.requests.count == 3)
        }
        #expect(waits.all == [.milliseconds(200), .milliseconds(600)])
    }

    @Test func `a server that does not answer is asked again`() async throws {
        // Several answers, for a machine on which one comes too late.
        try await ScriptedServer.run(.hang, .object("hello"), .object("hello"), .object("hello")) { server in
            let store = try server.archive { $0.idlePatience = .milliseconds(300) }
            #expect(try await store.get("a") == Array("hello".utf8))
        }
        try await ScriptedServer.run(.hang, .object("hello"), .object("hello"), .object("hello")) { server in
            let store = try server.archive { $0.patience = .milliseconds(300) }
            #expect(try await store.get("a") == Array("hello".utf8))
        }
    }

    @Test func `a failure that does not pass is reported with its last reason`() async throws {
        let step = ScriptedServer.Step.error(503, "SlowDown")
        try await ScriptedServer.run(step, step, step, step, step) { server in
            let store = try server.archive()
            await expectError(.unavailable, mentioning: "5 attempts", "503 (SlowDown)", "s3://box at http://127.0.0.1:\(server.port)") {
                try await store.put("a", [1])
            }
        }
        let unreachable = try await ScriptedServer.run { server in try server.archive { $0.attempts = 2 } }
        await expectError(.unavailable, mentioning: "2 attempts", "network") { try await unreachable.get("a") }
    }

    @Test func `a cancelled request is not tried again`() async throws {
        try await ScriptedServer.run(.hang) { server in
            let store = try server.archive()
            let task = Task { try await store.get("a") }
            await eventually("the request arrived") { server.requests.count == 1 }
            task.cancel()
            await expectError(.cancelled) { try await task.value }
            #expect(server.requests.count == 1)
        }
    }

    // MARK: Lost answers

    @Test func `bytes that are found after a lost answer count as stored by the call, others do not`() async throws {
        try await ScriptedServer.run(.drop, .error(412, "PreconditionFailed"), .object("mine")) { server in
            let store = try server.archive()
            #expect(try await store.put("a", Array("mine".utf8)))
            #expect(server.requests.map { $0.prefix(3) } == ["PUT", "PUT", "GET"])
        }
        try await ScriptedServer.run(.error(500, "InternalError"), .error(412, "PreconditionFailed"), .object("theirs")) { server in
            let store = try server.archive()
            #expect(try await !store.put("a", Array("mine".utf8)))
        }
    }

    @Test func `after a refusal without effect an object that exists is not this call's`() async throws {
        try await ScriptedServer.run(.error(503, "SlowDown"), .error(412, "PreconditionFailed")) { server in
            let store = try server.archive()
            #expect(try await !store.put("a", Array("mine".utf8)))
            #expect(server.requests.count == 2)
        }
    }

    // MARK: What an operator must correct

    static let refusals: [(ScriptedServer.Step, FirestoreError.Code, String)] = [
        (.error(403, "AccessDenied"), .permissionDenied, "s3:PutObject"), (.error(403, "SignatureDoesNotMatch"), .unauthenticated, "secret key"),
        (.error(403, "InvalidAccessKeyId"), .unauthenticated, "access key"), (.error(400, "ExpiredToken"), .unauthenticated, "have expired (ExpiredToken)"),
        (.error(403, "RequestTimeTooSkewed"), .failedPrecondition, "clock"), (.error(404, "NoSuchBucket"), .notFound, "no such bucket"),
        (.status(301, ["x-amz-bucket-region: us-west-2"]), .failedPrecondition, "set the region to us-west-2"),
        (.status(307, ["Location: http://127.0.0.1:1/"]), .failedPrecondition, "redirects"),
        (.error(400, "AuthorizationHeaderMalformed", "<Region>us-west-2</Region>"), .failedPrecondition, "set the region to us-west-2"),
        (.error(501, "NotImplemented"), .failedPrecondition, "conditional writes"), (page, .failedPrecondition, "an HTML page (HTTP status 200)"),
        (.status(404, ["Content-Type: text/html"], "<html>"), .failedPrecondition, "an HTML page (HTTP status 404)"),
        (.status(403, [], " <!DOCTYPE html>"), .failedPrecondition, "an HTML page"), (.status(404), .failedPrecondition, "not an answer of S3"),
        (.status(401, [], "{}"), .failedPrecondition, "not an answer of S3"), (.error(400, "Strange"), .failedPrecondition, "Strange: Words."),
    ]

    @Test(arguments: refusals.indices)
    func `a refusal is reported with the way out, without trying again`(index: Int) async throws {
        let (step, code, words) = Self.refusals[index]
        try await ScriptedServer.run(step, step, step, step) { server in
            let store = try server.archive()
            let location = "s3://box at http://127.0.0.1:\(server.port)"
            await expectError(code, mentioning: words, location) { try await store.get("a") }
            await expectError(code, mentioning: words, location) { try await store.put("a", [1]) }
            await expectError(code, mentioning: words, location) { try await store.delete("a") }
            await expectError(code, mentioning: words, location) { try await store.list("", after: nil, limit: 1) }
        }
    }

    @Test func `a server that answers everything with 200 has stored nothing`() async throws {
        try await ScriptedServer.run(.status(200, [], "ok"), .status(200, [], "ok"), .status(200, [], "ok")) { server in
            let store = try server.archive { $0.attempts = 2 }
            await expectError(.failedPrecondition, mentioning: "not an answer of S3") { try await store.put("a", [1]) }
            await expectError(.failedPrecondition, mentioning: "cannot be read") { try await store.list("", after: nil, limit: 1) }
        }
    }

    // MARK: Credentials

    private static func credentials(_ name: String) -> String {
        "# comment\n[other]\naws_access_key_id = X\naws_secret_access_key = Y\n[default]\naws_access_key_id = \(name)\nAWS_SECRET_ACCESS_KEY=s=1\n"
    }

    @Test func `a file of credentials is read again when they are refused`() async throws {
        let folder = try ScratchFolder()
        let source = try S3CredentialSource(file: try folder.file("credentials", Self.credentials("OLD")))
        _ = try folder.file("credentials", Self.credentials("NEW") + "aws_session_token = T\n")
        try await ScriptedServer.run(.error(400, "ExpiredToken"), .stored, .error(400, "ExpiredToken")) { server in
            let store = try server.archive(credentials: source)
            #expect(try await store.put("a", [1]))
            #expect(server.requests[0].contains("Credential=OLD/") && !server.requests[0].contains("security-token"))
            #expect(server.requests[1].contains("Credential=NEW/") && server.requests[1].contains("\r\nx-amz-security-token: T\r\n"))
            await expectError(.unauthenticated, mentioning: "renew those in \(folder.path)") { try await store.put("b", [1]) }
            #expect(server.requests.count == 3)
        }
    }

    @Test func `credentials come from a section of a file or from the environment`() throws {
        let folder = try ScratchFolder()
        let path = try folder.file("credentials", Self.credentials("OLD"))
        _ = try S3CredentialSource(file: path, profile: "other")
        expectImmediateError(.failedPrecondition, mentioning: "no section [third]", "[other], [default]") {
            try S3CredentialSource(file: path, profile: "third")
        }
        expectImmediateError(.failedPrecondition, mentioning: "aws_secret_access_key") {
            try S3CredentialSource(file: try folder.file("half", "[default]\naws_access_key_id = secret-thing"))
        }
        expectImmediateError(.failedPrecondition, mentioning: "credentials file cannot be opened") {
            try S3CredentialSource(file: folder.file("absent"))
        }
        expectImmediateError(.failedPrecondition, mentioning: "AWS_ACCESS_KEY_ID") {
            try S3CredentialSource(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""])
        }
    }

    @Test func `credentials are described without their secrets`() {
        let credentials = S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden", sessionToken: "hidden")
        #expect("\(credentials)" == "credentials AKID" && String(reflecting: credentials) == "credentials AKID")
    }
}
