// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A single value, for types that wrap one (R57).
struct SingleValueReader: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNil }

    private func value(_ type: Any.Type) throws -> ValueView {
        switch decoder.slot {
        case .value(let value): return value
        case .nothing: throw decoder.state.nothingThere(type, decoder.place)
        case .fields: throw decoder.state.documentMismatch(type, decoder.place)
        }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard case .value(let value) = decoder.slot else {
            decoder.state.markDictionary(type, at: decoder.node)
            return try T(from: decoder)
        }
        return try decoder.state.decode(type, from: value, decoder.place)
    }

    func decode(_ type: Bool.Type) throws -> Bool { try decoder.state.boolean(value(type), decoder.place) }
    func decode(_ type: String.Type) throws -> String { try decoder.state.string(value(type), decoder.place) }
    func decode(_ type: Double.Type) throws -> Double { try decoder.state.double(value(type), decoder.place) }
    func decode(_ type: Float.Type) throws -> Float { try decoder.state.float(value(type), decoder.place) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.state.integer(type, value(type), decoder.place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.state.integer(type, value(type), decoder.place) }
}
