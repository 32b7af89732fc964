// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A function whose arguments are all evaluated.
struct ModelFunction {
    /// The kinds of each argument; the last are those of all further ones. nil: anything but a failure.
    let parameters: [Set<ModelKind>?]
    let body: ([ModelResult]) -> ModelResult

    init(_ parameters: Set<ModelKind>?..., body: @escaping ([ModelResult]) -> ModelResult) {
        (self.parameters, self.body) = (parameters, body)
    }

    /// Of values of one kind.
    static func of(_ kinds: Set<ModelKind>..., body: @escaping ([Value]) -> ModelResult) -> ModelFunction {
        ModelFunction(parameters: kinds.map { $0 }) { body($0.map(\.orNull)) }
    }

    private init(parameters: [Set<ModelKind>?], body: @escaping ([ModelResult]) -> ModelResult) {
        (self.parameters, self.body) = (parameters, body)
    }
}

extension PipelineModel {
    private static let everyValue: Set<ModelKind> = [
        .boolean, .number, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .vector, .map,
    ]

    func function(_ name: String) throws -> ModelFunction {
        guard let function = logic(name) ?? Self.number(name) ?? Self.text(name) ?? Self.collection(name) else { throw ModelFault() }
        return function
    }

    // MARK: Comparisons

    private func logic(_ name: String) -> ModelFunction? {
        switch name {
        case "equal": ModelFunction(nil, nil) { .boolean(Self.equals($0[0], $0[1])) }
        case "not_equal": ModelFunction(nil, nil) { .boolean(!Self.equals($0[0], $0[1])) }
        case "less_than": Self.order { $0 < 0 }
        case "less_than_or_equal": Self.order { $0 <= 0 }
        case "greater_than": Self.order { $0 > 0 }
        case "greater_than_or_equal": Self.order { $0 >= 0 }
        case "cmp": ModelFunction(nil, nil) { .integer(ModelOrder.compare($0[0].orNull, $0[1].orNull).signum()) }
        case "equal_any": ModelFunction(nil, [.array]) { .boolean(Self.isElement($0[0], of: $0[1])) }
        case "not_equal_any": ModelFunction(nil, [.array]) { .boolean(!Self.isElement($0[0], of: $0[1])) }
        case "exists": ModelFunction(nil) { .boolean(!$0[0].isAbsent) }
        case "is_absent": ModelFunction(nil) { .boolean($0[0].isAbsent) }
        case "not": .of([.boolean]) { .boolean(ModelResult.value($0[0]).boolean == false) }
        case "xor": .of([.boolean]) { .boolean($0.count { ModelResult.value($0).isTrue } % 2 == 1) }
        case "type": ModelFunction(nil) { $0[0].isAbsent ? .null : .value(.string(Self.type(of: $0[0].orNull))) }
        case "maximum": Self.extreme { $0 > 0 }
        case "minimum": Self.extreme { $0 < 0 }
        default: nil
        }
    }

    static func equals(_ left: ModelResult, _ right: ModelResult) -> Bool {
        left.isAbsent || right.isAbsent ? left.isAbsent && right.isAbsent : ModelOrder.equals(left.orNull, right.orNull)
    }

    private static func order(_ accepts: @escaping (Int) -> Bool) -> ModelFunction {
        ModelFunction(nil, nil) { values in
            guard case .value(let left) = values[0], case .value(let right) = values[1], left.kind == right.kind, !left.isNaN, !right.isNaN
            else { return .boolean(false) }
            return .boolean(accepts(ModelOrder.compare(left, right)))
        }
    }

    private static func isElement(_ value: ModelResult, of array: ModelResult) -> Bool {
        guard case .value(let value) = value else { return false }
        return (array.orNull.elements ?? []).contains { ModelOrder.equals($0, value) }
    }

    private static func type(of value: Value) -> String {
        switch value {
        case .integer: "int64"
        case .double: "float64"
        case .geoPoint: "geo_point"
        default: "\(value.kind)"
        }
    }

