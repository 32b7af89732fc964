// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What an expression evaluates to for one row: a value, nothing, or a failure.
///
/// A value of a field, a constant or an element is read in place: `encoded` borrows its bytes if it has no owner, and is valid while the
/// row lives. `owned()` makes it last.
enum EvaluatedValue {
    /// There is no value: a missing field.
    case absent
    /// The evaluation has failed, and so does what depends on it.
    case failure(EvaluationFailure)
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case timestamp(TimestampValue)
    /// A value of any kind, as it is stored.
    case encoded(ValueView, owner: ByteStorage?)
}

/// Why an expression has no value for a row.
struct EvaluationFailure {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The kinds of values that functions distinguish.
struct ValueTypes: OptionSet, Sendable {
    let rawValue: UInt16

    static let null = ValueTypes(rawValue: 1 << 0)
    static let boolean = ValueTypes(rawValue: 1 << 1)
    static let integer = ValueTypes(rawValue: 1 << 2)
    static let double = ValueTypes(rawValue: 1 << 3)
    static let timestamp = ValueTypes(rawValue: 1 << 4)
    static let string = ValueTypes(rawValue: 1 << 5)
    static let bytes = ValueTypes(rawValue: 1 << 6)
    static let reference = ValueTypes(rawValue: 1 << 7)
    static let geoPoint = ValueTypes(rawValue: 1 << 8)
    static let array = ValueTypes(rawValue: 1 << 9)
    static let vector = ValueTypes(rawValue: 1 << 10)
    static let map = ValueTypes(rawValue: 1 << 11)
    static let absent = ValueTypes(rawValue: 1 << 12)
    static let failure = ValueTypes(rawValue: 1 << 13)

    static let number: ValueTypes = [.integer, .double]
    /// A string or bytes.
    static let text: ValueTypes = [.string, .bytes]
    /// Every value other than `null`.
    static let value: ValueTypes = [.boolean, .number, .timestamp, .text, .reference, .geoPoint, .array, .vector, .map]
    /// Every value, `null` and nothing included: the function decides what they mean.
    static let any: ValueTypes = [.null, .value, .absent]
}

/// An integer or a double.
enum PipelineNumber {
    case integer(Int64)
    case double(Double)

    var asDouble: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        }
    }
}

extension EvaluatedValue {
    static func fail(_ reason: String) -> EvaluatedValue { .failure(EvaluationFailure(reason)) }

    /// A number.
    static func number(_ number: PipelineNumber) -> EvaluatedValue {
        switch number {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        }
    }

    /// Of exactly one kind; empty for damaged bytes.
    var type: ValueTypes {
        switch self {
        case .absent: .absent
        case .failure: .failure
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .timestamp: .timestamp
        case .encoded(let view, _): view.valueType
        }
    }

    var isTrue: Bool { boolean == true }
    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var isNull: Bool {
        switch self {
        case .null: true
        case .encoded(let view, _): view.isNull
        default: false
        }
    }
    var isNothing: Bool { isAbsent || isNull }
    var failure: EvaluationFailure? { if case .failure(let failure) = self { failure } else { nil } }

