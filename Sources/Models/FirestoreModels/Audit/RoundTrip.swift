// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

/// How the fields of a document differ from what encoding its decoded value gives: what `setData(from:)` would change (MP-36).
struct RoundTrip {
    struct Change {
        let kind: AuditReport.Kind
        let path: String
        let stored: String
        let back: String
        /// The stored value and the one that would replace it.
        let values: String
    }

    private(set) var changes: [Change] = []

    /// - Parameters:
    ///   - asked: The requests of the type at the top level, which distinguish nulls it knows from fields it does not know.
    ///   - sentinels: The paths of values that the commit computes.
    init(_ stored: FieldsView, _ back: FieldsView, asked: AuditedField, sentinels: [FieldPathSegments]) {
        compare(stored, back, at: Place(path: "", asked: asked), sentinels.map { $0.segments[...] })
    }

    private struct Place {
        let path: String
        let asked: AuditedField?

        func field(_ name: String) -> Place {
            let child = asked?.existingChild(name)
            let text = asked?.isOpen == true ? path + "{}" : path.isEmpty ? name : path + "." + name
            return Place(path: text, asked: child)
        }

        var element: Place { Place(path: path + "[]", asked: asked?.elements) }
    }

    private mutating func compare(
        _ stored: FieldsView, _ back: FieldsView, at place: Place, _ stamps: [ArraySlice<String>]
    ) {
        var left = stored.makeIterator()
        var right = back.makeIterator()
        var nextLeft = left.next()
        var nextRight = right.next()
        let isStamped = { (name: String) in
            stamps.contains { $0.count == 1 && $0.first.map { equalUTF8($0, name) } == true }
        }
        while nextLeft != nil || nextRight != nil {
            let order =
                switch (nextLeft, nextRight) {
                case (let left?, let right?): compareBytes(left.name, right.name)
                case (.some, nil): -1
                default: 1
                }
            if order == 0, let (_, one) = nextLeft, let (_, other) = nextRight {
                if compareBytes(one.buffer, other.buffer) != 0 || !stamps.isEmpty {
                    let name = nextLeft.map { String(decoding: $0.name, as: UTF8.self) } ?? ""
                    compare(one, other, at: place.field(name), inside(name, stamps))
                }
                nextLeft = left.next()
                nextRight = right.next()
            } else if order < 0, let (bytes, value) = nextLeft {
                let name = String(decoding: bytes, as: UTF8.self)
                let field = place.field(name)
                if isStamped(name) {
                    add(.restamped, field, value, nil)
                } else if value.isNull, field.asked?.isAsked == true {
                    add(.kind, field, value, nil)
                } else {
                    add(.deletes, field, value, nil)
                }
                nextLeft = left.next()
            } else if let (bytes, value) = nextRight {
                add(.kind, place.field(String(decoding: bytes, as: UTF8.self)), nil, value)
                nextRight = right.next()
            }
        }
        for stamp in stamps {
            guard stamp.count == 1, let name = stamp.first, stored[utf8: name] == nil else { continue }
            add(.restamped, place.field(name), nil, nil)
        }
    }

    private func inside(_ name: String, _ stamps: [ArraySlice<String>]) -> [ArraySlice<String>] {
        stamps.filter { $0.count > 1 && $0.first.map { equalUTF8($0, name) } == true }.map { $0.dropFirst() }
    }

    private mutating func compare(
        _ stored: ValueView, _ back: ValueView, at place: Place, _ stamps: [ArraySlice<String>]
    ) {
        if let one = stored.fields, let other = back.fields, (stored.vector == nil) == (back.vector == nil) {
            if stored.vector == nil {
                compare(one, other, at: place, stamps)
            } else if compareBytes(stored.buffer, back.buffer) != 0 {
                add(.precision, place, stored, back)
            }
            return
        }
        guard compareBytes(stored.buffer, back.buffer) != 0 else { return }
        if let one = stored.elements, let other = back.elements { return compare(one, other, at: place, stored, back) }
        add(isPrecision(stored, back) ? .precision : .kind, place, stored, back)
    }

    /// Arrays of one length are compared element by element, unless only the order differs, as that of a set.
    private mutating func compare(_ one: ArrayView, _ other: ArrayView, at place: Place, _ stored: ValueView, _ back: ValueView) {
        let left = one.map { $0 }
        let right = other.map { $0 }
        if left.count > right.count { return add(.deletes, place.element, stored, nil) }
        if left.count < right.count { return add(.kind, place.element, nil, back) }
        let sortedLeft = left.sorted { compareBytes($0.buffer, $1.buffer) < 0 }
        let sortedRight = right.sorted { compareBytes($0.buffer, $1.buffer) < 0 }
        if zip(sortedLeft, sortedRight).allSatisfy({ compareBytes($0.buffer, $1.buffer) == 0 }) {
            changes.append(Change(kind: .precision, path: place.path, stored: "array", back: "array in another order", values: ""))
            return
        }
        for (one, other) in zip(left, right) { compare(one, other, at: place.element, []) }
    }

    /// Whether the value is another one, and not only its type.
    private func isPrecision(_ stored: ValueView, _ back: ValueView) -> Bool {
        if stored.kind == back.kind { return true }
        if let integer = stored.integer, let double = back.double { return Int64(exactly: double) != integer }
        if let double = stored.double, let integer = back.integer { return Double(exactly: integer) != double }
        return false
    }

    private mutating func add(_ kind: AuditReport.Kind, _ place: Place, _ stored: ValueView?, _ back: ValueView?) {
        let backName = kind == .restamped ? "server timestamp" : back?.typeName ?? "missing"
        changes.append(
            Change(
                kind: kind, path: place.path, stored: stored?.typeName ?? "missing", back: backName,
                values: ShownValue.text(stored) + " → " + ShownValue.text(back)))
    }
}

/// Values in reports that were asked for them.
enum ShownValue {
    static func text(_ value: ValueView?) -> String {
        guard let value else { return "–" }
        switch value.kind {
        case .boolean: return value.boolean.map { "\($0)" } ?? ""
        case .integer: return value.integer.map { "\($0)" } ?? ""
        case .double: return value.double.map { "\($0)" } ?? ""
        case .string: return value.string.map { JSON.string(String($0.prefix(60))).text() } ?? ""
        case .timestamp: return value.timestamp.map { "\($0.seconds).\($0.nanoseconds) s" } ?? ""
        default: return value.typeName
        }
    }
}
