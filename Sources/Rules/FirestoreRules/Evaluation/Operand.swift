// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An operand of `==`. A field of a document is compared where it is stored, most often with the id of the user.
enum Operand {
    case value(RulesValue)
    /// The encoded value, inside the bytes of a document.
    case stored(ByteSlice)

    var value: RulesValue {
        switch self {
        case .value(let value): return value
        case .stored(let bytes): return RulesValue(ValueBytes(canonical: bytes))
        }
    }

    /// Whether two strings are equal; nil if this is for `ValueEquality` to say.
    static func equalStrings(_ left: Operand, _ right: Operand) -> Bool? {
        switch (left, right) {
        case (.stored(let bytes), .value(.string(let text))), (.value(.string(let text)), .stored(let bytes)):
            var text = text
            return text.withUTF8 { text in
                bytes.withUnsafeBytes { ValueView($0).stringBytes.map { compareBytes($0, UnsafeRawBufferPointer(text)) == 0 } }
            }
        default: return nil
        }
    }
}

extension Evaluation {
    mutating func operand(_ node: NodeID) throws(Interruption) -> Operand {
        guard !Recorder.isRecording, case .member(let base, let name) = program.nodes[node] else { return .value(try value(node)) }
        if case .request = program.nodes[Int(base)] { return .value(try value(node)) }
        try spend(1)
        let map = try value(Int(base))
        if case .map(.stored(let fields)) = map, let field = Self.field(program.strings[Int(name)], of: fields) { return .stored(field) }
        return .value(try member(of: map, Int(name)))
    }

    private static func field(_ name: String, of fields: ByteSlice) -> ByteSlice? {
        defer { withExtendedLifetime(fields) {} }
        return FieldsView(fields.buffer)[utf8: name].map { ByteSlice(owner: fields.owner, start: $0.start, count: $0.count) }
    }

    func equal(_ left: Operand, _ right: Operand, at node: NodeID) throws(Interruption) -> Bool {
        if let answer = Operand.equalStrings(left, right) { return answer }
        return try equal(left.value, right.value, at: node)
    }
}
