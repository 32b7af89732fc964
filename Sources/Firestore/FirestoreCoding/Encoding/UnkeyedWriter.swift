// SPDX-License-Identifier: Apache-2.0

/// The unkeyed container of a frame.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    let state: EncodingState
    let token: FrameToken

    var codingPath: [any CodingKey] { state.codingPath(of: token) }
    var count: Int { state.frame(token)?.pointee.elementCount ?? 0 }

    @inline(__always)
    private func write<T: Encodable>(
        _ value: T, _ body: (WritePlace) throws(WriteFailure) -> Void
    ) throws {
        do {
            try body(.element(token))
        } catch {
            try recover(from: error, value)
        }
    }

    @inline(never)
    private func recover<T: Encodable>(from failure: WriteFailure, _ value: T) throws {
        do {
            guard case .notCurrent = failure else { throw failure }
            // The container could not be opened, which is the actual error.
            if token == .none, let reason = state.failure { throw reason }
            let child = try state.makeChild(in: token, name: nil, key: nil)
            try child.encodeRoot(value)
        } catch let failure as WriteFailure {
            throw failure.error(value: value, path: codingPath + [IndexKey(count)])
        }
    }

    func encodeNil() throws {
        try write(Bool?.none) { place throws(WriteFailure) in try state.writeNil(at: place) }
    }

    func encode(_ value: Bool) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: String) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Double) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int8) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int16) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int32) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Int64) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt8) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt16) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt32) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: UInt64) throws {
        try write(value) { place throws(WriteFailure) in try state.write(value, at: place) }
    }
    func encode(_ value: Float) throws {
        try write(value) { place throws(WriteFailure) in try state.write(Double(value), at: place) }
    }

    func encode<T: Encodable>(_ value: T) throws {
        do {
            if try state.writeFixed(value, at: .element(token)) { return }
            guard token == state.currentToken else { throw WriteFailure.notCurrent }
            try state.encodeNested(value, name: nil, index: count, key: nil)
        } catch let failure as WriteFailure {
            try recover(from: failure, value)
        }
    }

    // MARK: Explicit containers

    private func container(_ kind: EncodingFrame.Kind) -> (state: EncodingState, token: FrameToken) {
        do {
            return try state.container(kind, in: token, name: nil, key: nil)
        } catch {
            state.failure = error.error(value: (), path: codingPath + [IndexKey(count)])
            return (state, .none)
        }
    }

    func nestedContainer<Inner: CodingKey>(keyedBy keyType: Inner.Type) -> KeyedEncodingContainer<Inner> {
        let inner = container(.keyed)
        return KeyedEncodingContainer(KeyedWriter<Inner>(state: inner.state, token: inner.token))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let inner = container(.unkeyed)
        return UnkeyedWriter(state: inner.state, token: inner.token)
    }

    func superEncoder() -> any Encoder {
        do {
            let child = try state.makeChild(in: token, name: nil, key: nil)
            return ValueEncoder(state: child, token: child.currentToken)
        } catch {
            state.failure = error.error(value: (), path: codingPath + [IndexKey(count)])
            return ValueEncoder(state: state, token: .none)
        }
    }
}
