// SPDX-License-Identifier: Apache-2.0

/// The single-value container of a frame (R57).
struct SingleValueWriter: SingleValueEncodingContainer {
    let state: EncodingState
    let token: FrameToken

    var codingPath: [any CodingKey] { state.codingPath(of: token) }

    @inline(__always)
    private func write(_ value: Any, _ body: (WritePlace) throws(WriteFailure) -> Void) throws {
        do {
            try body(.single(token))
        } catch {
            throw error.error(value: value, path: codingPath)
        }
    }

    func encodeNil() throws {
        try write(()) { place throws(WriteFailure) in try state.writeNil(at: place) }
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
            if try state.writeFixed(value, at: .single(token)) { return }
            guard token == state.currentToken else { throw WriteFailure.notCurrent }
            guard state.top.pointee.kind == .pending else { throw WriteFailure.alreadyWritten }
            state.markDictionary(T.self)
            try state.encodeSelf(value, to: ValueEncoder(state: state, token: token))
        } catch let failure as WriteFailure {
            throw failure.error(value: value, path: codingPath)
        }
    }
}
