// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FirestoreCore

/// The encoder that a type's `encode(to:)` receives: a frame of the running encoding.
package struct ValueEncoder: Encoder {
    let state: EncodingState
    let token: FrameToken

    package var codingPath: [any CodingKey] { state.codingPath(of: token) }
    package var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedWriter<Key>(state: state, token: open(.keyed)))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedWriter(state: state, token: open(.unkeyed))
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueWriter(state: state, token: token)
    }

    /// The token of the container; if the value is something else already, one whose writes fail (R52).
    private func open(_ kind: EncodingFrame.Kind) -> FrameToken {
        guard token == state.currentToken else {
            return state.frame(token)?.pointee.kind == kind ? token : .none
        }
        do {
            try state.open(kind)
            return token
        } catch {
            state.failure = error.error(value: (), path: codingPath)
            return .none
        }
    }

    // MARK: Access for Firestore's types

    /// False for a standalone `FirebaseDataEncoder`: Firestore's types are ordinary keyed values then.
    package var storesFirestoreTypes: Bool { state.followsFirestoreRules }

    /// The database of the document, if it is known.
    package var database: DatabaseID? { state.options.database }

    /// The object that the caller of the encoder put into the options.
    package var companion: AnyObject? { state.options.companion }

    package func encode(_ value: TimestampValue) throws {
        try write(value) { () throws(WriteFailure) in try state.write(value, at: .single(token)) }
    }

    package func encode(_ value: GeoPointValue) throws {
        try write(value) { () throws(WriteFailure) in try state.write(value, at: .single(token)) }
    }

    /// The full resource name of a document.
    package func encode(reference name: String) throws {
        try write(name) { () throws(WriteFailure) in try state.write(reference: name, at: .single(token)) }
    }

    package func encode(vector components: [Double]) throws {
        try write(components) { () throws(WriteFailure) in try state.write(vector: components, at: .single(token)) }
    }

    /// A value that is neither an array nor a map, untouched by strategies.
    package func encode(exactly value: Value) throws {
        try write(value) { () throws(WriteFailure) in try state.write(encoded: value, at: .single(token)) }
    }

    package func encode(_ sentinel: Sentinel) throws {
        try write(sentinel) { () throws(WriteFailure) in try state.write(sentinel, in: token) }
    }

    private func write(_ value: Any, _ body: () throws(WriteFailure) -> Void) throws {
        do {
            try body()
        } catch {
            throw error.error(value: value, path: codingPath)
        }
    }

    /// Writes a timestamp for a destination without timestamps: the keyed form of other coders (R35).
    func writeTimestampMap(_ date: Date) throws {
        guard let value = TimestampValue(storing: date) else {
            throw WriteFailure.timestampRange.error(value: date, path: codingPath)
        }
        var container = container(keyedBy: NameKey.self)
        try container.encode(value.seconds, forKey: NameKey("seconds"))
        try container.encode(value.nanoseconds, forKey: NameKey("nanoseconds"))
    }
}
