// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Rules values of Firestore values (SR-81).
extension RulesValue {
    /// A value inside `owner`'s bytes. Maps, arrays and bytes refer to them.
    init(_ view: ValueView, in owner: ByteSlice) {
        func part(_ bytes: UnsafeRawBufferPointer) -> ByteSlice {
            // An empty part may come without an address.
            ByteSlice(owner: owner.owner, start: bytes.baseAddress ?? owner.start, count: bytes.count)
        }
        switch view.kind {
        case .boolean: self = .bool(view.boolean ?? false)
        case .integer: self = .int(view.integer ?? 0)
        case .double: self = .float(view.double ?? .nan)
        case .timestamp: self = view.timestamp.map { .timestamp($0) } ?? .null
        case .string: self = .string(view.string ?? "")
        case .bytes: self = view.dataBytes.map { .bytes(part($0)) } ?? .null
        case .reference: self = view.referenceBytes.map { .path(PathValue(reference: $0)) } ?? .null
        case .geoPoint: self = view.geoPoint.map { .latlng($0) } ?? .null
        case .array: self = view.elements.map { .list(.stored(part($0.bytes))) } ?? .null
        case .map:
            if let vector = view.vector {
                self = .vector(vector.map { $0.double ?? .nan })
            } else {
                self = view.fields.map { .map(.stored(part($0.bytes))) } ?? .null
            }
        case .null, .malformed: self = .null
        }
    }

    init(_ bytes: ValueBytes) {
        defer { withExtendedLifetime(bytes) {} }
        self.init(bytes.view, in: bytes.bytes)
    }

    /// A claim of a token.
    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .int(value)
        case .double(let value): self = .float(value)
        case .timestamp(let value): self = .timestamp(value)
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .bytes(ByteSlice(value))
        case .reference(let value): self = Array(value.utf8).withUnsafeBytes { .path(PathValue(reference: $0)) }
        case .geoPoint(let value): self = .latlng(value)
        case .array(let elements): self = .list(.elements(elements.map { RulesValue($0) }))
        case .map(let map): self = .map(.claims(map))
        }
    }
}

extension PathValue {
    /// `projects/P/databases/D/documents/…` becomes `/databases/D/documents/…` (SR-75).
    convenience init(reference: UnsafeRawBufferPointer) {
        let segments = reference.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        self.init(segments.dropFirst(2).map { String(decoding: $0, as: UTF8.self) })
    }
}
