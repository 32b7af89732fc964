// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Values as the keys of a hash table, by the equality of queries (VAL-17): 1 and 1.0 are one key, and so are all NaNs and both zeros.
package struct ValueKeys {
    /// Up to so many values, looking at each costs less than hashing.
    package static let searched = 8

    private var keys: Set<[UInt8]> = []

    package init() {}

    package mutating func insert(_ value: ValueView) { keys.insert(IndexValueEncoding.encode(value)) }

    package func contains(_ value: ValueView) -> Bool { keys.contains(IndexValueEncoding.encode(value)) }
}

extension FieldsView {
    /// The values at paths, in the order of the paths; nil where a path does not exist. The fields are walked once, however many paths
    /// there are.
    package func values(at paths: [FieldPathSegments]) -> [ValueView?] {
        guard paths.count > ValueKeys.searched else { return paths.map { self[$0] } }
        var result = [ValueView?](repeating: nil, count: paths.count)
        let order = paths.indices.sorted { paths[$0] < paths[$1] }
        find(order[...], of: paths, level: 0, in: &result)
        return result
    }

    /// Looks for sorted paths that have the same names up to a level.
    private func find(_ order: ArraySlice<Int>, of paths: [FieldPathSegments], level: Int, in result: inout [ValueView?]) {
        var entries = makeIterator()
        var entry = entries.next()
        var rest = order
        while let first = rest.first, entry != nil {
            var name = paths[first].segments[level]
            let group = rest.prefix { equalUTF8(paths[$0].segments[level], name) }
            rest = rest.dropFirst(group.count)
            let value = name.withUTF8 { utf8 -> ValueView? in
                let name = UnsafeRawBufferPointer(utf8)
                while let current = entry, compareBytes(current.name, name) < 0 { entry = entries.next() }
                guard let current = entry, compareBytes(current.name, name) == 0 else { return nil }
                return current.value
            }
            guard let value else { continue }
            // A path sorts before everything inside it.
            let here = group.prefix { paths[$0].segments.count == level + 1 }
            for place in here { result[place] = value }
            if here.count < group.count {
                value.fields?.find(group.dropFirst(here.count), of: paths, level: level + 1, in: &result)
            }
        }
    }
}
