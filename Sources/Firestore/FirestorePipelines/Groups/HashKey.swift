// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Values as bytes that are equal exactly if the values are: 1 and 1.0, both zeros and all NaNs have one form.
struct HashKey: Hashable {
    private(set) var bytes: [UInt8] = []

    init() {}

    init(_ value: EvaluatedValue) { append(value) }

    /// Nothing is `null`.
    mutating func append(_ value: EvaluatedValue) {
        value.withView { view in
            var part: [UInt8] = []
            Self.append(view, to: &part)
            bytes.appendLengthDelimited(part)
        }
    }

    private static func append(_ view: ValueView, to bytes: inout [UInt8]) {
        if let double = view.double {
            if let integer = Int64(exactly: double) {
                Value.integer(integer).append(to: &bytes)
            } else {
                Value.double(double).append(to: &bytes)
            }
        } else if let elements = view.elements {
            var body: [UInt8] = []
            for element in elements { append(element, after: WireTag.arrayElement, to: &body) }
            bytes.append(WireTag.array)
            bytes.appendLengthDelimited(body)
        } else if let fields = view.fields {
            var body: [UInt8] = []
            for (name, value) in fields {
                body.append(WireTag.mapEntry)
                body.appendLengthDelimited(name)
                append(value, after: WireTag.entryValue, to: &body)
            }
            bytes.append(WireTag.map)
            bytes.appendLengthDelimited(body)
        } else {
            bytes.append(contentsOf: view.buffer)
        }
    }

    private static func append(_ view: ValueView, after tag: UInt8, to body: inout [UInt8]) {
        var part: [UInt8] = []
        append(view, to: &part)
        body.append(tag)
        body.appendLengthDelimited(part)
    }
}

extension EvaluatedValue {
    /// Of two equal values the one that comes out of a group: an integer before a double, 0.0 before −0.0, whatever comes first.
    func preferred(to other: EvaluatedValue) -> Bool {
        withView { left in other.withView { right in compareBytes(left.buffer, right.buffer) < 0 } }
    }
}
