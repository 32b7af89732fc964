// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Foundation
import HearthBase
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreGateway

/// The requests of a browser, byte for byte, over sockets that are cut at every byte.
struct WebChannelTraceTests {
    private static let query = "VER=8&database=projects%2Fdemo-web%2Fdatabases%2F(default)"
    private static let name = "projects/demo-web/databases/(default)/documents/c/d"
    private static let browserHeaders = "Host: localhost\r\nOrigin: http://localhost:5173\r\nAccept: */*\r\nSec-Fetch-Mode: cors\r\n"

    private static func post(_ method: String, _ parameters: String, _ body: String) -> [UInt8] {
        let head =
            "POST /google.firestore.v1.Firestore/\(method)/channel?\(query)&\(parameters) HTTP/1.1\r\n\(browserHeaders)"
            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    private static func get(_ method: String, _ session: String, after id: Int) -> [UInt8] {
        let sid = PercentEncoding.encode(session)
        return Array(
            ("GET /google.firestore.v1.Firestore/\(method)/channel?\(query)&RID=rpc&SID=\(sid)&AID=\(id)&CI=0&TYPE=xmlhttp&zx=s33n9o1gw6uu&t=1 HTTP/1.1\r\n"
                + browserHeaders + "\r\n").utf8)
    }

    private static let writeHandshake = post(
        "Write", "RID=97842&CVER=22&X-HTTP-Session-Id=gsessionid&zx=bhbo8qkxal2k&t=1",
        "headers=X-Goog-Api-Client%3Agl-js%2F%20fire%2F10.12.2%0D%0AContent-Type%3Atext%2Fplain%0D%0AX-Firebase-GMPID%3A1%3A1%3Aweb%3A1%0D%0A&count=1&ofs=0"
            + "&req0___data__=%7B%22database%22%3A%22projects%2Fdemo-web%2Fdatabases%2F(default)%22%7D")

    private static func withServer(_ body: @escaping @Sendable (RPCAddress) -> Void) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let server = HearthServer(
            ServerConfiguration(databases: DatabaseOpening(storage: .memory, durability: .relaxed), grace: .milliseconds(100)), log: log)
        let address = try await server.start()
        await RawConnection.blocking { body(address) }
        await server.stop()
    }

    private static func session(_ address: RPCAddress, _ handshake: [UInt8]) -> String {
        let answer = RawConnection.ask(address, handshake)
        guard answer.status == "200", case .string(let id)? = PolledChannel.frames(answer.body).first?.second?.second else { return "" }
        return id
    }

