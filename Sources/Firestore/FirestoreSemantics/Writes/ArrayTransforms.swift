// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// arrayUnion and arrayRemove (WR-35, WR-36), with transform equality (VAL-19). Stored elements are never decoded.
package enum ArrayTransforms {
    /// The stored elements, then each new one that is not contained yet, in order.
    package static func union(_ stored: ValueView?, _ additions: [Value]) -> ValueBytes {
        guard additions.count <= ValueKeys.searched else {
            var edit = ArrayEdit(stored)
            edit.union(additions)
            return edit.value
        }
        var elements = stored?.elements.map { Array($0) } ?? []
        let encoded = additions.map { ValueBytes($0) }
        defer { withExtendedLifetime(encoded) {} }
        for addition in encoded where !elements.contains(where: { ValueOrdering.equals($0, addition.view) }) {
            elements.append(addition.view)
        }
        return array(of: elements)
    }

    /// The stored elements without any that equals one of `removals`. A value that is not an array becomes an empty
    /// array.
    package static func removing(_ removals: [Value], from stored: ValueView?) -> ValueBytes {
        guard removals.count <= ValueKeys.searched else {
            var edit = ArrayEdit(stored)
            edit.remove(removals)
            return edit.value
        }
        let encoded = removals.map { ValueBytes($0) }
        defer { withExtendedLifetime(encoded) {} }
        let kept = stored?.elements.map { elements in
            elements.filter { element in !encoded.contains { ValueOrdering.equals($0.view, element) } }
        }
        return array(of: kept ?? [])
    }

    static func array(of elements: some Sequence<ValueView>) -> ValueBytes {
        var body: [UInt8] = []
        for element in elements {
            body.append(WireTag.arrayElement)
            body.appendLengthDelimited(element.buffer)
        }
        var bytes: [UInt8] = [WireTag.array]
        bytes.appendLengthDelimited(body)
        return ValueBytes(canonical: ByteSlice(bytes))
    }
}
