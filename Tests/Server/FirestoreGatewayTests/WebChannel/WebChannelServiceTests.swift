// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Foundation
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// Sessions of WebChannel over real databases, without a connection.
struct WebChannelServiceTests {
    private static let hello = #"{"database":"\#(PolledChannel.database)"}"#

    private static func add(_ collection: String, _ target: Int = 2) -> String {
        #"{"database":"\#(PolledChannel.database)","addTarget":{"query":{"structuredQuery":{"from":[{"collectionId":"\#(collection)"}],"#
            + #""orderBy":[{"field":{"fieldPath":"__name__"},"direction":"ASCENDING"}]},"parent":"\#(PolledChannel.database)/documents"},"targetId":\#(target)}}"#
    }

    private static func batch(_ token: String, _ id: String, _ fields: String) -> String {
        #"{"streamToken":"\#(token)","writes":[{"update":{"name":"\#(PolledChannel.database)/documents/\#(id)","fields":\#(fields)}}]}"#
    }

    private static func token(_ messages: [String]) -> String {
        guard let message = messages.first, case .string(let token)? = (try? JSON(message.utf8))?.first?["streamToken"] else { return "" }
        return token
    }

    @Test func `a page writes, and a page listens`() async throws {
        let fixture = ServerFixture()
        var listen = try #require(await PolledChannel(fixture, "Listen", Self.add("books"), page: "http://localhost:3000"))
        let first = await listen.poll(until: "readTime\":\"")
        #expect(first.first == #"[{"targetChange":{"targetChangeType":"ADD","targetIds":[2]}}]"#)
        var write = try #require(await PolledChannel(fixture, "Write", Self.hello, page: "http://localhost:3000"))
        let token = Self.token(await write.poll())
        // WC-62: what the SDK sends for numbers and times.
        let fields =
            #"{"z":{"doubleValue":"-0"},"n":{"doubleValue":"NaN"},"i":{"integerValue":"1"},"t":{"timestampValue":"2023-11-14T22:13:20.123000000Z"},"#
            + #""a":{"arrayValue":{"values":[]}},"o":{"nullValue":"NULL_VALUE"},"s":{"stringValue":"zażółć 😀"},"b":{"bytesValue":"AP+/"}}"#
        let reply = await write.post(Self.batch(token, "books/ż", fields))
        #expect(reply.status == 200)
        // WC-22. Whether the GET that has just ended is included depends on the time.
        let told = PolledChannel.reply(reply.text)
        #expect(told.count == 3 && [0, 1].contains(told[0]) && told[1] == 1 && told[2] > 0, "\(reply.text)")
        let answers = await write.poll()
        #expect(answers.first?.contains(#""writeResults":[{"updateTime":""#) == true && answers.first?.contains(#""commitTime":""#) == true)
        let change = await listen.poll(until: "documentChange")
        let text = change.joined()
        for part in [
            #""z":{"doubleValue":-0.0}"#, #""n":{"doubleValue":"NaN"}"#, #""i":{"integerValue":"1"}"#, #""s":{"stringValue":"zażółć 😀"}"#, #""o":{"nullValue":null}"#,
            #""t":{"timestampValue":"2023-11-14T22:13:20.123Z"}"#, #""a":{"arrayValue":{}}"#, #""b":{"bytesValue":"AP+/"}"#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        guard case .double(let zero)? = try await fixture.get("books/ż")["z"] else { throw RPCStatus(.notFound, "no z") }
        #expect(zero == 0 && zero.sign == .minus)
        #expect(await listen.terminate().status == 200)
        #expect(await listen.terminate().status == 400)
        #expect(await listen.poll() == ["400"])
    }

    @Test func `a repeated POST writes nothing twice, and an overtaken one waits`() async throws {
        let fixture = ServerFixture()
        var write = try #require(await PolledChannel(fixture, "Write", Self.hello))
        let token = Self.token(await write.poll())
        let path = "\(PolledChannel.database)/documents/books/a"
        func increment(_ number: Int) -> String {
            #"{"streamToken":"\#(token)","writes":[{"transform":{"document":"\#(path)","fieldTransforms":[{"fieldPath":"n","increment":{"integerValue":"\#(number)"}}]}}]}"#
        }
        for (first, number) in [(2, 10), (2, 10), (1, 1), (1, 1), (2, 10), (3, 100)] {
            let answer = await write.request("POST", [("RID", "\(first)")], body: PolledChannel.form([increment(number)], first: first))
            #expect(answer.status == 200)
        }
        var answers = 0
        for _ in 0..<20 where answers < 3 { answers += await write.poll().count { $0.contains("commitTime") } }
        #expect(try await fixture.get("books/a").fields == .of([("n", .integer(111))]))
    }

    // WC-45, WC-49, WC-50, WC-74
    @Test func `an invalid message or sender is reported in the stream`() async throws {
        let fixture = ServerFixture()
        let rows: [(method: String, message: String, headers: [(String, String)], expected: String)] = [
            ("Write", Self.hello, [("Authorization", "Bearer rubbish")], "UNAUTHENTICATED"), ("Listen", Self.add("a"), [("authorization", "Basic YTpi")], "UNAUTHENTICATED"),
            ("Write", "{", [], "INVALID_ARGUMENT"), ("Write", "", [], "INVALID_ARGUMENT"), ("Write", "[]", [], "INVALID_ARGUMENT"), ("Write", "7", [], "INVALID_ARGUMENT"),
            ("Listen", #"{"database":"\#(PolledChannel.database)","nothing":1}"#, [], "INVALID_ARGUMENT"), ("Listen", "{}", [], "INVALID_ARGUMENT"),
            ("Write", #"{"database":"projects/library/databases/other"}"#, [], "INVALID_ARGUMENT"), ("Write", "\"\\ud800\"", [], "INVALID_ARGUMENT"),
            ("Listen", #"{"database":"projects/other/databases/(default)","removeTarget":1}"#, [], "INVALID_ARGUMENT"),
            ("Listen", #"{"database":"\#(PolledChannel.database)","addTarget":{"targetId":-1,"documents":{"documents":["\#(PolledChannel.database)/documents/a/b"]}}}"#, [], "INVALID_ARGUMENT"),
        ]
        for row in rows {
            var channel = try #require(await PolledChannel(fixture, row.method, row.message, headers: row.headers))
            let answer = await channel.poll()
            #expect(answer.count == 1 && answer[0].hasPrefix(#"[{"error":{"status":"\#(row.expected)","message":""#), "\(row): \(answer)")
            // WC-46
            #expect(await channel.post("{}").status == 200)
            #expect(await channel.terminate().status == 200)
        }
        #expect(fixture.front.webChannels.count == 0)
        #expect(fixture.service.admission.current == 0)
    }

    // WC-4, WC-48, WC-50
    @Test func `an error of the channel is 400, with the words that the SDK looks for`() async throws {
        let fixture = ServerFixture()
        let path = PolledChannel.path("Listen")
        let rows: [(verb: String, query: [(String, String)], body: String, status: Int)] = [
            ("POST", [("VER", "8"), ("RID", "1"), ("SID", "none")], "count=0", 400), ("GET", [("VER", "8"), ("RID", "rpc"), ("SID", "none"), ("AID", "0")], "", 400),
            ("POST", [("VER", "8"), ("RID", "1"), ("SID", "none"), ("TYPE", "terminate")], "", 400), ("GET", [("VER", "8"), ("RID", "rpc"), ("SID", "null"), ("$req", "count=0")], "", 400),
            ("POST", [("RID", "1"), ("database", "d")], "", 400), ("POST", [("VER", "8"), ("database", "d")], "", 400), ("POST", [("VER", "8"), ("RID", "1")], "", 400),
            ("POST", [("VER", "8"), ("RID", "1"), ("database", "d")], "count=x", 400), ("PUT", [("VER", "8"), ("RID", "1")], "", 405), ("OPTIONS", [], "", 200),
        ]
        for (index, row) in rows.enumerated() {
            let answer = await fixture.http(row.verb, path, query: row.query.map { (name: $0.0, value: $0.1) }, body: row.body)
            #expect(answer.status == row.status, "\(row)")
            if index < 3 { #expect(answer.text.range(of: "Unknown SID").map { $0.lowerBound > answer.text.startIndex } ?? false) }
        }
        // The session of another method.
        let write = try #require(await PolledChannel(fixture, "Write", Self.hello))
        let answer = await fixture.http("GET", path, query: [("VER", "8"), ("RID", "rpc"), ("SID", write.session), ("AID", "0"), ("CI", "1")])
        #expect(answer.status == 400)
        // Other methods have no channel.
        #expect(await fixture.http("POST", "/google.firestore.v1.Firestore/Commit/channel", query: [("VER", "8")]).status == 404)
        _ = await write.terminate()
    }

    @Test func `a session ends with the token of its caller`() async throws {
        let authentication = FakeAuthentication()
        authentication.add("ada", .user(id: "ada", claims: FieldMap([])))
        let fixture = ServerFixture(authentication: authentication)
        var channel = try #require(await PolledChannel(fixture, "Listen", Self.add("books"), headers: [("Authorization", "Bearer ada")]))
        _ = await channel.poll(until: "readTime\":\"")
        authentication.revoke("ada")
        let end = await channel.poll(until: "error")
        #expect(end.last?.contains("UNAUTHENTICATED") == true)
        // A caller that cannot be identified immediately is awaited.
        let slow = FakeAuthentication(slow: true)
        slow.add("ada", .user(id: "ada", claims: FieldMap([])))
        let later = ServerFixture(authentication: slow)
        var waiting = try #require(await PolledChannel(later, "Write", Self.hello, headers: [("Authorization", "Bearer ada")]))
        await slow.untilAsked()
        slow.answer()
        #expect(await waiting.poll().first?.contains("streamToken") == true)
    }

    @Test func `rules see the caller of a session`() async throws {
        let rules = RulesRegistry()
        _ = rules.install(try Ruled.rules("match /own/{id} { allow read, write: if request.auth.uid == 'ada'; }"), for: .project("library"))
        let fixture = ServerFixture(rules: rules)
        for (header, expected) in [(Ruled.ada, "CURRENT"), (Ruled.bob, "PERMISSION_DENIED"), (Ruled.nobody, "PERMISSION_DENIED"), (Ruled.admin, "CURRENT")] {
            var channel = try #require(await PolledChannel(fixture, "Listen", Self.add("own"), headers: header.map { ($0.name, $0.value) }))
            let answer = await channel.poll(until: expected == "CURRENT" ? "CURRENT" : "REMOVE").joined()
            // WC-47: what is wrong with a target is no error of the stream.
            #expect(expected == "CURRENT" ? answer.contains("CURRENT") : answer.contains(#""cause":{"code":7"#), "\(answer)")
            #expect(!answer.contains(#"{"error""#))
        }
        for (header, isAllowed) in [(Ruled.ada, true), (Ruled.bob, false)] {
            var channel = try #require(await PolledChannel(fixture, "Write", Self.hello, headers: header.map { ($0.name, $0.value) }))
            let token = Self.token(await channel.poll())
            _ = await channel.post(Self.batch(token, "own/a", "{}"))
            #expect(await channel.poll().joined().contains(isAllowed ? "commitTime" : "PERMISSION_DENIED"))
        }
    }

    // WC-58
    @Test func `an empty batch ends a Write session well`() async throws {
        let fixture = ServerFixture()
        var write = try #require(await PolledChannel(fixture, "Write", Self.hello))
        let token = Self.token(await write.poll())
        #expect(await write.post(#"{"streamToken":"\#(token)","writes":[]}"#).status == 200)
        #expect(await write.poll() == [#"["close"]"#])
        #expect(await write.terminate().status == 200)
    }

    // WC-73
    @Test func `sessions are bounded for one page and for all, and ended ones release capacity`() async throws {
        let fixture = ServerFixture(maximumCalls: 20)
        var open: [PolledChannel] = []
        for _ in 0..<15 { open.append(try #require(await PolledChannel(fixture, "Write", Self.hello, page: "http://localhost:1"))) }
        let refused = await PolledChannel.handshake(fixture, "Write", Self.hello, page: "http://localhost:1")
        #expect(refused.status == 503)
        for _ in 0..<3 { open.append(try #require(await PolledChannel(fixture, "Write", Self.hello, page: "http://localhost:2"))) }
        #expect(await PolledChannel.handshake(fixture, "Write", Self.hello, page: "http://localhost:2").status == 503)
        #expect(fixture.service.admission.current == 18)
        for channel in open { #expect(await channel.terminate().status == 200) }
        #expect(fixture.service.admission.current == 0)
        #expect(await PolledChannel(fixture, "Write", Self.hello, page: "http://localhost:1") != nil)
    }

    @Test func `a rejected handshake releases its share of the sessions' capacity`() async throws {
        let fixture = ServerFixture(maximumCalls: 1)
        var open = try #require(await PolledChannel(fixture, "Listen", Self.add("books")))
        // The first snapshot has been sent: nothing more comes from the stream.
        _ = await open.poll(until: "readTime\":\"")
        let before = fixture.front.webChannels.heldBytes
        for _ in 0..<3 {
            #expect(await PolledChannel.handshake(fixture, "Write", String(repeating: " ", count: 10_000) + Self.hello).status == 503)
        }
        #expect(fixture.front.webChannels.heldBytes == before)
        #expect(await open.terminate().status == 200)
    }

    @Test func `a message has the size of a request at most`() async throws {
        let fixture = ServerFixture()
        var listen = try #require(await PolledChannel(fixture, "Listen", Self.add(String(repeating: "b", count: 10 << 20))))
        let answers = await listen.poll(until: "error")
        #expect(answers.last?.contains("split it") == true, "\(answers.last?.prefix(200) ?? "")")
    }

    @Test func `headers of proxies in a page's form are ignored`() async throws {
        let authentication = RecordingAuthentication()
        let fixture = ServerFixture(authentication: authentication)
        let form = PolledChannel.form([Self.add("books")], headers: [("X-Forwarded-For", "203.0.113.5"), ("x-app", "1")])
        let answer = await fixture.http(
            "POST", PolledChannel.path("Listen"), query: [("VER", "8"), ("database", PolledChannel.database), ("RID", "1"), ("CVER", "22")],
            headers: [("x-forwarded-for", "198.51.100.7"), ("x-app", "2")], body: form)
        #expect(answer.status == 200)
        let metadata = try #require(authentication.metadata)
        #expect(metadata.entries.filter { $0.name == "x-forwarded-for" }.map(\.value) == ["198.51.100.7"])
        #expect(metadata.entries.filter { $0.name == "x-app" }.map(\.value) == ["1"])
    }

    /// Accepts every caller, and records the last call.
    private final class RecordingAuthentication: CallAuthentication {
        private let last = Mutex<RPCMetadata?>(nil)
        var metadata: RPCMetadata? { last.withLock { $0 } }

        func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
            last.withLock { $0 = call.metadata }
            return CallIdentity(.anonymous)
        }

        func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity { CallIdentity(.anonymous) }
        func observe(_ body: @escaping @Sendable () -> Void) {}
    }

    @Test func `metrics distinguish sessions from other calls`() async throws {
        let fixture = ServerFixture()
        let write = try #require(await PolledChannel(fixture, "Write", Self.hello))
        #expect(fixture.registry.text.contains(#"hearth_calls_open{method="Write"} 1"#))
        _ = await write.terminate()
        #expect(fixture.registry.text.contains(#"hearth_calls_total{method="Write",transport="webchannel",code="CANCELLED"} 1"#), "\(fixture.registry.text)")
        #expect(fixture.registry.text.contains(#"hearth_calls_open{method="Write"} 0"#))
        _ = await write.terminate()
        #expect(fixture.registry.text.contains(#"hearth_requests_refused_total{transport="webchannel",code="INVALID_ARGUMENT"} 1"#))
    }

    // WC-59
    @Test func `a server that stops ends the stream with the reason, and makes no session`() async throws {
        let fixture = ServerFixture()
        var listen = try #require(await PolledChannel(fixture, "Listen", Self.add("books")))
        _ = await listen.poll(until: "readTime\":\"")
        fixture.front.webChannels.drain()
        #expect(await listen.poll(until: "error").last?.contains("UNAVAILABLE") == true)
        #expect(await PolledChannel.handshake(fixture, "Write", Self.hello).status == 503)
        fixture.front.webChannels.close()
        #expect(fixture.front.webChannels.count == 0 && fixture.service.admission.current == 0)
    }

    // WC-51, WC-52, WC-54
    @Test func `pages may read every answer, with credentials`() async throws {
        let fixture = ServerFixture()
        let page = "http://localhost:3000"
        let preflight = await fixture.http(
            "OPTIONS", "/v1/projects/library/databases/(default)/documents:commit",
            headers: [
                ("access-control-request-method", "POST"), ("access-control-request-headers", "google-cloud-resource-prefix,x-goog-api-client"),
                ("access-control-request-private-network", "true"),
            ], page: page)
        let plain = await fixture.http("POST", "/v1/projects/library/databases/(default)/documents:commit", query: [("key", "k"), ("$httpHeaders", "a:b")],
            headers: [("content-type", "text/plain")], body: "{}", page: page)
        let missing = await fixture.http("GET", "/nothing", page: page)
        let unknown = await fixture.http("POST", PolledChannel.path("Listen"), query: [("VER", "8"), ("RID", "1"), ("SID", "x")], page: page)
        let open = await PolledChannel.handshake(fixture, "Write", Self.hello, page: page)
        #expect([preflight, plain, missing, unknown, open].map(\.status) == [200, 200, 404, 400, 200])
        for answer in [preflight, plain, missing, unknown, open] {
            #expect(answer.headers["access-control-allow-origin"] == page)
            #expect(answer.headers["access-control-allow-credentials"] == "true")
            #expect(answer.headers["vary"] == "origin")
        }
        #expect(preflight.headers["access-control-allow-headers"] == "google-cloud-resource-prefix,x-goog-api-client")
        #expect(preflight.headers["access-control-allow-private-network"] == "true" && preflight.headers["access-control-max-age"] == "3600")
        #expect(open.headers["access-control-expose-headers"]?.contains("x-client-wire-protocol") == true)
    }

    /// DN-6.2: all requests of a session reach the process that has it.
    @Test func `a client that asks for a route gets the same one for every session`() async throws {
        let fixture = ServerFixture()
        var routes: [String?] = []
        for asks in [true, true, false] {
            var query = [("VER", "8"), ("RID", "1"), ("CVER", "22"), ("database", "projects/library/databases/(default)")]
            if asks { query.append(("X-HTTP-Session-Id", "gsessionid")) }
            let answer = await fixture.http(
                "POST", PolledChannel.path("Listen"), query: query, headers: [("content-type", "application/x-www-form-urlencoded")], body: "count=0")
            #expect(answer.status == 200)
            routes.append(answer.headers["x-http-session-id"])
        }
        #expect(routes[0] != nil && routes[0] == routes[1] && routes[2] == nil)
    }
}
