// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import Testing

@testable import FirestoreTokens

/// Malformed tokens are rejected with a reason, and none crashes.
struct ParsingTests {
    private static func part(_ text: String) -> String { Base64.encodeForURL([UInt8](text.utf8)) }
    private static let header = part(#"{"alg":"RS256","kid":"k","typ":"JWT"}"#)
    private static let claims = part(#"{"sub":"alice"}"#)

    /// Claims with as many levels, the payload included.
    private static func nested(_ levels: Int) -> String {
        part(#"{"a":"# + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}")
    }

    @Test func `claims of a hundred levels are taken`() throws {
        let token = try JSONWebToken("\(Self.header).\(Self.nested(100)).AQID")
        #expect(token.claims["a"] != nil)
    }

    @Test func `a token is taken apart`() throws {
        let token = try JSONWebToken("\(Self.header).\(Self.claims).AQID")
        #expect(token.algorithm == "RS256" && token.keyID == "k" && token.signature == [1, 2, 3])
        #expect(token.signedBytes == [UInt8]("\(Self.header).\(Self.claims)".utf8))
        let subject = try token.claims.string("sub")
        #expect(subject == "alice")
    }

    static let malformed: [(text: String, words: String)] = [
        ("", "1 parts"),
        ("x.y", "2 parts"),
        ("a.b.c.d.e", "5 parts"),
        ("..", "header is malformed"),
        ("\(header).\(claims)=.AQID", "payload is malformed: it is not base64url"),
        ("\(header).\(claims).AQ+D", "signature is malformed"),
        ("\(header).\(claims).A", "signature is malformed"),
        ("\(header).\(claims).AQ D", "signature is malformed"),
        ("\(part("[]")).\(claims).AQID", "header is malformed: it is not a JSON object"),
        ("\(part("{")).\(claims).AQID", "header is malformed: it is not JSON"),
        ("\(part("{}")).\(claims).AQID", "\"alg\" is missing"),
        ("\(part(#"{"alg":7}"#)).\(claims).AQID", "\"alg\" is missing or not a string"),
        ("\(part(#"{"alg":"RS256","kid":7}"#)).\(claims).AQID", "\"kid\" is not a string"),
        ("\(part(#"{"alg":"RS256","alg":"none"}"#)).\(claims).AQID", "two members \"alg\""),
        ("\(part(#"{"alg":"RS256","crit":["b64"],"b64":false}"#)).\(claims).AQID", "requires an extension"),
        ("\(header).\(part(#"{"sub":"a","sub":"b"}"#)).AQID", "two members \"sub\""),
        ("\(header).\(part("\"alice\"")).AQID", "payload is malformed: it is not a JSON object"),
        ("\(header).\(part(String(repeating: "[", count: 5_000))).AQID", "payload is malformed: it is not JSON"),
        ("\(header).\(nested(101)).AQID", "payload is malformed: its values are nested more than 100 levels deep"),
        ("\(header).\(Base64.encodeForURL([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])).AQID", "not JSON in UTF-8"),
    ]

    @Test(arguments: malformed) func `malformed tokens are rejected`(row: (text: String, words: String)) {
        let error = #expect(throws: TokenError.self) { _ = try JSONWebToken(row.text) }
        #expect(error?.kind == .malformed)
        #expect(error?.message.contains(row.words) == true, "\(error?.message ?? "")")
    }

    @Test func `a token is not longer than 16 KiB`() {
        let error = #expect(throws: TokenError.self) { _ = try JSONWebToken(String(repeating: "a", count: 16_385)) }
        #expect(error?.kind == .tooLarge)
    }

    @Test func `times are whole seconds in any notation`() throws {
        let claims = TokenClaims(members: [
            ("a", .number("1.7e9")), ("b", .number("1700000000.9")), ("c", .string("1700000000")), ("d", .number("-1")), ("e", .number("1e300")),
        ])
        let times = [try claims.seconds("a"), try claims.seconds("b"), try claims.seconds("missing")]
        #expect(times == [1_700_000_000, 1_700_000_000, nil])
        for name in ["c", "d", "e"] { #expect(throws: TokenError.self) { _ = try claims.seconds(name) } }
    }

    @Test func `claims become values of rules`() throws {
        let claims = TokenClaims(members: [
            ("n", .number("1.0")), ("f", .number("1.5")), ("l", .array([.boolean(true), .null])), ("m", .object([("k", .string("v"))])),
        ])
        guard case .integer(1)? = claims.fields["n"], case .double(1.5)? = claims.fields["f"], case .array(let list)? = claims.fields["l"],
            case .map(let map)? = claims.fields["m"], case .string("v")? = map["k"]
        else {
            Issue.record("\(claims.fields)")
            return
        }
        #expect(list.count == 2)
    }

    @Test func `quotations are short and hold no control characters`() {
        #expect(TokenError.quoted("a\u{1B}[31m\nb") == "\"a\u{FFFD}[31m\u{FFFD}b\"")
        #expect(TokenError.quoted(String(repeating: "x", count: 500)).count == 102)
    }
}
