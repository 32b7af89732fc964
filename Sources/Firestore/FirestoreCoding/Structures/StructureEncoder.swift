// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FirestoreCore

/// The objects of a structure that are neither scalars of Swift nor arrays nor dictionaries.
package protocol StructureRules {
    /// Throws if a value may not be nested in so many maps and arrays.
    func checkDepth(_ depth: Int) throws
    /// The value of an object, or nil if it is not a scalar.
    func scalar(_ object: Any) throws -> Value?
    /// What to encode for an object that is not a scalar, an array or a dictionary.
    func substitute(_ object: Any) throws -> StructureSubstitute
}

package enum StructureSubstitute {
    case value(Value)
    case structure(Any)
}

/// Encodes a structure of arrays, dictionaries and scalars as a value, for example a `[String: Any]`.
///
/// Compares types before it casts: a failing cast asks Foundation whether the object can be bridged, which takes longer than writing
/// the object.
package struct StructureEncoder {
    private let state: EncodingState
    private let rules: any StructureRules

    /// - Throws: The errors of the rules. A `FirestoreError` gets the path of its field as its location.
    package static func encode(_ structure: Any, rules: any StructureRules) throws -> ValueBytes {
        let state = EncodingState(options: EncodingOptions(destination: .structure), root: .value)
        let encoder = StructureEncoder(state: state, rules: rules)
        try encoder.write(structure, at: .single(state.currentToken))
        return ValueBytes(canonical: try state.finishValue())
    }

    /// Called with an `Any`, which the call opens.
    private func write<Object>(_ object: Object, at place: WritePlace) throws {
        try located(place) { try rules.checkDepth(state.top.pointee.depth) }
        if Object.self == String.self {
            try state.write(unsafeBitCast(object, to: String.self), at: place)
        } else if type(of: object) == NSNumber.self {
            try write(number: unsafeBitCast(object, to: Unmanaged<NSNumber>.self).takeUnretainedValue(), at: place)
        } else if Object.self == [String: Any].self {
            try write(entries: unsafeBitCast(object, to: [String: Any].self), at: place)
        } else if Object.self == [Any].self {
            try write(elements: unsafeBitCast(object, to: [Any].self), at: place)
        } else if Object.self == Int.self {
            try state.write(unsafeBitCast(object, to: Int.self), at: place)
        } else if Object.self == Double.self {
            try state.write(exactly: unsafeBitCast(object, to: Double.self), at: place)
        } else if Object.self == Bool.self {
            try state.write(unsafeBitCast(object, to: Bool.self), at: place)
        } else if Object.self == [String].self {
            try state.write(unsafeBitCast(object, to: [String].self), at: place)
        } else if Object.self == [Double].self {
            try state.write(unsafeBitCast(object, to: [Double].self), at: place)
        } else if Object.self == [Int].self {
            try state.write(unsafeBitCast(object, to: [Int].self), at: place)
        } else {
            try write(unusual: object, at: place)
        }
    }

    private func write(number: NSNumber, at place: WritePlace) throws {
        switch number.content {
        case .boolean(let flag): try state.write(flag, at: place)
        case .integer(let integer): try state.write(integer, at: place)
        case .double(let double): try state.write(exactly: double, at: place)
        case .unsigned: try write(other: number, at: place)
        }
    }

    /// A number of another class, as a boolean is, or a collection of other types.
    private func write<Object>(unusual object: Object, at place: WritePlace) throws {
        if type(of: object) is AnyClass, let number = object as? NSNumber { return try write(number: number, at: place) }
        if let collection = object as? any UntypedElements { return try write(elements: collection.elements, at: place) }
        if let collection = object as? any UntypedEntries { return try write(entries: collection.entries, at: place) }
        try write(other: object, at: place)
    }

    /// An object that the rules know, or a collection of Foundation.
    private func write(other object: Any, at place: WritePlace) throws {
        if let value = try located(place, { try rules.scalar(object) }) { return try state.write(encoded: value, at: place) }
        if let elements = object as? [Any] { return try write(elements: elements, at: place) }
        if let entries = object as? [String: Any] { return try write(entries: entries, at: place) }
        switch try located(place, { try rules.substitute(object) }) {
        case .value(let value): try state.write(encoded: value, at: place)
        case .structure(let structure): try write(structure, at: place)
        }
    }

    private func write(elements: [Any], at place: WritePlace) throws {
        try write(.unkeyed, at: place) { token in
            for element in elements { try write(element, at: .element(token)) }
        }
    }

    private func write(entries: [String: Any], at place: WritePlace) throws {
        try write(.keyed, at: place) { token in
            for (name, value) in entries { try write(value, at: .entry(name: name, token)) }
        }
    }

    private func write(_ kind: EncodingFrame.Kind, at place: WritePlace, _ fill: (FrameToken) throws -> Void) throws {
        func fillTop() throws {
            try state.open(kind)
            try fill(state.currentToken)
        }
        switch place {
        case .entry(let name, _): try state.inFrame(name: name, index: -1, key: nil, fillTop)
        case .element: try state.inFrame(name: nil, index: state.top.pointee.elementCount, key: nil, fillTop)
        case .single: try fillTop()
        }
    }

    // MARK: Locations of errors

    @inline(__always)
    private func located<Result>(_ place: WritePlace, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw located(error, place)
        }
    }

    private func located(_ error: any Error, _ place: WritePlace) -> any Error {
        let names =
            switch place {
            case .entry(let name, let token): state.fieldNames(of: token) + [name]
            case .element(let token), .single(let token): state.fieldNames(of: token)
            }
        guard let error = error as? FirestoreError, !names.isEmpty else { return error }
        return error.located(at: "field \(FieldPathSegments(names).canonical)")
    }
}

/// An array of any type, without asking Foundation.
private protocol UntypedElements {
    var elements: [Any] { get }
}

extension Array: UntypedElements {
    fileprivate var elements: [Any] { map { $0 } }
}

/// A dictionary with names as keys, without asking Foundation.
private protocol UntypedEntries {
    var entries: [String: Any] { get }
}

extension Dictionary: UntypedEntries where Key == String {
    fileprivate var entries: [String: Any] { mapValues { $0 } }
}
