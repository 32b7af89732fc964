// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreWire

/// The JSON form of REST, against SwiftProtobuf's.
struct TranscodingTests {
    private func type(_ sample: MessageSample) throws -> MessageType {
        try #require(MessageType.allCases.first { "\($0)" == sample.type })
    }

    @Test(arguments: MessageSample.all) func `the JSON of a message equals SwiftProtobuf's`(sample: MessageSample) throws {
        let ours = try JSONFromProtobuf.json(ByteSlice(sample.bytes), as: try type(sample))
        let theirs = try JSON(sample.json(sample.bytes))
        #expect(Self.normalized(ours).text() == Self.normalized(theirs).text())
    }

    @Test(arguments: MessageSample.all) func `JSON written straight from the bytes is the same`(sample: MessageSample) throws {
        let type = try type(sample)
        let tree = try JSONFromProtobuf.json(ByteSlice(sample.bytes), as: type)
        #expect(Self.normalized(try JSON(try Self.text(sample.bytes, as: type))).text() == Self.normalized(tree).text())
        // Twice the same fields: the last order in which they can be written without a search is over.
        let twice = sample.bytes + sample.bytes
        let again = try Self.text(twice, as: type)
        #expect(Self.normalized(try JSON(again)).text() == Self.normalized(try JSONFromProtobuf.json(ByteSlice(twice), as: type)).text())
    }

    @Test func `an expression as deep as one may be is written as JSON, and read again`() throws {
        var value = PipelineArgument.field(FieldPathSegments("a"))
        for _ in 1..<PipelineLimits.expressionDepth { value = .call("f", value) }
        let pipeline = PipelineRequest([PipelineStage(.where, [value])])
        let bytes = ExecutePipelineRequest(database: MessageSample.database, pipeline: pipeline).encoded()
        let json = try JSONFromProtobuf.json(ByteSlice(bytes), as: .executePipelineRequest)
        #expect(try ProtobufFromJSON.bytes(JSON(json.bytes()), as: .executePipelineRequest) == bytes)
    }

