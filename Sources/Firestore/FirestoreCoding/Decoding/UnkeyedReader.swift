// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The elements of an array, one after the other. A failed read does not advance, so that another type can be tried
/// (R96).
struct UnkeyedReader: UnkeyedDecodingContainer {
    let state: DecodingState
    let node: DecodingNode?
    let count: Int?
    private(set) var currentIndex = 0
    private var rest: ArrayView.Iterator
    /// The element at `currentIndex`, nil at the end.
    private var next: ValueView?

    init(state: DecodingState, elements: ArrayView, node: DecodingNode?) {
        self.state = state
        self.node = node
        count = elements.count
        rest = elements.makeIterator()
        next = rest.next()
    }

    var codingPath: [any CodingKey] { DecodingNode.path(node) }
    var isAtEnd: Bool { next == nil }
    private var place: DecodingPlace { DecodingPlace(node: node, key: IndexKey(currentIndex)) }

    /// The element that is read next, for audits.
    var stored: ValueView? { next }

    /// Leaves an element out, for audits.
    mutating func skip() { moved(()) }

    private func element(_ type: Any.Type) throws -> ValueView {
        guard let next else { throw state.pastTheEnd(type, place) }
        return next
    }

    @discardableResult
    private mutating func moved<T>(_ value: T) -> T {
        currentIndex += 1
        next = rest.next()
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try element(Any?.self).isNull else { return false }
        return moved(true)
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try element(type)
        // An element is not a field of a document (R72).
        return moved(try state.decode(type, from: value, place))
    }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        let container = try decoder([String: Any].self).container(keyedBy: type)
        return moved(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder([Any].self).unkeyedContainer()
        return moved(container)
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder((any Decoder).self)
        return moved(decoder)
    }

    private func decoder(_ type: Any.Type) throws -> ValueDecoder {
        ValueDecoder(state: state, node: DecodingNode(node, IndexKey(currentIndex), .value(try element(type))))
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { moved(try state.boolean(element(type), place)) }
    mutating func decode(_ type: String.Type) throws -> String { moved(try state.string(element(type), place)) }
    mutating func decode(_ type: Double.Type) throws -> Double { moved(try state.double(element(type), place)) }
    mutating func decode(_ type: Float.Type) throws -> Float { moved(try state.float(element(type), place)) }
    mutating func decode(_ type: Int.Type) throws -> Int { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { moved(try state.integer(type, element(type), place)) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { moved(try state.integer(type, element(type), place)) }
}
