// SPDX-License-Identifier: Apache-2.0

/// The keyed container of a frame.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: EncodingState
    let token: FrameToken

    var codingPath: [any CodingKey] { state.codingPath(of: token) }

    /// The field name of a key, converted by the strategy if there is one (R62).
    @inline(__always)
    private func name(of key: Key) -> String {
        state.usesDefaultKeys ? key.stringValue : state.convertedName(of: key, in: token)
    }

    /// Writes a value of a known form; errors get their path here, where the key is known.
    @inline(__always)
    private func write<T: Encodable>(
        _ value: T, _ key: Key, _ body: (WritePlace) throws(WriteFailure) -> Void
    ) throws {
        do {
            try body(.entry(name: name(of: key), token))
        } catch {
            try recover(from: error, value, key)
        }
    }

    /// A write while another frame is the innermost one goes to a detached child; otherwise it is an error.
    @inline(never)
    private func recover<T: Encodable>(from failure: WriteFailure, _ value: T, _ key: Key) throws {
        do {
            guard case .notCurrent = failure else { throw failure }
            // The container could not be opened, which is the actual error.
            if token == .none, let reason = state.failure { throw reason }
            let child = try state.makeChild(in: token, name: name(of: key), key: key)
            try child.encodeRoot(value)
        } catch let failure as WriteFailure {
            throw failure.error(value: value, path: codingPath + [key])
        }
    }

    func encodeNil(forKey key: Key) throws {
        try write(Bool?.none, key) { place throws(WriteFailure) in try state.writeNil(at: place) }
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: String, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int8, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int16, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int64, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt64, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try write(value, key) { place throws(WriteFailure) in try state.write(Double(value), at: place) }
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        do {
            let name = name(of: key)
            if try state.writeFixed(value, at: .entry(name: name, token)) { return }
            // The property is skipped (R71). Entries of dictionaries are not properties: such a value throws when it
            // encodes itself (R72).
            if T.self is any StructureCodingUncodedUnkeyed.Type, !DictionaryKeys.isKeyType(Key.self) { return }
            guard token == state.currentToken else { throw WriteFailure.notCurrent }
            try state.encodeNested(value, name: name, index: -1, key: key)
        } catch let failure as WriteFailure {
            try recover(from: failure, value, key)
        }
    }

    // MARK: Explicit containers

    private func container(_ kind: EncodingFrame.Kind, _ key: Key) -> (state: EncodingState, token: FrameToken) {
        do {
            return try state.container(kind, in: token, name: name(of: key), key: key)
        } catch {
            state.failure = error.error(value: (), path: codingPath + [key])
            return (state, .none)
        }
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy keyType: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        let inner = container(.keyed, key)
        return KeyedEncodingContainer(KeyedWriter<Inner>(state: inner.state, token: inner.token))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let inner = container(.unkeyed, key)
        return UnkeyedWriter(state: inner.state, token: inner.token)
    }

    func superEncoder() -> any Encoder { superEncoder(NameKey.super, name: superName(NameKey.super)) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key, name: name(of: key)) }

    private func superName(_ key: NameKey) -> String {
        state.usesDefaultKeys ? key.stringValue : state.convertedName(of: key, in: token)
    }

    private func superEncoder(_ key: any CodingKey, name: String) -> any Encoder {
        do {
            let child = try state.makeChild(in: token, name: name, key: key)
            return ValueEncoder(state: child, token: child.currentToken)
        } catch {
            state.failure = error.error(value: (), path: codingPath + [key])
            return ValueEncoder(state: state, token: .none)
        }
    }
}