    /// The body of a chunked answer, as far as received.
    static func body(of bytes: [UInt8]) -> [UInt8] {
        guard let head = RawConnection.head(of: bytes) else { return [] }
        var rest = bytes[head.end...]
        var body: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0A), let size = Int(String(decoding: rest[..<end].dropLast(), as: UTF8.self), radix: 16), size > 0 {
            body += rest[(end + 1)...].prefix(size)
            rest = rest[(end + 1)...].dropFirst(size + 2)
        }
        return body
    }

    /// The arrays that are complete, with their numbers. A character that is cut is at the end of the text, in a frame that is not complete.
    static func arrays(of bytes: [UInt8]) -> [(id: Int, text: String)] {
        PolledChannel.frames(String(decoding: body(of: bytes), as: UTF8.self)).compactMap { array in
            guard case .number(let id)? = array.first, let number = Int(id) else { return nil }
            return (number, array.second?.text() ?? "")
        }
    }

    /// Reads a GET until an array contains a text.
    private static func read(_ address: RPCAddress, _ method: String, _ session: String, after id: Int, until text: String) -> [(id: Int, text: String)] {
        let connection = RawConnection(address)
        connection.send(get(method, session, after: id))
        connection.read { received in arrays(of: received).contains { $0.text.contains(text) } }
        return arrays(of: connection.received)
    }

    @Test func `the trace of a write, with each POST cut at each byte and sent again`() async throws {
        try await Self.withServer { address in
            // A handshake that is cut makes no session, or one that is left.
            for cut in stride(from: 0, to: Self.writeHandshake.count, by: TestScale.pick(quick: 3, full: 1)) { RawConnection(address).send(Self.writeHandshake[..<cut]) }
            let session = Self.session(address, Self.writeHandshake)
            #expect(session.utf8.count == 32)
            let first = Self.read(address, "Write", session, after: 0, until: "streamToken")
            guard let message = first.first(where: { $0.text.contains("streamToken") }), case .string(let token)? = (try? JSON(message.text.utf8))?.first?["streamToken"]
            else {
                Issue.record("no answer to the handshake: \(first)")
                return
            }
            let batch =
                #"{"streamToken":"\#(token)","writes":[{"transform":{"document":"\#(Self.name)","fieldTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]}}]}"#
            let sid = PercentEncoding.encode(session)
            var map = 1
            var cut = 0
            while true {
                let request = Self.post(
                    "Write", "SID=\(sid)&RID=\(97_842 + map)&AID=2&zx=iq63kmscx67b&t=1", "count=1&ofs=\(map)&req0___data__=\(PercentEncoding.encode(batch))")
                // The whole request may be sent, and only its answer lost.
                guard cut <= request.count else { break }
                RawConnection(address).send(request[..<cut])
                let answer = RawConnection.ask(address, request)
                // The server may not know yet that the GET's connection is closed, and on a slow machine `noop`s come before the token.
                let told = PolledChannel.reply(answer.body)
                guard answer.status == "200", told.count == 3, [0, 1].contains(told[0]), told[1] >= 1 else {
                    Issue.record("cut at \(cut): \(answer)")
                    return
                }
                map += 1
                cut += TestScale.pick(quick: 7, full: 1)
            }
            // The last answer is there when all batches are applied; each was applied once.
            var last = 0
            var results = 0
            while results < map - 1 {
                let arrays = Self.read(address, "Write", session, after: last, until: "commitTime")
                guard !arrays.isEmpty else { break }
                for array in arrays where array.id > last {
                    #expect(array.id == last + 1)
                    last = array.id
                    results += array.text.contains("commitTime") ? 1 : 0
                }
            }
            #expect(results == map - 1)
            let stored = RawConnection.ask(address, Array("GET /v1/\(Self.name) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            #expect(stored.body.contains("\"integerValue\": \"\(map - 1)\""), "\(map - 1) batches: \(stored.body)")
            let end = RawConnection.ask(address, Self.post("Write", "SID=\(sid)&RID=99999&TYPE=terminate", ""))
            #expect(end.status == "200" && end.body.isEmpty)
        }
    }

    @Test func `the trace of a listener, with the GET cut at each byte and opened again`() async throws {
        try await Self.withServer { address in
            let text = "zażółć 😀 é"
            let commit = #"{"writes":[{"update":{"name":"\#(Self.name)","fields":{"t":{"stringValue":"\#(text)"}}}}]}"#
            let path = "/v1/projects/demo-web/databases/(default)/documents:commit"
            #expect(
                RawConnection.ask(
                    address, Array("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: \(commit.utf8.count)\r\n\r\n\(commit)".utf8)
                ).status == "200")
            let add = #"{"database":"projects/demo-web/databases/(default)","addTarget":{"documents":{"documents":["\#(Self.name)"]},"targetId":1002}}"#
            let isWhole = { (received: [UInt8]) in Self.arrays(of: received).contains { $0.text.contains("\"targetChange\":{\"resumeToken\"") } }
            var cut = 0
            while true {
                let session = Self.session(
                    address,
                    Self.post("Listen", "RID=82042&CVER=22&X-HTTP-Session-Id=gsessionid&zx=1&t=1", "count=1&ofs=0&req0___data__=\(PercentEncoding.encode(add))"))
                // What the stream says at first is there when a snapshot is.
                let cutOne = RawConnection(address)
                cutOne.send(Self.get("Listen", session, after: 0))
                // One byte at least: it shows that the server has this GET, so that the next one replaces it and is not replaced.
                cutOne.read(exactly: max(1, cut)) { isWhole($0) }
                let early = Self.arrays(of: cutOne.received)
                let isEnough = isWhole(cutOne.received)
                let rest = isEnough ? [] : Self.read(address, "Listen", session, after: early.last?.id ?? 0, until: "\"targetChange\":{\"resumeToken\"")
                var ids: [Int] = []
                var texts: [String] = []
                for array in early + rest {
                    ids.append(array.id)
                    texts.append(array.text)
                }
                // Nothing lost, nothing twice.
                #expect(ids == Array(1...max(1, ids.count)), "cut at \(cut): \(ids)")
                #expect(texts.filter { $0.contains(text) }.count == 1 && texts.filter { $0.contains("ADD") }.count == 1)
                #expect(texts.filter { $0.contains("\"targetChangeType\":\"CURRENT\"") }.count == 1)
                _ = RawConnection.ask(address, Self.post("Listen", "SID=\(PercentEncoding.encode(session))&RID=82046&TYPE=terminate", ""))
                if isEnough { break }
                cut += TestScale.pick(quick: 13, full: 1)
            }
            #expect(cut > 500)
        }
    }

    @Test func `a page from elsewhere makes no session, and beacons need the right origin too`() async throws {
        try await Self.withServer { address in
            let session = Self.session(address, Self.writeHandshake)
            let foreign = { (request: [UInt8]) in
                Array(String(decoding: request, as: UTF8.self).replacingOccurrences(of: "http://localhost:5173", with: "https://evil.example").utf8)
            }
            #expect(RawConnection.ask(address, foreign(Self.writeHandshake)).status == "403")
            let end = Self.post("Write", "SID=\(PercentEncoding.encode(session))&RID=1&TYPE=terminate", "")
            #expect(RawConnection.ask(address, foreign(end)).status == "403")
            #expect(RawConnection.ask(address, end).status == "200")
        }
    }

    @Test func `a server that stops ends open GETs with the reason`() async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let server = HearthServer(ServerConfiguration(databases: DatabaseOpening(storage: .memory), grace: .seconds(20)), log: log)
        let address = try await server.start()
        let add = #"{"database":"projects/demo-web/databases/(default)","addTarget":{"documents":{"documents":["\#(Self.name)"]},"targetId":2}}"#
        let handshake = Self.post("Listen", "RID=82042&CVER=22", "count=1&ofs=0&req0___data__=\(PercentEncoding.encode(add))")
        let ready = AsyncStream.makeStream(of: Void.self)
        async let received = RawConnection.blocking {
            let connection = RawConnection(address)
            connection.send(Self.get("Listen", Self.session(address, handshake), after: 0))
            connection.read { received in Self.arrays(of: received).contains { $0.text.contains("CURRENT") } }
            ready.continuation.yield()
            // To the end.
            connection.read { _ in false }
            return connection.received
        }
        for await _ in ready.stream { break }
        await server.stop()
        let bytes = await received
        #expect(Self.arrays(of: bytes).last?.text.contains(#""status":"UNAVAILABLE""#) == true)
        // The answer is whole.
        #expect(bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...])
    }

    @Test func `a form is taken beyond the size of a request, and the message in it is not`() async throws {
        try await Self.withServer { address in
            let long = "{\"database\":\"" + String(repeating: "%22", count: 4 << 20)
            let answer = RawConnection.ask(address, Self.post("Write", "RID=1&CVER=22", "count=1&ofs=0&req0___data__=" + long))
            #expect(answer.status == "200")
            let tooLong = RawConnection.ask(address, Self.post("Write", "RID=1&CVER=22", "count=0&x=" + String(repeating: "x", count: 42 << 20)))
            #expect(tooLong.status == "413")
        }
    }
}
