// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The smallest few of many document ids, by their bytes: the same ones in whatever order documents are read.
package struct Examples: Sendable {
    static let kept = 3

    package private(set) var ids: [String] = []

    package init(_ ids: [String] = []) {
        for id in ids { add(id) }
    }

    package mutating func add(_ id: String) {
        if ids.count == Self.kept, let last = ids.last, compareUTF8(id, last) >= 0 { return }
        let index = ids.firstIndex { compareUTF8($0, id) >= 0 } ?? ids.count
        if index < ids.count, equalUTF8(ids[index], id) { return }
        ids.insert(id, at: index)
        if ids.count > Self.kept { ids.removeLast() }
    }

    package mutating func merge(_ other: Examples) {
        for id in other.ids { add(id) }
    }
}

/// The smallest and the largest of many numbers.
package struct Extent<Number: Comparable & Sendable>: Sendable {
    package private(set) var least: Number
    package private(set) var most: Number

    package init(_ number: Number) { (least, most) = (number, number) }

    package init(least: Number, most: Number) { (self.least, self.most) = (least, most) }

    package mutating func add(_ number: Number) {
        if number < least { least = number }
        if number > most { most = number }
    }

    package mutating func merge(_ other: Extent) {
        add(other.least)
        add(other.most)
    }
}

extension Optional {
    /// Adds to an extent that may not have begun.
    mutating func extend<Number>(_ number: Number) where Wrapped == Extent<Number> {
        if self == nil { self = Extent(number) } else { self?.add(number) }
    }

    mutating func extend<Number>(_ other: Extent<Number>?) where Wrapped == Extent<Number> {
        guard let other else { return }
        if self == nil { self = other } else { self?.merge(other) }
    }
}
