// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An array that unions and removals change, each in time proportional to its operands (WR-35, WR-36). Stored elements are never decoded.
struct ArrayEdit {
    /// With a gap for every element that was removed.
    private var elements: [ValueView?] = []
    /// Where the elements of a value are.
    private var places: [[UInt8]: [Int]] = [:]
    /// The owners of the bytes of elements.
    private var owners: [ValueBytes]

    /// - Parameter owner: What owns the bytes of the stored array, if the caller does not.
    init(_ stored: ValueView?, owner: ValueBytes? = nil) {
        owners = owner.map { [$0] } ?? []
        guard let stored = stored?.elements else { return }
        for element in stored { append(element, IndexValueEncoding.encode(element)) }
    }

    private mutating func append(_ element: ValueView, _ key: [UInt8]) {
        places[key, default: []].append(elements.count)
        elements.append(element)
    }

    mutating func union(_ additions: [Value]) {
        for addition in additions {
            let encoded = ValueBytes(addition)
            defer { withExtendedLifetime(encoded) {} }
            let key = IndexValueEncoding.encode(encoded.view)
            guard places[key] == nil else { continue }
            owners.append(encoded)
            append(encoded.view, key)
        }
    }

    mutating func remove(_ removals: [Value]) {
        for removal in removals {
            let encoded = ValueBytes(removal)
            defer { withExtendedLifetime(encoded) {} }
            for place in places.removeValue(forKey: IndexValueEncoding.encode(encoded.view)) ?? [] { elements[place] = nil }
        }
    }

    var value: ValueBytes {
        defer { withExtendedLifetime(owners) {} }
        return ArrayTransforms.array(of: elements.lazy.compactMap(\.self))
    }
}
