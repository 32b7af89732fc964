// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRPC

/// What a POST of WebChannel contains (WC-8, WC-16, WC-17, WC-21).
struct WebChannelFormTests {
    private static func form(_ text: String) throws -> WebChannelForm { try WebChannelForm(ByteSlice(Array(text.utf8))) }

    private static func map(_ id: Int, _ text: String?) -> WebChannelForm.Map { WebChannelForm.Map(id: id, text: text.map { Array($0.utf8) }) }

    static let rows: [(text: String, maps: [WebChannelForm.Map])] = [
        ("", []),
        ("count=0", []),
        ("headers=&count=0", []),
        ("count=1&ofs=0&req0___data__=%7B%7D", [map(0, "{}")]),
        ("req0___data__=%7B%7D&ofs=7&count=1", [map(7, "{}")]),
        ("count=2&ofs=3&req0___data__=a&req1___data__=b", [map(3, "a"), map(4, "b")]),
        ("count=2&ofs=3&req1___data__=b&req0___data__=a", [map(3, "a"), map(4, "b")]),
        // After a retry: no req0, and gaps.
        ("count=2&ofs=0&req40___data__=a&req42___data__=b", [map(40, "a"), map(42, "b")]),
        ("count=2&ofs=5&req0_type=_badmap&req1___data__=b", [map(5, nil), map(6, "b")]),
        ("count=1&ofs=5&req0_other=x", [map(5, nil)]),
        ("count=1&ofs=0&req0___data__=%C5%BC%F0%9F%98%80'()!*~+x", [map(0, "ż😀'()!*~ x")]),
        ("count=1&ofs=0&req0___data__=", [map(0, "")]),
        ("count=1&ofs=0&req0___data__=a%3Db=c", [map(0, "a=b=c")]),
        ("unknown=1&&count=1&ofs=0&req0___data__=a", [map(0, "a")]),
        ("req0___data__=a", [map(0, "a")]),
    ]

    @Test(arguments: rows.indices)
    func `a form is its messages, by number`(row: Int) throws {
        let row = Self.rows[row]
        #expect(try Self.form(row.text).maps == row.maps)
    }

    @Test(arguments: [
        "count=x", "count=", "count=2&ofs=0&req0___data__=a", "count=0&ofs=0&req0___data__=a", "ofs=-1", "ofs=1234567890123456", "req___data__=a", "reqx___data__=a",
        "req0___data__=%", "req0___data__=%4", "req0___data__=%zz", "%zz=1", "headers=no%20colon", "headers=" + String(repeating: "a:b%0A", count: 101),
        "headers=a:" + String(repeating: "x", count: 70_000), (0...1_000).map { "req\($0)___data__=a" }.joined(separator: "&"),
    ])
    func `a form with an error in it is rejected`(text: String) {
        #expect(throws: WebChannelProblem.self) { try Self.form(text) }
    }

    @Test func `headers of the stream are in the form`() throws {
        let form = try Self.form(
            "headers=X-Goog-Api-Client%3Agl-js%2F%20fire%2F10.12.2%0D%0AContent-Type%3Atext%2Fplain%0D%0AAuthorization%3ABearer%20a%3Ab%0D%0A&count=0")
        #expect(form.headers.entries.map(\.name) == ["x-goog-api-client", "content-type", "authorization"])
        #expect(form.headers.entries.map(\.value) == ["gl-js/ fire/10.12.2", "text/plain", "Bearer a:b"])
    }

    // MARK: URLs

    private static let base = [("VER", "8"), ("RID", "rpc")]

