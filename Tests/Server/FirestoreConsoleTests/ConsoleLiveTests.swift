// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import Foundation
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreConsole

/// The console's stream, over a real socket.
struct ConsoleLiveTests {
    /// The value of a document's number in a line of a listener.
    private static func number(_ response: JSON) -> String? {
        guard case .string(let text)? = response["documentChange"]?["document"]?["fields"]?["n"]?["integerValue"] else { return nil }
        return text
    }

    private static func kind(_ response: JSON) -> String? {
        guard case .string(let text)? = response["targetChange"]?["targetChangeType"] else { return nil }
        return text
    }

    @Test func `a page receives a query and its changes, and resumes from its position`() async throws {
        try await ConsoleFixture.run { console in
            #expect(await console.set("books/a", 1) == "200")
            let stream = console.live(#"{"database":"\#(ConsoleFixture.database)","targets":[\#(ConsoleFixture.target(7, "books"))]}"#)
            let head = await stream.head()
            #expect(head.hasPrefix("http/1.1 200") && head.contains("content-type: application/x-ndjson") && head.contains("cache-control: no-store") && head.contains("default-src 'none'"))
            var (numbers, kinds, token): ([String], [String], String?) = ([], [], nil)
            while token == nil, let line = try await stream.next("listen") {
                numbers += Self.number(line).map { [$0] } ?? []
                kinds += Self.kind(line).map { [$0] } ?? []
                // A snapshot of all targets has no kind.
                if line["targetChange"] != nil, Self.kind(line) == nil, case .string(let text)? = line["targetChange"]?["resumeToken"] { token = text }
            }
            #expect(numbers == ["1"] && kinds == ["ADD", "CURRENT"])
            #expect(await console.set("books/b", 2) == "200")
            while let line = try await stream.next("listen") {
                guard let number = Self.number(line) else { continue }
                #expect(number == "2" && line["documentChange"]?["targetIds"]?.text() == "[7]")
                break
            }
            stream.cut()
            // Only what was not reported before.
            let resumed = ConsoleFixture.target(7, "books").dropLast() + #","resumeToken":"\#(token ?? "")"}"#
            let second = console.live(#"{"database":"\#(ConsoleFixture.database)","targets":[\#(resumed)]}"#)
            var told: [String] = []
            while let line = try await second.next("listen") {
                told += Self.number(line).map { [$0] } ?? []
                if Self.kind(line) == "CURRENT" { break }
            }
            #expect(told == ["2"])
            #expect(await console.ask("DELETE", "\(ConsoleFixture.root)/books/b", token: "owner").status == "200")
            while let line = try await second.next("listen") {
                guard let deleted = line["documentDelete"] else { continue }
                #expect(deleted["document"]?.text() == "\"\(ConsoleFixture.database)/documents/books/b\"")
                break
            }
            second.cut()
        }
    }

    @Test func `listeners in the name of others, under rules that change`() async throws {
        try await ConsoleFixture.run(rules: "match /books/{id} { allow read: if request.auth.uid == 'alice'; }") { console in
            #expect(await console.set("books/a", 1) == "200")
            func body(_ viewAs: String) -> String {
                #"{"database":"\#(ConsoleFixture.database)","as":\#(viewAs),"targets":[\#(ConsoleFixture.target(1, "books"))]}"#
            }
            for (viewAs, kinds) in [(#""anonymous""#, ["ADD", "REMOVE"]), (#"{"sub":"bob"}"#, ["ADD", "REMOVE"]), (#"{"sub":"alice"}"#, ["ADD", "CURRENT"]), ("null", ["ADD", "CURRENT"])] {
                let stream = console.live(body(viewAs))
                var told: [String] = []
                while told.last != kinds.last, let line = try await stream.next("listen") { told += Self.kind(line).map { [$0] } ?? [] }
                #expect(told == kinds || told == Array(kinds.dropFirst()), "\(viewAs): \(told)")
                stream.cut()
            }
            let alice = console.live(body(#"{"sub":"alice"}"#))
            while let line = try await alice.next("listen"), Self.kind(line) != "CURRENT" {}
            console.rules.install(try Ruled.rules("match /none/{id} { allow read; }"), for: .everyDatabase)
            var cause: String?
            while cause == nil, let line = try await alice.next("listen") {
                if Self.kind(line) == "REMOVE" { cause = line["targetChange"]?["cause"]?["code"]?.text() }
            }
            #expect(cause == "7")
            alice.cut()
        }
    }

    @Test func `metrics are streamed as they are sampled`() async throws {
        try await ConsoleFixture.run { console in
            let stream = console.live(#"{"topics":["metrics","weather"]}"#)
            let sample = try #require(try await stream.next("metrics"))
            #expect(sample["calls"] != nil && sample["time"] != nil)
            stream.cut()
        }
    }

    @Test func `calls of apps as they end, and none of the console's own`() async throws {
        try await ConsoleFixture.run { console in
            let stream = console.live(#"{"topics":["requests"]}"#)
            _ = await stream.head()
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/own").status == "404")
            #expect(await console.set("books/app", 1) == "200")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/as", headers: ["hearth-console-as: anonymous"]).status == "404")
            var told = ""
            while !told.contains("books/as"), let entries = try await stream.next("requests") { told += entries.text() }
            #expect(told.contains("books/app") && !told.contains("books/own"), "\(told)")
            stream.cut()
        }
    }

    @Test func `a page is notified when the server stops`() async throws {
        try await ConsoleFixture.run { console in
            let plain = console.live("{}")
            let listening = console.live(#"{"database":"\#(ConsoleFixture.database)","targets":[\#(ConsoleFixture.target(1, "books"))]}"#)
            while let line = try await listening.next("listen"), Self.kind(line) != "CURRENT" {}
            _ = await plain.head()
            await console.server.stop()
            for stream in [plain, listening] {
                let error = try await stream.next("error")
                #expect(error?["status"]?.text() == #""UNAVAILABLE""# && error?["code"]?.text() == "503")
                #expect(await stream.line() == nil)
            }
        }
    }

    @Test(arguments: [
        (#"{"targets":[{}]}"#, "400", "is missing"), (#"{"database":"library","targets":[]}"#, "400", "projects/P/databases/D"), ("[]", "400", "object"), ("", "400", "JSON"),
        (#"{"database":"projects/none/databases/(default)","targets":[]}"#, "404", "does not exist"), (#"{"as":{"name":"x"}}"#, "400", "claims"), (#"{"as":"root"}"#, "400", "claims"),
        (#"{"topics":"metrics"}"#, "400", "array"), (#"{"database":"projects/library/databases/(default)","targets":[\#(Array(repeating: "{}", count: 11).joined(separator: ","))]}"#, "400", "at most 10"),
        (#"{"database":"projects/library/databases/(default)","targets":[{"targetId":1,"query":7}]}"#, "400", "query"),
    ])
    func `an invalid stream is rejected immediately`(body: String, status: String, part: String) async throws {
        try await ConsoleFixture.run { console in
            let answer = await console.ask("POST", "/console/api/live", body: body)
            #expect(answer.status == status && answer.body.contains(part), "\(answer.body)")
        }
    }

    @Test func `a target that cannot be is removed, and others live`() async throws {
        try await ConsoleFixture.run { console in
            let bad = #"{"targetId":1,"query":{"parent":"\#(ConsoleFixture.database)/documents","structuredQuery":{"from":[{"collectionId":"a/b"}]}}}"#
            let stream = console.live(#"{"database":"\#(ConsoleFixture.database)","targets":[\#(bad),\#(ConsoleFixture.target(2, "books"))]}"#)
            var ended: [String: String] = [:]
            while ended.count < 2, let line = try await stream.next("listen") {
                if let kind = Self.kind(line), kind != "ADD" { ended[line["targetChange"]?["targetIds"]?.text() ?? ""] = kind }
            }
            #expect(ended == ["[1]": "REMOVE", "[2]": "CURRENT"])
            stream.cut()
        }
    }

    @Test func `a page that has gone is forgotten`() async throws {
        let server = ServerFixture()
        let streams = ConsoleStreams(server.service, requests: ConsoleRequests(authentication: UnprovedAuthentication()), figures: UsageRing { nil })
        let exchange = SlowExchange(#"{"topics":["metrics"]}"#)
        try streams.open(exchange)
        #expect(streams.count == 1)
        exchange.leave()
        #expect(streams.count == 0)
        streams.drain()
        let late = #expect(throws: HTTPRefusal.self) { try streams.open(SlowExchange("{}")) }
        #expect(late?.status == 503)
    }

    @Test func `a page that does not read gets the latest, and the number of events that it missed`() async throws {
        let exchange = SlowExchange("{}")
        let listener = QuietListener()
        let stream = ConsoleLiveStream(exchange, info: RPCCallInfo(path: "")) { _ in }
        stream.start([.empty]) { _ in listener }
        let text = JSON.string(String(repeating: "x", count: 10_000))
        for _ in 0..<500 { stream.offer("requests", text, entries: 3) }
        #expect(!stream.isWritable)
        // 64 KiB are with the connection, 1 MiB is held, and the rest is dropped.
        let before = exchange.lines
        #expect((6...8).contains(before.count))
        await exchange.read()
        await listener.untilWritable()
        #expect(stream.isWritable)
        let lines = exchange.lines
        #expect((100...115).contains(lines.count))
        let dropped = try lines.compactMap { try JSON($0.utf8)["dropped"]?.text() }
        #expect(dropped == ["\((500 - (lines.count - 1)) * 3)"])
        stream.beat()
        stream.finish(nil)
        stream.offer("requests", text)
        #expect(exchange.lines.count == lines.count + 1 && exchange.isEnded)
    }
}

/// A request of a page that reads on request.
private final class SlowExchange: HTTPExchange, WithoutReservation {
    private struct State {
        var bytes: [UInt8] = []
        var isEnded = false
        var onCancel: (@Sendable () -> Void)?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    let request: HTTPRequest
    private let state = Mutex(State())

    init(_ body: String) {
        request = HTTPRequest(method: "POST", path: "/console/api/live", body: ByteSlice(Array(body.utf8)))
    }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) { end() }
    func begin(status: Int, headers: RPCMetadata) {}
    func write(_ piece: [UInt8]) { state.withLock { $0.bytes += piece } }
    func end() { state.withLock { $0.isEnded = true } }
    func onCancel(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = body } }

    func whenWritable() async throws(RPCStatus) {
        await withCheckedContinuation { continuation in
            let watchers = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.watchers = [] }
                return state.watchers
            }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Reads everything, once the stream waits for it, and lets it continue.
    func read() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWaiting = state.withLock { state in
                if state.waiting.isEmpty { state.watchers.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isWaiting { continuation.resume() }
        }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func leave() { state.withLock { $0.onCancel }?() }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Every line there has been, with empty ones.
    var lines: [String] {
        String(decoding: state.withLock { $0.bytes }, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }
}

/// A listener that says nothing, and remembers that it could.
private final class QuietListener: RPCStreamHandler {
    private struct State {
        var isWritable = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func receive(_ message: ByteSlice) {}
    func halfClosed() {}
    func ended(_ status: RPCStatus?) {}
    func drain() {}

    func becameWritable() {
        let waiting = state.withLock { state in
            state.isWritable = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func untilWritable() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWritable = state.withLock { state in
                if !state.isWritable { state.waiting.append(continuation) }
                return state.isWritable
            }
            if isWritable { continuation.resume() }
        }
    }
}
