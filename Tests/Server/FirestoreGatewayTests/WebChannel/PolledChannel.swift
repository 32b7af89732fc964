// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import HearthBase
import ServerFixtures

@testable import FirestoreGateway

/// A client of WebChannel without a connection: every GET is a poll, which is one answer.
struct PolledChannel {
    static let database = "projects/library/databases/(default)"

    let fixture: ServerFixture
    let method: String
    let session: String
    let page: String?
    private(set) var last = 0
    private var nextMap = 0

    static func path(_ method: String) -> String { "/google.firestore.v1.Firestore/\(method)/channel" }

    static func form(_ messages: [String], first: Int = 0, headers: [(String, String)] = []) -> String {
        var parts = ["headers=" + PercentEncoding.encode(headers.map { "\($0.0):\($0.1)\r\n" }.joined()), "count=\(messages.count)", "ofs=\(first)"]
        for (index, message) in messages.enumerated() { parts.append("req\(index)___data__=\(PercentEncoding.encode(message))") }
        return parts.joined(separator: "&")
    }

    static func handshake(
        _ fixture: ServerFixture, _ method: String, _ messages: String..., headers: [(String, String)] = [], database: String = database, page: String? = nil
    ) async -> FakeExchange.Response {
        await fixture.http(
            "POST", path(method), query: [("VER", "8"), ("database", database), ("RID", "1"), ("CVER", "22"), ("X-HTTP-Session-Id", "gsessionid")],
            body: form(messages, headers: headers), page: page)
    }

    /// Opens a session; nil if it was rejected.
    init?(_ fixture: ServerFixture, _ method: String, _ messages: String..., headers: [(String, String)] = [], page: String? = nil) async {
        let answer = await fixture.http(
            "POST", Self.path(method), query: [("VER", "8"), ("database", Self.database), ("RID", "1"), ("CVER", "22")],
            body: Self.form(messages, headers: headers), page: page)
        guard answer.status == 200, case .string(let id)? = Self.frames(answer.text).first?.second.second else { return nil }
        self.fixture = fixture
        self.method = method
        self.page = page
        session = id
        nextMap = messages.count
    }

    func request(_ verb: String, _ query: [(name: String, value: String)], body: String = "") async -> FakeExchange.Response {
        await fixture.http(
            verb, Self.path(method), query: [("VER", "8"), ("database", Self.database), ("SID", session)] + query, body: body, page: page)
    }

    mutating func post(_ messages: String...) async -> FakeExchange.Response {
        let first = nextMap
        nextMap += messages.count
        return await request("POST", [("RID", "2")], body: Self.form(messages, first: first))
    }

    /// What one poll brings, as compact JSON without the numbers.
    mutating func poll(after: Int? = nil) async -> [String] {
        let answer = await request("GET", [("RID", "rpc"), ("AID", String(after ?? last)), ("CI", "1"), ("TYPE", "xmlhttp")])
        guard answer.status == 200 else { return ["\(answer.status)"] }
        let arrays = Self.frames(answer.text)
        if case .number(let id)? = arrays.last?.first { last = Int(id) ?? last }
        return arrays.compactMap { $0.second?.text() }
    }

    /// Polls until a message contains a text, and returns all.
    mutating func poll(until text: String) async -> [String] {
        var found: [String] = []
        for _ in 0..<50 {
            let next = await poll()
            found += next
            if next.contains(where: { $0.contains(text) || $0.utf8.count == 3 }) { break }
        }
        return found
    }

    func terminate() async -> FakeExchange.Response { await request("POST", [("RID", "3"), ("TYPE", "terminate")]) }

    /// The three elements of the answer to a POST: whether there is a back channel, the last array on the wire, unacknowledged bytes.
    static func reply(_ text: String) -> [Int] {
        frames(text).compactMap { if case .number(let element) = $0 { Int(element) } else { nil } }
    }

    /// The arrays of an answer.
    static func frames(_ text: String) -> [JSON] {
        var arrays: [JSON] = []
        var rest = Array(text.utf16)[...]
        while let end = rest.firstIndex(of: 0x0A), let count = Int(String(decoding: rest[..<end], as: UTF16.self)) {
            let body = rest[(end + 1)...].prefix(count)
            rest = rest[(end + 1)...].dropFirst(count)
            if case .array(let found)? = try? JSON(String(decoding: body, as: UTF16.self).utf8) { arrays += found }
        }
        return arrays
    }
}

extension JSON {
    fileprivate subscript(index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    var first: JSON? { self[0] }
    var second: JSON? { self[1] }
}

extension JSON? {
    var second: JSON? { self?.second }
}
