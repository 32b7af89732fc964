// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Protos
import SwiftProtobuf
import Testing

/// Pipelines on the wire: arguments of every kind, and what is wrong with messages.
struct PipelineCodecTests {
    typealias Value = Google_Firestore_V1_Value
    typealias Stage = Google_Firestore_V1_Pipeline.Stage

    private func decode(_ stages: Stage..., change: (inout Google_Firestore_V1_ExecutePipelineRequest) -> Void = { _ in }) throws -> ExecutePipelineRequest {
        var message = Google_Firestore_V1_ExecutePipelineRequest()
        message.database = "projects/p/databases/(default)"
        message.structuredPipeline.pipeline.stages = stages
        change(&message)
        return try ExecutePipelineRequest(decoding: ByteSlice(try message.serializedBytes() as [UInt8]))
    }

    private func refusal(_ stages: Stage..., change: (inout Google_Firestore_V1_ExecutePipelineRequest) -> Void = { _ in }) -> FirestoreError? {
        let error = #expect(throws: FirestoreError.self) {
            try decode(Stage.with { $0.name = "database" }) { message in
                message.structuredPipeline.pipeline.stages += stages
                change(&message)
            }
        }
        #expect(error?.code == .invalidArgument)
        return error
    }

    private static func stage(_ arguments: Value...) -> Stage {
        .with {
            $0.name = "where"
            $0.args = arguments
        }
    }

    private static func field(_ path: String) -> Value { .with { $0.fieldReferenceValue = path } }
    private static func integer(_ number: Int64) -> Value { .with { $0.integerValue = number } }
    private static func array(_ elements: Value...) -> Value { .with { $0.arrayValue.values = elements } }
    private static func map(_ entries: [String: Value]) -> Value { .with { $0.mapValue.fields = entries } }

    private static func call(_ name: String, _ arguments: Value...) -> Value {
        .with {
            $0.functionValue.name = name
            $0.functionValue.args = arguments
        }
    }

    // MARK: Arguments

    // PL-5
    @Test func `values become constants, fields, variables, functions and pipelines`() throws {
        let nested = Value.with { $0.pipelineValue.stages = [.with { $0.name = "database" }] }
        let stage = Self.stage(
            Self.integer(1), Self.field("a.`b.c`"), .with { $0.variableReferenceValue = "v" }, Self.call("f", Self.field("a"), Self.integer(2)), nested,
            Self.array(Self.integer(1), Self.field("a")), Self.map(["b": Self.field("a"), "a": Self.integer(1)]), Self.array(Self.array(Self.integer(1))),
            Self.map(["": Self.array(Self.array())]))
        let found = try decode(stage).pipeline.stages[0].arguments
        let expected: [PipelineArgument] = [
            .value(.integer(1)), .field(FieldPathSegments(["a", "b.c"])), .variable("v"), .call("f", .field(FieldPathSegments("a")), .value(.integer(2))),
            .pipeline([PipelineStage(.database)]), .array([.value(.integer(1)), .field(FieldPathSegments("a"))]),
            .map([PipelineEntry("a", .value(.integer(1))), PipelineEntry("b", .field(FieldPathSegments("a")))]), .value(.array([.array([.integer(1)])])),
            .value(.map(FieldMap([("", .array([.array([])]))]))),
        ]
        #expect(found == expected)
    }

    @Test func `options of pipelines, stages and functions are arguments`() throws {
        var stage = Self.stage(.with { value in
            value.functionValue.name = "f"
            value.functionValue.options = ["o": Self.field("a")]
        })
        stage.options = ["p": Self.integer(1)]
        let request = try decode(stage) { $0.structuredPipeline.options = ["index_mode": .with { $0.stringValue = "recommended" }] }
        #expect(request.pipeline.options == ["index_mode": .value(.string("recommended"))])
        #expect(request.pipeline.stages[0].options == ["p": .value(.integer(1))])
        #expect(request.pipeline.stages[0].arguments == [.function(PipelineFunction("f", options: ["o": .field(FieldPathSegments("a"))]))])
    }

    // PL-35
    @Test func `names of field paths may begin with digits`() throws {
        #expect(try decode(Self.stage(Self.field("a.1"))).pipeline.stages[0].arguments == [.field(FieldPathSegments(["a", "1"]))])
    }

    @Test func `constants are canonical`() throws {
        let bytes = try decode(Self.stage(.with { $0.doubleValue = -.nan }, .with { $0.timestampValue.nanos = 1_999 })).pipeline.stages[0].arguments
        #expect(bytes == [.value(.double(.nan)), .value(.timestamp(TimestampValue(seconds: 0, nanoseconds: 1_000)))])
    }

    @Test func `messages in parts and entries that occur twice are read as protobuf has it`() throws {
        // Two parts of one function value: the name of the second is used, the arguments of both.
        let first = try Self.call("f", Self.field("a")).serializedBytes() as [UInt8]
        let second = try Self.call("g", Self.integer(1)).serializedBytes() as [UInt8]
        let merged = try Value(serializedBytes: first + second)
        #expect(try decode(Self.stage(merged)).pipeline.stages[0].arguments == [.call("g", .field(FieldPathSegments("a")), .value(.integer(1)))])
        let pipeline = PipelineStage("s", [.map([PipelineEntry("k", .field(FieldPathSegments("a"))), PipelineEntry("k", .field(FieldPathSegments("b")))])])
        let bytes = ExecutePipelineRequest(database: DatabaseID(projectID: "p"), pipeline: PipelineRequest([pipeline])).encoded()
        let found = try ExecutePipelineRequest(decoding: ByteSlice(bytes)).pipeline.stages[0].arguments
        #expect(found == [.map([PipelineEntry("k", .field(FieldPathSegments("b")))])])
    }

    // MARK: Mistakes

    @Test func `an error names the stage and the innermost function`() {
        #expect(refusal(Self.stage(Self.call("and", Self.call("equal", Self.field("a..b")))))?.description.hasPrefix("stage 2 (where), function equal") == true)
        #expect(refusal(Self.stage(Self.field("")))?.description.hasPrefix("stage 2 (where)") == true)
        let nested = Value.with { $0.pipelineValue.stages = [.with { $0.name = "a" }, Self.stage(Value())] }
        #expect(refusal(Self.stage(Self.call("array", nested)))?.description.hasPrefix("stage 2 (where), stage 2 (where)") == true)
        // Names may be as long as a message.
        #expect((refusal(Self.stage(Self.call(String(repeating: "x", count: 100_000), Value())))?.description.utf8.count ?? 0) < 1_000)
    }

    @Test func `malformed arguments are invalid arguments`() {
        _ = refusal(Self.stage(Value()))
        _ = refusal(Self.stage(Self.array(Value(), Self.field("a"))))
        _ = refusal(Self.stage(.with { $0.variableReferenceValue = "" }))
        _ = refusal(Self.stage(.with { $0.geoPointValue.latitude = 91 }))
        _ = refusal(Self.stage(.with { $0.timestampValue.seconds = .max }))
        _ = refusal { $0.pipelineType = nil }
        _ = refusal { $0.database = "projects/p/databases/d/documents" }
    }

    @Test func `text that is not UTF-8 is refused, in names and in constants`() throws {
        for text in ["\u{1}\u{2}", "key"] {
            let stage = Self.stage(.with { $0.stringValue = "\u{1}\u{2}" }, Self.map(["key": Self.integer(1)]))
            var message = Google_Firestore_V1_ExecutePipelineRequest()
            message.database = "projects/p/databases/(default)"
            message.structuredPipeline.pipeline.stages = [stage]
            let bytes = try message.serializedBytes() as [UInt8]
            let start = try #require(bytes.indices.first { bytes[$0...].starts(with: text.utf8) })
            var changed = bytes
            changed[start] = 0xFF
            #expect(throws: FirestoreError.self) { try ExecutePipelineRequest(decoding: ByteSlice(changed)) }
        }
    }

    // PT-231
    @Test func `expressions nest a hundred levels deep, pipelines twenty, constants sixty-four`() throws {
        func calls(_ levels: Int) -> Value {
            var value = Self.field("a")
            for _ in 1..<levels { value = Self.call("f", value) }
            return value
        }
        func unions(_ levels: Int) -> Stage {
            var stage = Stage.with { $0.name = "database" }
            for _ in 0..<levels {
                let inner = stage
                stage = .with {
                    $0.name = "union"
                    $0.args = [.with { $0.pipelineValue.stages = [inner] }]
                }
            }
            return stage
        }
        func arrays(_ levels: Int) -> Value {
            var value = Self.integer(1)
            for _ in 0..<levels { value = Self.array(value) }
            return value
        }
        #expect(throws: Never.self) { try decode(Self.stage(calls(100))) }
        #expect(refusal(Self.stage(calls(101)))?.description.contains("100 levels") == true)
        #expect(throws: Never.self) { try decode(unions(20)) }
        #expect(refusal(unions(21))?.description.contains("20 levels") == true)
        #expect(throws: Never.self) { try decode(Self.stage(arrays(64))) }
        #expect(refusal(Self.stage(arrays(65)))?.description.contains("64 levels") == true)
    }

    /// Not followed to the end, which would exhaust the stack.
    @Test func `a message that nests thousands of levels deep is refused`() {
        func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] { varint(number << 3 | 2) + varint(UInt64(content.count)) + content }
        func varint(_ number: UInt64) -> [UInt8] { number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7) }
        for number in [9, 20, 21] as [UInt64] {
            var value = field(19, Array("a".utf8))
            for _ in 0..<2_000 {
                switch number {
                case 9: value = field(9, field(1, value))
                case 20: value = field(20, field(2, value))
                default: value = field(21, field(1, field(2, value)))
                }
            }
            let message = field(1, Array("projects/p/databases/d".utf8)) + field(2, field(1, field(1, field(2, value))))
            let error = #expect(throws: FirestoreError.self) { try ExecutePipelineRequest(decoding: ByteSlice(message)) }
            #expect(error?.message.contains("levels deep") == true)
        }
    }

    // DM-29
    @Test func `kinds of values that only pipelines have stay refused in documents`() throws {
        var message = Google_Firestore_V1_CommitRequest()
        message.database = "projects/p/databases/(default)"
        for value in [Self.field("a"), Self.call("f"), .with { $0.pipelineValue = .init() }, .with { $0.variableReferenceValue = "v" }] {
            message.writes = [.with { $0.update = .with { $0.name = "projects/p/databases/(default)/documents/a/b"; $0.fields = ["f": value] } }]
            let bytes = try message.serializedBytes() as [UInt8]
            #expect(throws: FirestoreError.self) { try CommitRequest(decoding: ByteSlice(bytes)) }
        }
    }

    // MARK: Options

    // PL-12, PL-13, PT-205
    @Test(arguments: [("execute", nil), ("explain", ExplainOptions.plan), ("analyze", .analyze), (nil, nil)] as [(String?, ExplainOptions?)])
    func `explain options become a mode`(mode: String?, expected: ExplainOptions?) throws {
        let request = try decode(Stage.with { $0.name = "database" }) { message in
            var options: [String: Value] = ["output_format": .with { $0.stringValue = "json" }]
            if let mode { options["mode"] = .with { $0.stringValue = mode } }
            message.structuredPipeline.options = ["explain_options": Self.map(options), "unknown": Self.integer(1)]
        }
        #expect(request.explain == expected && request.pipeline.options == ["unknown": .value(.integer(1))])
        #expect(request.explanationForm == .json)
        #expect(try ExecutePipelineRequest(decoding: ByteSlice(request.encoded())).explain == expected)
    }

    // PL-12
    @Test func `an explanation is a text unless JSON is asked for`() throws {
        for (name, expected) in [(nil, .text), ("text", .text), ("json", .json)] as [(String?, ExecutePipelineRequest.ExplanationForm)] {
            let request = try decode(Stage.with { $0.name = "database" }) { message in
                var options: [String: Value] = ["mode": .with { $0.stringValue = "explain" }]
                if let name { options["output_format"] = .with { $0.stringValue = name } }
                message.structuredPipeline.options = ["explain_options": Self.map(options)]
            }
            #expect(request.explanationForm == expected)
            #expect(try ExecutePipelineRequest(decoding: ByteSlice(request.encoded())).explanationForm == expected)
        }
    }

    @Test func `other explain options are invalid arguments`() {
        _ = refusal { $0.structuredPipeline.options = ["explain_options": Self.integer(1)] }
        _ = refusal { $0.structuredPipeline.options = ["explain_options": Self.map(["mode": .with { $0.stringValue = "guess" }])] }
        _ = refusal { $0.structuredPipeline.options = ["explain_options": Self.map(["mode": Self.field("a")])] }
        _ = refusal { $0.structuredPipeline.options = ["explain_options": Self.map(["output_format": .with { $0.stringValue = "yaml" }])] }
        _ = refusal { $0.structuredPipeline.options = ["explain_options": Self.map(["output_format": Self.integer(1)])] }
    }

    // PL-2, PT-219
    @Test func `a commit needs a transaction`() throws {
        _ = refusal { $0.autoCommitTransaction = true }
        _ = refusal {
            $0.autoCommitTransaction = true
            $0.readTime.seconds = 5
        }
        let request = try decode(Stage.with { $0.name = "database" }) {
            $0.autoCommitTransaction = true
            $0.newTransaction.readWrite = .init()
        }
        #expect(request.commitsTransaction)
    }

    // MARK: Results

    // PL-9, PL-32, PL-217
    @Test func `rows are read that no document could be`() throws {
        func nested(_ levels: Int) -> FirestoreCore.Value {
            var value = FirestoreCore.Value.integer(1)
            for _ in 0..<levels { value = .array([value]) }
            return value
        }
        let fields = FieldMap([("", .array([.array([])])), ("__x__", .null), ("deep", nested(64)), ("long", .string(String(repeating: "x", count: 2_000_000)))])
        let row = PipelineRow(fields: FieldBytes(fields))
        let bytes = ExecutePipelineResponse(rows: [row]).encoded()
        #expect(try ExecutePipelineResponse(decoding: ByteSlice(bytes)).rows == [row])
        let deeper = ExecutePipelineResponse(rows: [PipelineRow(fields: FieldBytes(FieldMap([("deep", nested(100))])))]).encoded()
        #expect(throws: FirestoreError.self) { try ExecutePipelineResponse(decoding: ByteSlice(deeper)) }
    }

    @Test(arguments: [
        (
            "Plan\n  1. literals({a: 1})\n     rows of the request: 1\nExecution:\n  rows: 4\n  documents read: 10\n  duration: 0.5 ms",
            #"{"plan":["1. literals({a: 1})","   rows of the request: 1"],"execution":{"rows":4,"documents read":10,"duration":"0.5 ms"}}"#
        ),
        ("  rows: 1\nOther\nPlan\n  1. limit(1)", #"{"plan":{"rows":1},"other":[],"plan":["1. limit(1)"]}"#), ("", "{}"),
    ])
    func `the sections of an explanation are members of its JSON`(text: String, json: String) {
        #expect(PipelineExplanation(text: text).json.text() == json)
    }

    // PL-6
    @Test func `statistics in another form than text are empty`() throws {
        var message = Google_Firestore_V1_ExecutePipelineResponse()
        message.explainStats.data = try Google_Protobuf_Any(message: Google_Protobuf_Duration(seconds: 5))
        #expect(try ExecutePipelineResponse(decoding: ByteSlice(try message.serializedBytes() as [UInt8])).explanation == PipelineExplanation(text: ""))
        message.explainStats.data = try Google_Protobuf_Any(message: Google_Protobuf_StringValue("plan"))
        #expect(try ExecutePipelineResponse(decoding: ByteSlice(try message.serializedBytes() as [UInt8])).explanation?.text == "plan")
    }
}
