// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Facts about the integers of a field.
package struct IntegerFacts: Sendable {
    /// Documents with an integer that a double cannot hold.
    package var beyondDouble = Examples()
    /// How many would be a time between 2000 and 2050 as milliseconds since 1970.
    package var milliseconds = 0
    static let millisecondTimes: Range<Int64> = 946_684_800_000..<2_524_608_000_000

    mutating func merge(_ other: IntegerFacts) {
        beyondDouble.merge(other.beyondDouble)
        milliseconds += other.milliseconds
    }
}

/// Facts about the doubles of a field.
package struct DoubleFacts: Sendable {
    package var hasFraction = false
    /// Documents with NaN or an infinity.
    package var notFinite = Examples()

    mutating func merge(_ other: DoubleFacts) {
        hasFraction = hasFraction || other.hasFraction
        notFinite.merge(other.notFinite)
    }
}

/// Facts about the strings of a field.
package struct TextFacts: Sendable {
    package var count = 0
    package var empty = 0
    /// The patterns that all strings have in common, except for empty ones.
    package var patterns = TextPatterns.all
    package var distinct = DistinctTexts()

    mutating func add(_ text: UnsafeRawBufferPointer) {
        count += 1
        if text.isEmpty {
            empty += 1
        } else if !patterns.isEmpty {
            patterns = patterns.matching(text)
        }
        distinct.add(text, isWord: !text.isEmpty && patterns.contains(.word))
    }

    mutating func merge(_ other: TextFacts) {
        count += other.count
        empty += other.empty
        patterns.formIntersection(other.patterns)
        distinct.merge(other.distinct)
    }
}

/// Facts about the timestamps of a field.
package struct TimeFacts: Sendable {
    /// Documents with a timestamp that is another one after `Date`.
    package var movedByDate = Examples()
    /// Timestamps of documents whose times are known, and those within two seconds of one of these times.
    package var withTimes = 0
    package var nearTimes = 0

    mutating func merge(_ other: TimeFacts) {
        movedByDate.merge(other.movedByDate)
        withTimes += other.withTimes
        nearTimes += other.nearTimes
    }
}

/// Facts about the references of a field.
package struct ReferenceFacts: Sendable {
    /// One thing that all values have, or that they have different ones.
    package enum Common: Sendable, Equatable {
        case one([UInt8])
        case various

        mutating func merge(_ other: Common) { if self != other { self = .various } }
    }

    /// The collection, with `*` in place of ids: `users/*/books`.
    package var collection: Common
    /// Documents with a reference into another database.
    package var foreign = Examples()

    mutating func merge(_ other: ReferenceFacts) {
        collection.merge(other.collection)
        foreign.merge(other.foreign)
    }
}

/// Facts about the arrays of a field.
package struct ArrayFacts {
    package var lengths: Extent<Int>
    /// nil: no element has been seen, or they lie below the deepest level that is looked at.
    package var element: SchemaNode?
    package var isCut = false
}
