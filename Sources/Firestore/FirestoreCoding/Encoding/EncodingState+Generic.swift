// SPDX-License-Identifier: Apache-2.0
import Foundation
import FirestoreCore

/// Values of any type: Foundation's types and arrays of scalars are encoded directly, all other types by `encode(to:)`.
extension EncodingState {
    /// Encodes the value of the state.
    func encodeRoot<T: Encodable>(_ value: T) throws {
        let token = currentToken
        markDictionary(T.self)
        do {
            if try !writeFixed(value, at: .single(token)) {
                try encodeSelf(value, to: ValueEncoder(state: self, token: token))
            }
        } catch let failure as WriteFailure {
            throw failure.error(value: value, path: codingPath(of: token))
        }
        if root == .document { try finishRootFrame(value) }
    }

    /// Like `endFrame`, for the document itself, whose frame remains until its bytes are taken.
    private func finishRootFrame(_ value: Any) throws {
        if let failure {
            self.failure = nil
            throw failure
        }
        guard frames.pointee.kind == .keyed else {
            throw WriteFailure.topLevel.error(value: value, path: [])  // R7, R9
        }
    }

    /// Encodes a value in a separate frame.
    func encodeNested<T: Encodable>(
        _ value: T, name: String?, index: Int, key: (any CodingKey)?
    ) throws {
        try inFrame(name: name, index: index, key: key) {
            markDictionary(T.self)
            try encodeSelf(value, to: ValueEncoder(state: self, token: currentToken))
        }
    }

    /// Pushes a frame, which a closure fills, and ends it; an error discards what the closure wrote.
    @inline(__always)
    func inFrame(name: String?, index: Int, key: (any CodingKey)?, _ fill: () throws -> Void) throws {
        let outer = frameCount
        push(.pending, depth: top.pointee.depth)
        top.pointee.name = name
        top.pointee.index = index
        top.pointee.key = key
        do {
            try fill()
            try endFrame()
        } catch {
            unwind(toFrame: outer)
            throw error
        }
    }

    /// Exempts the innermost frame's keys from the key strategy if the type is a dictionary (R43, R67). Costs nothing
    /// without a strategy.
    @inline(__always)
    func markDictionary<T>(_ type: T.Type) {
        if !usesDefaultKeys { top.pointee.isExemptFromKeyStrategy = T.self is any StringKeyedDictionary.Type }
    }

    /// Writes a value of a type that never encodes itself (R4), or returns false.
    func writeFixed<T>(_ value: T, at place: WritePlace) throws -> Bool {
        if T.self == Date.self { return try write(unsafeBitCast(value, to: Date.self), at: place) }
        if T.self == [Double].self { return try write(doubles: unsafeBitCast(value, to: [Double].self), at: place) }
        if T.self == [String].self {
            return try written { () throws(WriteFailure) in
                try write(unsafeBitCast(value, to: [String].self), at: place)
            }
        }
        if T.self == [Int].self {
            return try written { () throws(WriteFailure) in
                try write(unsafeBitCast(value, to: [Int].self), at: place)
            }
        }
        if T.self == URL.self {
            return try written { () throws(WriteFailure) in
                try write(unsafeBitCast(value, to: URL.self).absoluteString, at: place)
            }
        }
        if T.self == Data.self { return try write(data: unsafeBitCast(value, to: Data.self), at: place) }
        if T.self == Decimal.self {
            // Stored as a double (R30e).
            let number = unsafeBitCast(value, to: Decimal.self).nearestDouble
            return try written { () throws(WriteFailure) in try write(number, at: place) }
        }
        if T.self == [Float].self {
            return try write(doubles: unsafeBitCast(value, to: [Float].self).map { Double($0) }, at: place)
        }
        if T.self == [Bool].self {
            return try written { () throws(WriteFailure) in
                try write(unsafeBitCast(value, to: [Bool].self), at: place)
            }
        }
        if !followsFirestoreRules, let resolver = options.passthrough, resolver.isPassthroughType(value) {
            return try written { () throws(WriteFailure) in try write(object: value, at: place) }
        }
        return false
    }

    @inline(__always)
    private func written(_ body: () throws(WriteFailure) -> Void) throws(WriteFailure) -> Bool {
        try body()
        return true
    }

    /// Returns false if a number needs the float strategy: then the array encodes itself, element by element.
    private func write(doubles values: [Double], at place: WritePlace) throws(WriteFailure) -> Bool {
        guard values.allSatisfy({ $0.isFinite }) else { return false }
        try write(values, at: place)
        return true
    }

    /// Returns false if the strategy lets `Date` encode itself or calls a closure.
    private func write(_ date: Date, at place: WritePlace) throws(WriteFailure) -> Bool {
        switch options.dates {
        case .timestamp:
            guard followsFirestoreRules else { return false }
            guard let value = TimestampValue(storing: date) else {
                throw .timestampRange  // R29
            }
            try write(value, at: place)
        case .deferredToDate: try write(date.timeIntervalSinceReferenceDate, at: place)
        case .secondsSince1970: try write(date.timeIntervalSince1970, at: place)
        case .millisecondsSince1970: try write(1000 * date.timeIntervalSince1970, at: place)
        case .iso8601: try write(date.formatted(Date.ISO8601FormatStyle()), at: place)
        case .formatted(let formatter): try write(formatter.string(from: date), at: place)
        case .custom: return false
        }
        return true
    }

    private func write(data: Data, at place: WritePlace) throws(WriteFailure) -> Bool {
        switch options.data {
        case .blob: try write(data, at: place)
        case .base64: try write(data.base64EncodedString(), at: place)
        case .deferredToData, .custom: return false
        }
        return true
    }

    /// Encodes the types that `writeFixed` does not write: custom closures, then the type's own `encode(to:)`.
    func encodeSelf<T: Encodable>(_ value: T, to encoder: ValueEncoder) throws {
        if T.self == Date.self {
            let date = unsafeBitCast(value, to: Date.self)
            if case .custom(let closure) = options.dates { return try closure(date, encoder) }
            if case .timestamp = options.dates { return try encoder.writeTimestampMap(date) }
        } else if T.self == Data.self, case .custom(let closure) = options.data {
            return try closure(unsafeBitCast(value, to: Data.self), encoder)
        }
        try value.encode(to: encoder)
    }
}