    static let requests: [(method: String, query: [(String, String)], request: WebChannelRequest?)] = [
        ("POST", [("VER", "8"), ("RID", "7"), ("CVER", "22")], .handshake(WebChannelGreeting(version: 8, client: 22))),
        ("POST", [("RID", "7"), ("VER", "9")], .handshake(WebChannelGreeting(version: 9, client: 0))),
        ("POST", [("VER", "8"), ("RID", "7"), ("SID", "s")], .forward(session: "s")),
        ("POST", [("VER", "8"), ("RID", "7"), ("SID", "s"), ("TYPE", "terminate")], .terminate(session: "s")),
        ("GET", [("VER", "8"), ("RID", "7"), ("SID", "s"), ("TYPE", "terminate")], .terminate(session: "s")),
        ("GET", base + [("SID", "s"), ("AID", "4"), ("CI", "0"), ("TYPE", "xmlhttp")], .back(session: "s", after: 4, pollsFor: nil)),
        ("GET", base + [("SID", "s"), ("AID", "-1")], .back(session: "s", after: -1, pollsFor: nil)),
        ("GET", base + [("SID", "s")], .back(session: "s", after: -1, pollsFor: nil)),
        ("GET", base + [("SID", "s"), ("AID", "4"), ("CI", "1")], .back(session: "s", after: 4, pollsFor: 25_000)),
        ("GET", base + [("SID", "s"), ("AID", "4"), ("CI", "1"), ("TO", "5000")], .back(session: "s", after: 4, pollsFor: 5_000)),
        ("GET", base + [("SID", "s"), ("AID", "4"), ("CI", "1"), ("TO", "99999")], .back(session: "s", after: 4, pollsFor: 25_000)),
        ("GET", base + [("SID", "s"), ("AID", "4"), ("CI", "1"), ("TO", "-1")], .back(session: "s", after: 4, pollsFor: 0)),
        ("POST", [("RID", "7")], nil), ("POST", [("VER", "8")], nil), ("POST", [("VER", "x"), ("RID", "7")], nil), ("POST", [("VER", "0"), ("RID", "7")], nil),
        ("GET", [("VER", "8"), ("RID", "7")], nil), ("GET", [("VER", "8"), ("RID", "7"), ("SID", "s")], nil), ("GET", base + [("SID", "s"), ("AID", "x")], nil),
        ("GET", base + [("SID", "s"), ("AID", "9999999999999999")], nil),
    ]

    @Test(arguments: requests.indices)
    func `the URL decides the kind of a request`(row: Int) {
        let row = Self.requests[row]
        let request = try? WebChannelRequest(method: row.method, query: row.query.map { (name: $0.0, value: $0.1) })
        #expect(request == row.request, "\(row)")
    }

    // WC-12
    @Test(arguments: [(8, 22, "52\n[[0,[\"c\",\"H9BwfrOYxYfb_n7RgMR0fw==\",\"\",8,12,30000]]]"), (8, 21, "46\n[[0,[\"c\",\"H9BwfrOYxYfb_n7RgMR0fw==\",\"\",8,12]]]"),
        (7, 22, "52\n[[0,[\"c\",\"H9BwfrOYxYfb_n7RgMR0fw==\",\"\",7,12,30000]]]"), (9, 22, "52\n[[0,[\"c\",\"H9BwfrOYxYfb_n7RgMR0fw==\",\"\",8,12,30000]]]")])
    func `the greeting is the emulator's, to the byte`(version: Int, client: Int, expected: String) {
        let answer = WebChannelGreeting(version: version, client: client).answer(session: "H9BwfrOYxYfb_n7RgMR0fw==")
        #expect(String(decoding: answer, as: UTF8.self) == expected)
    }

    // WC-26
    @Test(arguments: [("", 0), ("abc", 3), ("é", 1), ("ż", 1), ("€", 1), ("\u{FFFD}", 1), ("😀", 2), ("zażółć 😀", 9), ("\u{10FFFF}x", 3)])
    func `a length counts units of UTF-16`(text: String, units: Int) {
        #expect(WebChannelFrame.units(Array(text.utf8)) == units)
        #expect(text.utf16.count == units)
        #expect(WebChannelFrame.frame(Array(text.utf8)) == Array("\(units)\n\(text)".utf8))
    }
}
