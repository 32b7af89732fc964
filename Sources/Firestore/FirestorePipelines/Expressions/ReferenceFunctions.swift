// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions of references, of places, and of the sizes of values.
enum ReferenceFunctions {
    static let all: [FunctionDefinition] = [
        .one("document_id", .reference) { reference, _ in segment(0, of: reference).map { .string(utf8: $0) } ?? .null },
        .one("collection_id", .reference) { reference, _ in segment(1, of: reference).map { .string(utf8: $0) } ?? .null },
        .one("parent", .reference) { reference, _ in parent(of: reference) },
        .one("storage_size", .any) { value, _ in
            value.isAbsent ? .null : .integer(Int64(value.withView { StorageSize.value($0) }))
        },
        .two("geo_distance", .geoPoint, .geoPoint) { left, right, _ in
            guard let left = left.geoPoint, let right = right.geoPoint else { return .null }
            return .double(Sphere.distance(left, right))
        },
    ]

    /// A segment of the name, counted from the end.
    private static func segment(_ index: Int, of reference: EvaluatedValue) -> UnsafeRawBufferPointer? {
        guard let name = reference.reference else { return nil }
        var end = name.count
        for _ in 0..<index { end = name[..<end].lastIndex(of: UInt8(ascii: "/")) ?? 0 }
        let start = name[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return UnsafeRawBufferPointer(rebasing: name[start..<end])
    }

    /// The document above; `null` for one of a collection at the root.
    private static func parent(of reference: EvaluatedValue) -> EvaluatedValue {
        guard let name = reference.reference, let path = ReferenceName(name)?.path else { return .null }
        var end = path.count
        for _ in 0..<2 { end = path[..<end].lastIndex(of: UInt8(ascii: "/")) ?? 0 }
        guard end > 0 else { return .null }
        return .reference(String(decoding: name[..<(name.count - path.count + end)], as: UTF8.self))
    }
}