    private static func extreme(_ isBetter: @escaping (Int) -> Bool) -> ModelFunction {
        ModelFunction(nil) { values in
            let candidates = values.count == 1 ? values[0].orNull.elements ?? values.map(\.orNull) : values.map(\.orNull)
            var best = Value.null
            for candidate in candidates where candidate.kind != .null {
                if best.kind == .null || isBetter(ModelOrder.compare(candidate, best)) { best = candidate }
            }
            return .value(best)
        }
    }

    // MARK: Texts

    private static func text(_ name: String) -> ModelFunction? {
        switch name {
        case "char_length": .of([.string]) { .integer(scalars($0[0]).count) }
        case "byte_length": .of([.string, .bytes]) { .integer(bytes($0[0]).count) }
        case "to_upper":
            .of([.string, .bytes]) { values in
                guard case .bytes(let bytes) = values[0] else { return .value(.string(string(values[0]).uppercased())) }
                return .value(.bytes(bytes.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }))
            }
        case "string_concat": .of([.string]) { .value(.string($0.map(string).joined())) }
        case "starts_with": .of([.string]) { .boolean(bytes($0[0]).starts(with: bytes($0[1]))) }
        case "ends_with": .of([.string]) { .boolean(bytes($0[0]).reversed().starts(with: bytes($0[1]).reversed())) }
        case "string_contains":
            .of([.string]) { values in
                let (text, part) = (bytes(values[0]), bytes(values[1]))
                return .boolean((0...text.count).contains { text[$0...].starts(with: part) })
            }
        case "substring":
            .of([.string, .bytes], [.number]) { values in
                guard case .integer(let position) = values[1] else { return .failed }
                func rest<Unit>(_ units: [Unit]) -> [Unit] {
                    Array(units.dropFirst(position < 0 ? max(0, units.count + Int(position)) : Int(position)))
                }
                if case .bytes(let bytes) = values[0] { return .value(.bytes(rest(bytes))) }
                return .value(.string(rest(scalars(values[0])).map { String($0) }.joined()))
            }
        default: nil
        }
    }

    private static func string(_ value: Value) -> String { if case .string(let text) = value { text } else { "" } }
    private static func scalars(_ value: Value) -> [Unicode.Scalar] { Array(string(value).unicodeScalars) }
    private static func bytes(_ value: Value) -> [UInt8] { if case .bytes(let bytes) = value { bytes } else { Array(string(value).utf8) } }

    // MARK: Arrays, maps and references

    private static func collection(_ name: String) -> ModelFunction? {
        switch name {
        case "array": ModelFunction(nil) { .value(.array($0.map(\.orNull))) }
        case "map":
            ModelFunction(nil) { values in
                var map = FieldMap()
                for index in stride(from: 0, to: values.count, by: 2) {
                    guard case .string(let key) = values[index].orNull else { return .failed }
                    if case .value(let value) = values[index + 1] { map[key] = value }
                }
                return .value(.map(map))
            }
        case "map_get":
            .of(everyValue, [.string]) { ($0[0].plainMap?[string($0[1])]).map { .value($0) } ?? .absent }
        case "array_length": .of([.array]) { .integer($0[0].elements?.count ?? 0) }
        case "array_reverse": .of([.array]) { .value(.array(($0[0].elements ?? []).reversed())) }
        case "array_concat": .of([.array]) { .value(.array($0.flatMap { $0.elements ?? [] })) }
        case "array_first": .of([.array]) { $0[0].elements?.first.map { .value($0) } ?? .absent }
        case "array_contains": ModelFunction([.array], nil) { .boolean(isElement($0[1], of: $0[0])) }
        case "array_contains_all":
            .of([.array]) { values in
                .boolean((values[1].elements ?? []).allSatisfy { isElement(.value($0), of: .value(values[0])) })
            }
        case "array_contains_any":
            .of([.array]) { values in
                .boolean((values[1].elements ?? []).contains { isElement(.value($0), of: .value(values[0])) })
            }
        case "document_id":
            .of([.reference]) { values in
                guard case .reference(let name) = values[0] else { return .failed }
                return .value(.string(String(name.split(separator: "/").last ?? "")))
            }
        default: nil
        }
    }
}