    @Test func `text is escaped as JSON wants it`() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap { Unicode.Scalar($0) })) + "żółć 😀 \u{2028}"
        let fields = FieldBytes(FieldMap([(text, .string(text)), ("d", .double(-0.0)), ("e", .array([])), ("n", .null), ("b", .bytes([0, 255]))]))
        let document = Document(key: MessageSample.key, createTime: .none, updateTime: .none, fields: fields)
        let bytes = DocumentResponse(database: MessageSample.database, document: document).encoded()
        let written = try Self.text(bytes, as: .document)
        #expect(Self.normalized(try JSON(written)).text() == Self.normalized(try JSONFromProtobuf.json(ByteSlice(bytes), as: .document)).text())
        #expect(written.contains(Array("\"doubleValue\":-0.0".utf8)))
    }

    @Test func `a character is escaped at any position, and other characters are not`() throws {
        let characters = (0..<0x80).compactMap { Unicode.Scalar($0) } + ["ż", "\u{2028}", "😀"]
        for place in 0..<17 {
            let texts = characters.map { character in
                var text = String(repeating: "a", count: 17).unicodeScalars.map(\.self)
                text[place] = character
                return String(String.UnicodeScalarView(text))
            }
            let fields = FieldBytes(FieldMap(texts.enumerated().map { ("f\($0)", .string($1)) }))
            let document = Document(key: MessageSample.key, createTime: .none, updateTime: .none, fields: fields)
            let bytes = DocumentResponse(database: MessageSample.database, document: document).encoded()
            let json = try JSON(try Self.text(bytes, as: .document))
            for (index, text) in texts.enumerated() {
                guard case .string(let read)? = json["fields"]?["f\(index)"]?["stringValue"] else {
                    Issue.record("no f\(index) at \(place)")
                    continue
                }
                #expect(equalUTF8(read, text))
            }
        }
    }

    @Test(arguments: [0, 7, -7, 10, .max, .min] as [Int64]) func `numbers are written with all their digits`(number: Int64) throws {
        let fields = FieldBytes(FieldMap([("n", .integer(number))]))
        let document = Document(key: MessageSample.key, createTime: .none, updateTime: .none, fields: fields)
        let bytes = DocumentResponse(database: MessageSample.database, document: document).encoded()
        let written = try Self.text(bytes, as: .document)
        guard case .string(let text)? = try JSON(written)["fields"]?["n"]?["integerValue"] else {
            Issue.record("no number")
            return
        }
        #expect(text == String(number))
    }

    @Test(arguments: MessageSample.all.filter { !$0.testDescription.contains("Response") })
    func `a request in JSON is the same request`(sample: MessageSample) throws {
        let type = try type(sample)
        let json = try JSON(sample.json(sample.bytes))
        let bytes = try ProtobufFromJSON.bytes(json, as: type)
        #expect(try sample.ours(bytes) == sample.bytes)
        // And with the names the fields have in the messages.
        #expect(try sample.ours(try ProtobufFromJSON.bytes(Self.renamed(json, type), as: type)) == sample.bytes)
    }

    private static func text(_ bytes: [UInt8], as type: MessageType) throws -> [UInt8] {
        var writer = JSONTextFromProtobuf(capacity: 0)
        try bytes.withUnsafeBytes { try writer.write($0, as: type) }
        return writer.text
    }

    /// Members sorted, numbers in one spelling.
    private static func normalized(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            .object(members.map { ($0.name, normalized($0.value)) }.sorted { compareUTF8($0.0, $1.0) < 0 })
        case .array(let elements): .array(elements.map(normalized))
        case .number(let text): .number((Double(text) ?? .nan).description)
        default: json
        }
    }

    /// `updateMask` → `update_mask`, but for the names of maps, which are data.
    private static func renamed(_ json: JSON, _ type: MessageType) -> JSON {
        guard case .object(let members) = json else { return json }
        return .object(
            members.map { name, value in
                guard let field = type.field(called: name) else { return (name, value) }
                var snake = ""
                for character in name { snake += character.isUppercase ? "_" + character.lowercased() : String(character) }
                guard case .message(let inner) = field.kind, field.shape != .map else { return (snake, value) }
                if case .array(let elements) = value { return (snake, .array(elements.map { renamed($0, inner) })) }
                return (snake, renamed(value, inner))
            })
    }

    @Test func `two spellings of one letter are two fields`() throws {
        // DM-7: no Unicode normalisation anywhere.
        let fields = FieldBytes(FieldMap([("é", .integer(1)), ("e\u{301}", .integer(2))]))
        let document = Document(key: MessageSample.key, createTime: .none, updateTime: .none, fields: fields)
        let bytes = DocumentResponse(database: MessageSample.database, document: document).encoded()
        let json = try JSONFromProtobuf.json(ByteSlice(bytes), as: .document)
        let again = try DocumentResponse(decoding: ByteSlice(try ProtobufFromJSON.bytes(try JSON(json.bytes()), as: .document)))
        #expect(again.document.fields == fields)
    }

    private func value(_ json: String) throws -> ValueBytes {
        try ValueBytes(wire: ByteSlice(try ProtobufFromJSON.bytes(try JSON(json.utf8), as: .value)), in: "the test")
    }

    @Test(arguments: [
        (#"{"nullValue": null}"#, Value.null), (#"{"nullValue": "NULL_VALUE"}"#, .null), (#"{"booleanValue": false}"#, .boolean(false)),
        (#"{"integerValue": "-9223372036854775808"}"#, .integer(.min)), (#"{"integerValue": 12}"#, .integer(12)),
        (#"{"integerValue": 1e3}"#, .integer(1_000)), (#"{"doubleValue": 1}"#, .double(1)), (#"{"doubleValue": "NaN"}"#, .double(.nan)),
        (#"{"doubleValue": "-Infinity"}"#, .double(-.infinity)), (#"{"doubleValue": -0.0}"#, .double(-0.0)),
        (#"{"bytesValue": "-_8="}"#, .bytes([0xFB, 0xFF])), (#"{"bytesValue": "+/8"}"#, .bytes([0xFB, 0xFF])),
        (#"{"timestampValue": "1970-01-01T00:00:01Z"}"#, .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))),
        (#"{"timestampValue": "1970-01-01T00:00:01.123Z"}"#, .timestamp(TimestampValue(seconds: 1, nanoseconds: 123_000_000))),
        (#"{"timestampValue": "1970-01-01T00:00:01.123456Z"}"#, .timestamp(TimestampValue(seconds: 1, nanoseconds: 123_456_000))),
        (#"{"timestampValue": "1970-01-01T01:00:01.123456789+01:00"}"#, .timestamp(TimestampValue(seconds: 1, nanoseconds: 123_456_000))),
        (#"{"arrayValue": {}}"#, .array([])), (#"{"mapValue": {}}"#, .map(FieldMap())), (#"{"mapValue": {"fields": {}}}"#, .map(FieldMap())),
        (#"{"geoPointValue": {"latitude": 1}}"#, .geoPoint(GeoPointValue(latitude: 1, longitude: 0))),
        (#"{"string_value": "a%2Fb"}"#, .string("a%2Fb")),
    ]) func `values are read as VAL-24 has them`(json: String, expected: Value) throws {
        #expect(try value(json) == ValueBytes(expected))
    }

    @Test(arguments: [
        #"{}"#, #"{"integerValue": "1.5"}"#, #"{"integerValue": "9223372036854775808"}"#, #"{"doubleValue": "one"}"#, #"{"doubleValue": 1e999}"#,
        #"{"bytesValue": "a"}"#, #"{"bytesValue": "***"}"#, #"{"timestampValue": "yesterday"}"#, #"{"timestampValue": "10000-01-01T00:00:00Z"}"#,
        #"{"timestampValue": {"seconds": 1}}"#, #"{"unknownValue": 1}"#, #"{"integerValue": 1, "stringValue": "a"}"#, #"{"booleanValue": "true"}"#,
        #"{"nullValue": 0}"#, #"{"arrayValue": {"values": [null]}}"#, #"{"stringValue": 1}"#, #"[]"#, #"{"mapValue": {"fields": []}}"#,
        #"{"mapValue": {"fields": {"a": null}}}"#,
    ]) func `other values are rejected`(json: String) {
        let error = #expect(throws: FirestoreError.self) { try value(json) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `an error names the position`() {
        let json = #"{"writes": [{"update": {"fields": {"a": {"arrayValue": {"values": [{"integerValue": "x"}]}}}}}]}"#
        let error = #expect(throws: FirestoreError.self) { try ProtobufFromJSON.bytes(try JSON(json.utf8), as: .commitRequest) }
        #expect(error?.location == "writes[0].update.fields.a.arrayValue.values[0].integerValue")
    }

    @Test(arguments: [
        (#"{"writes": [{"update": nope}]}"#, "byte 23"), (#"{"writes": [}"#, "byte 12"), (#"{"writes": []"#, "byte 13"), (#"{"writes": []} x"#, "byte 15"),
        (#"{"writes": [1 2]}"#, "writes[0]"), (#"{"writes": {"a": "\u12"}}"#, nil), (#"{"transaction" 1}"#, "byte 15"), ("", "byte 0"), ("[]", nil), ("\"a", "byte 2"),
        (#"{"\ud800": 1}"#, "byte 8"),
    ] as [(String, String?)]) func `malformed JSON is rejected with the byte at which reading stopped`(json: String, place: String?) {
        let error = #expect(throws: FirestoreError.self) {
            var converter = ProtobufFromJSON()
            try converter.append(ByteSlice(Array(json.utf8)), as: .commitRequest)
        }
        #expect(error?.code == .invalidArgument && (place == nil || error?.location == place), "\(String(describing: error))")
    }

    @Test func `names and values may be escaped, and members that are null count as missing`() throws {
        let json = #"{"\u0066ields": {"\u00e9\n": {"string\u0056alue": "\ud83d\ude00"}}, "createTime": null, "name": null}"#
        var converter = ProtobufFromJSON()
        try converter.append(ByteSlice(Array(json.utf8)), as: .document)
        let fields = try JSONFromProtobuf.json(converter.message, as: .document)
        guard case .string("😀")? = fields["fields"]?["é\n"]?["stringValue"] else {
            Issue.record("\(fields.text())")
            return
        }
        #expect(fields["name"] == nil && fields["createTime"] == nil)
    }

    @Test func `objects and arrays nest as deep as documents need, and no text exhausts the stack`() throws {
        func nested(_ depth: Int) -> ByteSlice {
            let open = String(repeating: #"{"arrayValue":{"values":["#, count: depth)
            return ByteSlice(Array((open + #"{"integerValue":"1"}"# + String(repeating: "]}}", count: depth)).utf8))
        }
        var converter = ProtobufFromJSON()
        try converter.append(nested(60), as: .value)
        #expect(converter.message.count > 120)
        #expect(throws: FirestoreError.self) {
            var converter = ProtobufFromJSON()
            try converter.append(nested(100_000), as: .value)
        }
        // Also where a value of another kind is expected.
        #expect(throws: FirestoreError.self) {
            var converter = ProtobufFromJSON()
            try converter.append(ByteSlice(Array((#"{"stringValue":"# + String(repeating: "[", count: 100_000)).utf8)), as: .value)
        }
    }

    @Test(arguments: [0, 1, 100, 127, 128, 129, 16_383, 16_384, 70_000, 2_100_000]) func `fields of every length are written`(count: Int) throws {
        let text = String(repeating: "x", count: count)
        let bytes = try ProtobufFromJSON.bytes(.object([("fields", .object([("a", .object([("mapValue", .object([("fields", .object([("b", .object([("stringValue", .string(text))]))]))]))]))]))]), as: .document)
        guard case .string(let read)? = try JSONFromProtobuf.json(ByteSlice(bytes), as: .document)["fields"]?["a"]?["mapValue"]?["fields"]?["b"]?["stringValue"] else {
            Issue.record("no string")
            return
        }
        #expect(read == text)
    }

    @Test(arguments: MessageType.allCases) func `every field is found by both of its names, and nothing else is`(type: MessageType) {
        for field in type.fields {
            #expect(type.field(called: field.name)?.number == field.number && type.field(called: field.originalName)?.number == field.number)
            for name in [field.name.uppercased(), field.name + "_", "", String(field.name.dropLast()) + "\u{301}"] {
                #expect(type.field(called: name) == nil || type.fields.contains { $0.name == name || $0.originalName == name })
            }
        }
    }

    @Test func `the URL takes precedence over the body`() throws {
        let call = try #require(try RESTRouter.match(verb: "PATCH", target: "/v1/projects/p/databases/(default)/documents/c/d?updateMask.fieldPaths=a"))
        let body = #"{"name": "projects/p/databases/(default)/documents/other/one", "fields": {"a": {"integerValue": "1"}}}"#
        let request = try UpdateDocumentRequest(decoding: try call.requestBytes(body: ByteSlice(Array(body.utf8))))
        #expect(request.write.key == DocumentKey(trusted: "c/d"))
    }

    @Test(arguments: MessageSample.all.filter { !$0.testDescription.contains("Response") })
    func `damaged JSON is rejected, or read as a message`(sample: MessageSample) throws {
        let type = try type(sample)
        let whole = try JSON(sample.json(sample.bytes)).bytes()
        var generator = SeededGenerator(seed: UInt64(whole.count))
        for _ in 0..<300 {
            var text = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !text.isEmpty {
                let place = Int.random(in: text.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text.removeSubrange(place...)
                case 1: text.remove(at: place)
                case 2: text[place] = UInt8.random(in: .min ... .max, using: &generator)
                default: text.insert(contentsOf: text[place...].prefix(Int.random(in: 1...40, using: &generator)), at: place)
                }
            }
            var converter = ProtobufFromJSON(capacity: 0)
            do {
                try converter.append(ByteSlice(text), as: type)
            } catch {
                #expect(error.code == .invalidArgument)
                continue
            }
            #expect(throws: Never.self) { try JSONFromProtobuf.json(converter.message, as: type) }
        }
    }
}
