// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import Foundation
import TestSupport
import Testing

struct TypedJSONTests {
    private static let database = RandomFields.database
    private static let rounds = TestScale.pick(quick: 500, full: 5_000)

    static let values: [(text: String, value: Value)] = [
        ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)), ("0", .integer(0)), ("-12", .integer(-12)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
        ("0.1", .double(0.1)), ("1e+22", .double(1e22)), ("5e-324", .double(.leastNonzeroMagnitude)), ("\"\"", .string("")), (#""a\"\\\n\u0001é""#, .string("a\"\\\n\u{1}é")),
        (#"{"$double":"NaN"}"#, .double(.nan)), (#"{"$double":"Infinity"}"#, .double(.infinity)), (#"{"$double":"-Infinity"}"#, .double(-.infinity)),
        (#"{"$timestamp":"2026-11-21T09:30:00.250Z"}"#, .timestamp(TimestampValue(seconds: 1_795_253_400, nanoseconds: 250_000_000))),
        (#"{"$bytes":"SGVhcnRo"}"#, .bytes(Array("Hearth".utf8))), (#"{"$bytes":""}"#, .bytes([])),
        (#"{"$geopoint":{"latitude":37.8,"longitude":-122.4}}"#, .geoPoint(GeoPointValue(latitude: 37.8, longitude: -122.4))),
        (#"{"$reference":"cities/SF"}"#, .reference("projects/p/databases/(default)/documents/cities/SF")),
        (#"{"$reference":"projects/q/databases/d/documents/cities/SF"}"#, .reference("projects/q/databases/d/documents/cities/SF")),
        (#"{"$vector":[0.5,1.0]}"#, .vector([0.5, 1])), (#"{"$vector":[]}"#, .vector([])), ("[]", .array([])), ("{}", .map(FieldMap())),
        (#"[1,[2.0],{"a":null}]"#, .array([.integer(1), .array([.double(2)]), .map(FieldMap([("a", .null)]))])),
        (#"{"$map":{"$price":3}}"#, .map(FieldMap([("$price", .integer(3))]))),
        (#"{"$map":{"$map":{"$map":{"$map":1}}}}"#, .map(FieldMap([("$map", .map(FieldMap([("$map", .integer(1))])))]))),
        (#"{"$a":1,"$b":2}"#, .map(FieldMap([("$a", .integer(1)), ("$b", .integer(2))]))),
    ]

    @Test(arguments: values.indices)
    func `every type has its text, and the text gives it back`(index: Int) throws {
        let (text, value) = Self.values[index]
        let bytes = ValueBytes(value)
        #expect(try TypedJSON.text(bytes, in: Self.database) == text)
        #expect(try TypedJSON.value(text.utf8, in: Self.database) == bytes)
    }

    static let spellings: [(text: String, value: Value)] = [
        (" [ 1 , 2 ] ", .array([.integer(1), .integer(2)])), ("1E2", .double(100)), ("-0", .integer(0)), ("1.50", .double(1.5)),
        (#"{"$double": 3}"#, .double(3)), (#"{"$integer": "9223372036854775807"}"#, .integer(.max)), (#"{"$integer": -1}"#, .integer(-1)),
        (#"{"$vector": [1, {"$double": "NaN"}]}"#, .vector([1, .nan])), (#"{"\u0024double": "NaN"}"#, .double(.nan)),
        (#"{"$timestamp": "2026-11-21T10:30:00.2500001+01:00"}"#, .timestamp(TimestampValue(seconds: 1_795_253_400, nanoseconds: 250_000_000))),
        (#"{"$reference": "/cities/SF"}"#, .reference("projects/p/databases/(default)/documents/cities/SF")),
        (#"{"$geopoint": {"longitude": 2, "latitude": 1}}"#, .geoPoint(GeoPointValue(latitude: 1, longitude: 2))),
        (#"{"$bytes": "_-8"}"#, .bytes([0xFF, 0xEF])), (#"{"$map": {}}"#, .map(FieldMap())), (#"{"$map": {"a": 1}}"#, .map(FieldMap([("a", .integer(1))]))),
        (#"{"b": 1, "a": 2}"#, .map(FieldMap([("a", .integer(2)), ("b", .integer(1))]))), (#""\ud83d\ude00\/""#, .string("😀/")),
        ("123456789012345678.5", .double(123_456_789_012_345_678.5)), ("0.0000000000000000000000001", .double(1e-25)),
    ]

    @Test(arguments: spellings.indices)
    func `other spellings are understood`(index: Int) throws {
        let (text, value) = Self.spellings[index]
        #expect(try TypedJSON.value(text.utf8, in: Self.database) == ValueBytes(value), "\(text)")
    }

    @Test func `whatever can be stored survives, in every layout, and has one text`() throws {
        var random = RandomFields(seed: 2_026)
        for round in 0..<Self.rounds {
            let fields = FieldBytes(random.fields())
            let text = try TypedJSON.text(fields, in: Self.database)
            for layout in [TypedJSONWriter.Layout.compact, .spaced, .indented] {
                let written = try TypedJSON.text(fields, in: Self.database, layout)
                let read = try TypedJSON.fields(written.utf8, in: Self.database)
                #expect(read == fields, "round \(round): \(written)")
                #expect(try TypedJSON.text(read, in: Self.database) == text)
            }
            // Valid JSON, in one line.
            #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil, "\(text)")
            #expect(!text.utf8.contains(0x0A))
        }
    }

    static let bad: [(text: String, place: String, part: String)] = [
        ("", "line 1, column 1", "an object with the fields"), ("[]", "line 1, column 1", "an object with the fields"),
        (#"{"a": tru}"#, "line 1, column 7, field a", "double quotes"), (#"{"a": San}"#, "line 1, column 7, field a", "double quotes"),
        (#"{"a": 1"#, "line 1, column 8", "a comma or a brace"), (#"{"a": 1} x"#, "line 1, column 10", "after the end"),
        ("{\n  \"a\": {\"b c\": [1,\n 01]}}", "line 3, column 3, field a.`b c`", "a comma or a bracket"),
        (#"{"a": 9223372036854775808}"#, "line 1, column 7, field a", "64 bits"), (#"{"a": 1e999}"#, "line 1, column 7, field a", "too large"),
        (#"{"é": [1, {"b": {"$timestamp": "yesterday"}}]}"#, "line 1, column 32, field `é`[1].b", "RFC 3339"),
        (#"{"a": {"$bytes": "!"}}"#, "line 1, column 18, field a", "base64"), (#"{"a": {"$reference": "cities"}}"#, "line 1, column 22, field a", "path of a document"),
        (#"{"a": {"$geopoint": {"latitude": 1}}}"#, "line 1, column 36, field a", "needs a latitude"),
        (#"{"a": {"$geopoint": {"latitude": 1, "height": 2}}}"#, "line 1, column 37, field a", "nothing else"),
        (#"{"a": {"$geopoint": {"latitude": 1, "latitude": 2}}}"#, "line 1, column 37, field a", "once each"),
        (#"{"a": {"$vector": [1, "2"]}}"#, "line 1, column 23, field a[1]", "a number"), (#"{"a": {"$double": "nan"}}"#, "line 1, column 19, field a", "\"NaN\""),
        (#"{"a": {"$price": 3}}"#, "line 1, column 8, field a", "{\"$map\": …}"), (#"{"a": {"$integer": 1.5}}"#, "line 1, column 20, field a", "whole number"),
        (#"{"a": 1, "b": 2, "a": 3}"#, "line 1, column 25, field a", "twice"), (#"{"a": "\ud800"}"#, "line 1, column 14, field a", "surrogate"),
        (#"{"a": {"$timestamp": "2026-11-21T09:30:00Z", "x": 1}, "b"}"#, "line 1, column 58", "colon"),
    ]

    @Test(arguments: bad.indices)
    func `an error names line, column and field`(index: Int) {
        let (text, place, part) = Self.bad[index]
        let error = #expect(throws: FirestoreError.self) { try TypedJSON.fields(text.utf8, in: Self.database) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.location == place, "\(text): \(error?.message ?? "")")
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func `no text exhausts the stack, and cutting one short is an error`() throws {
        for open in ["[", "{\"a\":", "{\"$map\":", "{\"$map\":{\"a\":"] {
            let text = "{\"x\":" + String(repeating: open, count: 20_000)
            #expect(throws: FirestoreError.self) { try TypedJSON.fields(text.utf8, in: Self.database) }
        }
        let text = Array(#"{"a":[1.5e3,"ä\u00e4\\",true,{"$double":"NaN"}],"b":{"$map":{"$c":{"$vector":[1]}}}}"#.utf8)
        _ = try TypedJSON.fields(text, in: Self.database)
        for count in 0..<text.count { #expect(throws: FirestoreError.self) { try TypedJSON.fields(text[..<count], in: Self.database) } }
    }

    @Test func `random bytes are an error, never a crash`() {
        var random = RandomFields(seed: 7)
        let alphabet = Array("{}[]\",:$0123456789.eE+-\\u truefalsn\n\u{1}é".utf8)
        for _ in 0..<Self.rounds {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0x20 }
            if let fields = try? TypedJSON.fields(text, in: Self.database) {
                #expect(throws: Never.self) { try TypedJSON.text(fields, in: Self.database) }
            }
        }
    }

    @Test func `numbers are the nearest doubles, few digits or many`() throws {
        var random = RandomFields(seed: 11)
        for _ in 0..<Self.rounds {
            let digits = Int.random(in: 1...20, using: &random)
            let whole = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let number = whole.drop { $0 == "0" }
            let text = "\(number.isEmpty ? "0" : number).\(Int.random(in: 0...99_999, using: &random))"
            #expect(try TypedJSON.value(text.utf8, in: Self.database) == ValueBytes(.double(try #require(Double(text)))), "\(text)")
        }
    }

    @Test func `a pending timestamp is not written`() throws {  // SY-D9
        let document = Document(
            key: DocumentKey(trusted: "c/1"), createTime: .none, updateTime: .none,
            fields: FieldBytes(FieldMap([("m", .map(FieldMap([("at", try pendingTimestamp.value)])))])))
        var writer = TypedJSONWriter(database: Self.database)
        let error = #expect(throws: FirestoreError.self) { try writer.append(document) }
        #expect(error?.code == .internal && error?.location == "c/1")
    }

    @Test func `a document has a path, and its times stay behind`() throws {
        var reader = TypedJSONReader(database: Self.database)
        let text = #"{"updateTime":"2026-11-21T09:30:00Z","fields":{"b":1,"a":{"$double":"NaN"}},"path":"cities/SF"}"#
        let document = try reader.document(Array(text.utf8))
        #expect(document.key.path == "cities/SF")
        #expect(document.fields == FieldBytes(FieldMap([("a", .double(.nan)), ("b", .integer(1))])))
        var writer = TypedJSONWriter(database: Self.database)
        let stored = Document(
            key: document.key, createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 2), fields: document.fields)
        try writer.append(stored)
        #expect(writer.text == #"{"path":"cities/SF","fields":{"a":{"$double":"NaN"},"b":1}}"#)
        writer.removeAll()
        try writer.append(stored, withTimes: true)
        #expect(writer.text.hasSuffix(#","createTime":"1970-01-01T00:00:00.000001Z","updateTime":"1970-01-01T00:00:00.000002Z"}"#))
        #expect(try reader.document(writer.bytes) == document)
    }

    @Test(arguments: [
        (#"{"fields":{}}"#, "\"path\" is missing"), (#"{"path":"a/b"}"#, "\"fields\" is missing"), (#"{"path":"a","fields":{}}"#, "even number"),
        (#"{"path":"a/b","path":"a/b","fields":{}}"#, "twice"), (#"{"path":"a/b","fields":{},"id":1}"#, "nothing else"), (#"{"path":1,"fields":{}}"#, "a string"),
        (#"{"path":"a/b","fields":[]}"#, "an object"), ("{}", "a name in quotes"), (#"{"path":"a/b","fields":{}}{"#, "after the end"),
    ])
    func `text that is not a document is rejected, with its line`(text: String, part: String) {
        var reader = TypedJSONReader(database: Self.database)
        let error = #expect(throws: FirestoreError.self) { try reader.document(Array(text.utf8), line: 17) }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        #expect(error?.location?.hasPrefix("line 17, column ") == true)
    }

    @Test func `a pretty text has short values on one line`() throws {
        let text = #"{"a":[1,2,3],"long":{"first":"\#(String(repeating: "x", count: 40))","second":"\#(String(repeating: "y", count: 40))"}}"#
        let fields = try TypedJSON.fields(text.utf8, in: Self.database)
        let lines = try TypedJSON.text(fields, in: Self.database, .indented).split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines[1] == #"  "a": [1, 2, 3],"#)
        #expect(lines[2] == #"  "long": {"#)
    }
}
