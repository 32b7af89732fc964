// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct JSONTests {
    static let good: [(text: String, compact: String)] = [
        ("null", "null"), (" true ", "true"), ("false", "false"), ("0", "0"), ("-0.5e+3", "-0.5e+3"), ("12E2", "12E2"),
        ("\"\"", "\"\""), (#""a\"\\\/\b\f\n\r\t""#, "\"a\\\"\\\\/\\u0008\\u000c\\n\\r\\t\""), (#""\u00e4\ud83d\ude00""#, "\"ä😀\""),
        ("[]", "[]"), ("[ 1 , [ ] ]", "[1,[]]"), ("{}", "{}"), ("{ \"b\" : 1 ,\n\"a\":[{}]}", "{\"b\":1,\"a\":[{}]}"),
        ("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"),
    ]

    @Test(arguments: good)
    func `well-formed text is read and written in one line`(text: String, compact: String) throws {
        #expect(try JSON(text.utf8).text() == compact)
    }

    static let bad = [
        "", " ", "nul", "truefalse", "01", "1.", ".5", "-", "1e", "+1", "\"", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#,
        #""\ude00""#, #""\ud83d\u0041""#, "[", "[1", "[1,", "[1,]", "[1 2]", "{", "{1:2}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "1 2", "NaN",
        String(repeating: "[", count: 100_000),
    ]

    @Test(arguments: bad)
    func `malformed text is rejected with the byte where reading stopped`(text: String) throws {
        let error = #expect(throws: FirestoreError.self) { try JSON(text.utf8) }
        #expect(error?.code == .invalidArgument && error?.location?.hasPrefix("byte ") == true)
    }

    @Test func `bytes that are not UTF-8 are rejected`() {
        #expect(throws: FirestoreError.self) { try JSON([0x22, 0xFF, 0x22]) }
        #expect(throws: FirestoreError.self) { try JSON([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func `indented text has a line per member`() throws {
        let json = try JSON(#"{"a":[1,{"b":null}],"c":{}}"#.utf8)
        #expect(json.text(.indented) == "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {}\n}")
        #expect(try JSON(json.text(.indented).utf8).text() == json.text())
    }

    @Test func `cutting a text short anywhere is an error, never a crash`() throws {
        let text = Array(#"{"a":[1.5e3,"ä\u00e4\\",true,null],"b":{"c":-1}}"#.utf8)
        for count in 0..<text.count { #expect(throws: FirestoreError.self) { try JSON(text[..<count]) } }
    }

    @Test func `whole numbers come as numbers and as strings, doubles under their names`() throws {
        func node(_ text: String) throws -> JSONNode { JSONNode(try JSON(text.utf8), place: "x") }
        #expect(try node("12").integer() == 12)
        #expect(try node("\"-9223372036854775808\"").integer() == .min)
        #expect(try node("1e3").integer() == 1000)
        for text in ["1.5", "\"1.5\"", "1e30", "\"\"", "true", "9223372036854775808"] {
            let error = #expect(throws: FirestoreError.self) { try node(text).integer() }
            #expect(error?.location == "x", "\(text)")
        }
        #expect(try node("\"Infinity\"").double() == .infinity)
        #expect(try node("\"-Infinity\"").double() == -.infinity)
        #expect(try node("\"NaN\"").double().isNaN)
        #expect(try node("\"2.5\"").double() == 2.5)
        for text in ["1e999", "\"inf\"", "\"1e999\"", "null"] {
            #expect(throws: FirestoreError.self, "\(text)") { try node(text).double() }
        }
    }
}