    var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .encoded(let view, _): view.boolean
        default: nil
        }
    }

    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .encoded(let view, _): view.integer
        default: nil
        }
    }

    var number: PipelineNumber? {
        switch self {
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .encoded(let view, _):
            if let value = view.integer { return .integer(value) }
            return view.double.map { .double($0) }
        default: return nil
        }
    }

    var timestamp: TimestampValue? {
        switch self {
        case .timestamp(let value): value
        case .encoded(let view, _): view.timestamp
        default: nil
        }
    }

    /// The bytes of values that are stored as such; nil for numbers and other values that may be held inline.
    private var view: ValueView? { if case .encoded(let view, _) = self { view } else { nil } }

    /// The UTF-8 of a string, valid while the value lives.
    var utf8: UnsafeRawBufferPointer? { view?.stringBytes }
    var string: String? { view?.string }
    /// The content of a bytes value.
    var data: UnsafeRawBufferPointer? { view?.dataBytes }
    /// The UTF-8 of a string, or the content of a bytes value.
    var textBytes: UnsafeRawBufferPointer? { utf8 ?? data }
    /// The full resource name of a reference.
    var reference: UnsafeRawBufferPointer? { view?.referenceBytes }
    var geoPoint: GeoPointValue? { view?.geoPoint }
    var elements: ArrayView? { view?.elements }
    /// The entries of a map; a vector is one, too.
    var entries: FieldsView? { view?.fields }
    /// The components of a vector.
    var vector: ArrayView? { view?.vector }

    /// A part of this value: an element or an entry.
    func part(_ view: ValueView) -> EvaluatedValue {
        guard case .encoded(_, let owner) = self else { return .encoded(view, owner: nil) }
        return .encoded(view, owner: owner)
    }

    /// A value that holds its bytes.
    init(_ bytes: ByteSlice) { self = .encoded(ValueView(bytes.buffer), owner: bytes.owner) }

    init(_ value: Value) { self.init(ValueBytes(value).bytes) }

    static func string(_ text: String) -> EvaluatedValue {
        var text = text
        return text.withUTF8 { .string(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Valid UTF-8.
    static func string(utf8: UnsafeRawBufferPointer) -> EvaluatedValue { tagged([WireTag.string, WireTag.longTagSuffix], utf8) }

    static func data(_ bytes: UnsafeRawBufferPointer) -> EvaluatedValue { tagged([WireTag.bytes, WireTag.longTagSuffix], bytes) }

    /// A string or bytes, as `like` is.
    static func text(_ bytes: UnsafeRawBufferPointer, like model: EvaluatedValue) -> EvaluatedValue {
        model.utf8 == nil ? .data(bytes) : .string(utf8: bytes)
    }

    static func reference(_ name: String) -> EvaluatedValue {
        var name = name
        return name.withUTF8 { tagged([WireTag.reference], UnsafeRawBufferPointer($0)) }
    }

    private static func tagged(_ tag: [UInt8], _ body: UnsafeRawBufferPointer) -> EvaluatedValue {
        var bytes = tag
        bytes.reserveCapacity(tag.count + 10 + body.count)
        bytes.appendLengthDelimited(body)
        return EvaluatedValue(ByteSlice(bytes))
    }

    /// Passes the value as it would be stored to `body`; the value `null` for nothing and for a failure.
    func withView<R>(_ body: (ValueView) throws -> R) rethrows -> R {
        if case .encoded(let view, let owner) = self {
            defer { withExtendedLifetime(owner) {} }
            return try body(view)
        }
        // The longest of the others is a timestamp: 2 + 11 + 6 bytes.
        return try withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { buffer in
            var writer = InlineWriter(buffer)
            writer.append(self)
            return try body(ValueView(UnsafeRawBufferPointer(rebasing: buffer[..<writer.count])))
        }
    }

    /// The value with its own bytes, which outlives the row.
    func owned() -> EvaluatedValue {
        guard case .encoded(let view, nil) = self else { return self }
        if let number { return .number(number) }
        return EvaluatedValue(ByteSlice(copying: view.buffer))
    }

    /// The memory that the value itself holds; 0 for one that is borrowed.
    var ownedBytes: Int { if case .encoded(let view, _?) = self { view.count } else { 0 } }

    /// The approximate memory of the value once it is owned.
    var weight: Int { if case .encoded(let view, _) = self { 48 + view.count } else { 32 } }
}

extension ValueView {
    /// Of exactly one kind; empty for damaged bytes.
    var valueType: ValueTypes {
        switch kind {
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .timestamp: .timestamp
        case .string: .string
        case .bytes: .bytes
        case .reference: .reference
        case .geoPoint: .geoPoint
        case .array: .array
        case .map: vector == nil ? .map : .vector
        case .malformed: []
        }
    }
}

/// Writes a value that is held inline into memory that lasts for a call.
private struct InlineWriter {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    mutating func append(_ value: EvaluatedValue) {
        switch value {
        case .absent, .failure, .null, .encoded:
            byte(WireTag.null)
            byte(0)
        case .boolean(let value):
            byte(WireTag.boolean)
            byte(value ? 1 : 0)
        case .integer(let value):
            byte(WireTag.integer)
            varint(UInt64(bitPattern: value))
        case .double(let value):
            byte(WireTag.double)
            let bits = (value.isNaN ? Double.nan : value).bitPattern.littleEndian
            withUnsafeBytes(of: bits) { for part in $0 { byte(part) } }
        case .timestamp(let time):
            byte(WireTag.timestamp)
            byte(UInt8(time.encodedLength))
            if time.seconds != 0 {
                byte(WireTag.seconds)
                varint(UInt64(bitPattern: time.seconds))
            }
            if time.nanoseconds != 0 {
                byte(WireTag.nanoseconds)
                varint(UInt64(time.nanoseconds))
            }
        }
    }

    private mutating func byte(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(rest))
    }
}
