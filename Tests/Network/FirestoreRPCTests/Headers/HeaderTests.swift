// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import Testing

@testable import FirestoreRPC

struct HeaderTests {
    @Test(arguments: [
        ("1H", .seconds(3600)), ("2M", .seconds(120)), ("60S", .seconds(60)), ("5m", .milliseconds(5)), ("7u", .microseconds(7)),
        ("99999999n", .nanoseconds(99_999_999)), ("0S", .zero), ("", nil), ("S", nil), ("1", nil), ("1x", nil), ("-1S", nil), ("123456789S", nil),
        ("1 S", nil), ("1S ", nil),
    ] as [(String, Duration?)])
    func `grpc-timeout is read`(text: String, timeout: Duration?) { #expect(TimeoutHeader.parse(text) == timeout) }

    @Test(arguments: [
        (.nanoseconds(5), "5n"), (.milliseconds(1), "1000000n"), (.seconds(1), "1000000u"), (.seconds(60), "60000000u"), (.seconds(300), "300000m"),
        (.seconds(1_000_000), "1000000S"), (.seconds(-3), "1n"), (.zero, "1n"),
    ] as [(Duration, String)])
    func `grpc-timeout is written`(timeout: Duration, text: String) { #expect(TimeoutHeader.format(timeout) == text) }

    @Test(arguments: [("plain text", "plain text"), ("100 %", "100 %25"), ("ä\n", "%C3%A4%0A"), ("🔥", "%F0%9F%94%A5")])
    func `grpc-message is percent-encoded UTF-8`(text: String, encoded: String) {
        #expect(StatusMessage.encode(text) == encoded)
        #expect(StatusMessage.decode(encoded) == text)
    }

    @Test func `a broken grpc-message is read as far as it goes, a long one is cut`() {
        #expect(StatusMessage.decode("100%") == "100%")
        #expect(StatusMessage.decode("%4") == "%4")
        #expect(StatusMessage.decode("%zz%41") == "%zzA")
        #expect(StatusMessage.encode(String(repeating: "ä", count: 5000)).utf8.count <= StatusMessage.maximumSize)
    }

    @Test(arguments: [
        (RPCStatus?.none, true), (nil, false), (RPCStatus(.notFound, "x"), true),
        (RPCStatus(.aborted, "ü", details: ByteSlice([1, 2, 3, 4])), false),
    ])
    func `a status survives its header fields`(status: RPCStatus?, alone: Bool) {
        let headers = StatusHeaders.trailers(status, alone: alone)
        #expect(headers.contains(name: ":status") == alone)
        #expect(StatusHeaders.parse(headers).status == status)
    }

    @Test(arguments: [
        ("http://localhost:8080/v1/a?b=c", "localhost:8080", "/v1/a?b=c"), ("HTTPS://Example.com", "Example.com", "/"), ("http://h?x=http://i/", "h", "/?x=http://i/"),
        ("http:///a", "", "/a"), ("http://u@h/a", "u@h", "/a"),
    ]) func `the target of a proxy's request is split into host and path`(target: String, authority: String, path: String) {
        let split = RequestTarget.absolute(target)
        #expect(split?.authority == authority && split?.target == path)
    }

    @Test(arguments: ["/v1/a", "*", "", "/http://h/a", "ftp://h/a", "localhost:80", "http:/h"]) func `other targets stay unchanged`(target: String) {
        #expect(RequestTarget.absolute(target) == nil)
    }

    @Test func `a target is a path as sent and a query decoded`() {
        let (path, query) = RequestTarget.parse("/v1/a%2Fb?mask=x&mask=y%20z&empty=&flag&a=b=c")
        #expect(path == "/v1/a%2Fb")
        #expect(query.map(\.name) == ["mask", "mask", "empty", "flag", "a"])
        #expect(query.map(\.value) == ["x", "y z", "", "", "b=c"])
    }

    @Test func `protocols are distinguished at the first byte that differs`() {
        func choice(_ text: String) -> ProtocolSniffer.Choice? { ProtocolSniffer.choice(ByteBuffer(string: text).readableBytesView) }
        let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        for count in 0..<24 {
            #expect(ProtocolSniffer.choice(ByteBuffer(bytes: Array(preface.utf8)[..<count]).readableBytesView) == nil)
        }
        #expect(ProtocolSniffer.choice(ByteBuffer(bytes: Array(preface.utf8)).readableBytesView) == .http2)
        for text in ["G", "PROPFIND", "PRI * HTTP/1", "\u{16}\u{3}\u{1}"] { #expect(choice(text) == .http1) }
    }
}
