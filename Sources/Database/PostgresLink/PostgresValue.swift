// SPDX-License-Identifier: Apache-2.0
#if Postgres
    /// A parameter of a statement. Its type on the server follows from the case.
    package enum PostgresValue: Sendable {
        /// Has no type: the server infers it from the statement, which may need a cast such as `$1::bigint`.
        case null
        case bool(Bool)
        case int4(Int32)
        case int8(Int64)
        case bytes([UInt8])
        case text(String)
        case int4s([Int32])
        case int8s([Int64])
        case optionalInt8s([Int64?])
        case byteses([[UInt8]])
        case optionalByteses([[UInt8]?])
        case bools([Bool])

        /// The object identifier of the type, as `pg_type` has it on every server; 0 leaves the type open.
        var typeIdentifier: UInt32 {
            switch self {
            case .null: 0
            case .bool: ElementType.bool
            case .bytes: ElementType.bytea
            case .int8: ElementType.int8
            case .int4: ElementType.int4
            case .text: 25
            case .bools: 1000
            case .byteses, .optionalByteses: 1001
            case .int4s: 1007
            case .int8s, .optionalInt8s: 1016
            }
        }
    }

    private enum ElementType {
        static let bool: UInt32 = 16
        static let bytea: UInt32 = 17
        static let int8: UInt32 = 20
        static let int4: UInt32 = 23
    }

    /// The parameters of one call in binary format, in one buffer.
    struct EncodedValues {
        private var buffer: [UInt8] = []
        /// Where each value lies in the buffer; nil for null.
        private var places: [Range<Int>?] = []

        init(_ values: [PostgresValue]) {
            buffer.reserveCapacity(values.reduce(16) { $0 + Self.estimate($1) })
            for value in values { append(value) }
            // An empty value needs an address that is not null.
            if buffer.isEmpty { buffer.append(0) }
        }

        private static func estimate(_ value: PostgresValue) -> Int {
            switch value {
            case .bytes(let bytes): bytes.count
            case .text(let text): text.utf8.count
            case .int4s(let values): values.count * 8 + 20
            case .int8s(let values): values.count * 12 + 20
            case .byteses(let values): values.reduce(20) { $0 + $1.count + 4 }
            default: 16
            }
        }

        /// Passes the values in the form that libpq takes. The pointers are valid during the call.
        func withPointers<R>(_ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> R) -> R {
            buffer.withUnsafeBytes { bytes in
                let start = bytes.bindMemory(to: CChar.self).baseAddress
                let values = places.map { place in place.flatMap { range in start.map { $0 + range.lowerBound } } }
                return body(values, places.map { Int32($0?.count ?? 0) }, Array(repeating: 1, count: places.count))
            }
        }

        private mutating func append(_ value: PostgresValue) {
            let start = buffer.count
            switch value {
            case .null:
                places.append(nil)
                return
            case .bool(let value): buffer.append(value ? 1 : 0)
            case .int4(let value): append(value)
            case .int8(let value): append(value)
            case .bytes(let bytes): buffer.append(contentsOf: bytes)
            case .text(let text): buffer.append(contentsOf: text.utf8)
            case .int4s(let values): array(values, of: ElementType.int4) { $0.append($1) }
            case .int8s(let values): array(values, of: ElementType.int8) { $0.append($1) }
            case .optionalInt8s(let values): array(values, of: ElementType.int8) { $0.append($1) }
            case .byteses(let values): array(values, of: ElementType.bytea) { $0.buffer.append(contentsOf: $1) }
            case .optionalByteses(let values): array(values, of: ElementType.bytea) { $0.buffer.append(contentsOf: $1) }
            case .bools(let values): array(values, of: ElementType.bool) { $0.buffer.append($1 ? 1 : 0) }
            }
            places.append(start..<buffer.count)
        }

        private mutating func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
        }

        private mutating func array<Element>(_ elements: [Element], of type: UInt32, _ write: (inout Self, Element) -> Void) {
            header(count: elements.count, hasNull: false, of: type)
            for element in elements { item { write(&$0, element) } }
        }

        private mutating func array<Element>(_ elements: [Element?], of type: UInt32, _ write: (inout Self, Element) -> Void) {
            header(count: elements.count, hasNull: elements.contains { $0 == nil }, of: type)
            for element in elements {
                if let element { item { write(&$0, element) } } else { append(Int32(-1)) }
            }
        }

        /// An empty array has no dimension; any other has one, whose first subscript is 1.
        private mutating func header(count: Int, hasNull: Bool, of type: UInt32) {
            append(Int32(count == 0 ? 0 : 1))
            append(Int32(hasNull ? 1 : 0))
            append(type)
            guard count > 0 else { return }
            append(Int32(count))
            append(Int32(1))
        }

        /// An element, behind its length.
        private mutating func item(_ write: (inout Self) -> Void) {
            let start = buffer.count
            append(Int32(0))
            write(&self)
            let length = UInt32(buffer.count - start - 4)
            for index in 0..<4 { buffer[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
        }
    }
#endif
