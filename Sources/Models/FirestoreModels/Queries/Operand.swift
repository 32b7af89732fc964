// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
package import FirestoreCore
import FirestoreCoding

/// The operand of a comparison, encoded when the encoder of its collection is known (MP-47).
package enum Operand {
    /// A value that every encoder stores alike.
    case plain(Value)
    case encodable(any Encodable)
    case list([Operand])

    package init<T: Encodable>(_ value: T) {
        // The check costs nothing next to an encoder.
        if T.self == Int.self {
            self = .plain(.integer(Int64(unsafeBitCast(value, to: Int.self))))
        } else if T.self == String.self {
            self = .plain(.string(unsafeBitCast(value, to: String.self)))
        } else if T.self == Bool.self {
            self = .plain(.boolean(unsafeBitCast(value, to: Bool.self)))
        } else if T.self == Double.self, unsafeBitCast(value, to: Double.self).isFinite {
            self = .plain(.double(unsafeBitCast(value, to: Double.self)))
        } else {
            self = .encodable(value)
        }
    }

    package init(list values: some Sequence<some Encodable>) { self = .list(values.map { Operand($0) }) }

    /// The value to compare with, at the place of a field.
    package func value<Model>(
        at path: ModelPath, _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) -> Value {
        switch self {
        case .plain(let value): return value
        case .encodable(let value): return try Self.encoded(value, at: path, coder, in: firestore)
        case .list(let operands):
            var values: [Value] = []
            values.reserveCapacity(operands.count)
            for operand in operands { values.append(try operand.value(at: path, coder, in: firestore)) }
            return .array(values)
        }
    }

    private static func encoded<Model>(
        _ value: some Encodable, at path: ModelPath, _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) -> Value {
        // The id is not a field, but a reference has to be encoded at some place.
        let place = path.isDocumentID ? Self.idPlace : path
        let encoded = try coder.encode(value, at: place, in: firestore)
        guard encoded.sentinels.isEmpty else {
            throw .invalidArgument("a FieldValue, or an empty server timestamp, cannot be used in a query", at: "field \(path.text)")
        }
        let fields = encoded.fields
        defer { withExtendedLifetime(fields) {} }
        guard let view = fields.view[try coder.segments(of: place)] else {
            throw .invalidArgument("the value encodes to nothing, so that a query cannot compare with it", at: "field \(path.text)")
        }
        return try Value(view)
    }

    private static let idPlace = ModelPath([FieldKey(dictionaryKey: "id")])
}
