// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The path of a match statement, joined with those around it (SR-16).
struct MatchPattern: Sendable {
    enum Segment: Sendable {
        case literal(String)
        /// One segment, whatever it is.
        case single
        /// Several segments, at most once per pattern.
        case glob
    }

    let segments: [Segment]
    /// The position of the glob among the segments.
    let globIndex: Int?
    /// How many segments the glob takes at least: one in version 1 of the language, none in version 2 (SR-18).
    let globMinimum: Int

    init(_ segments: [Segment], globMinimum: Int) {
        self.segments = segments
        self.globMinimum = globMinimum
        globIndex = segments.firstIndex { segment in
            if case .glob = segment { true } else { false }
        }
    }

    /// The number of segments behind the glob.
    var tailCount: Int { globIndex.map { segments.count - $0 - 1 } ?? 0 }
}

/// The value that a wildcard is bound to.
enum Capture: Sendable {
    /// A segment of the request's path.
    case segment(Int)
    /// Segments of the request's path.
    case segments(Range<Int>)
    /// The id of the documents of a query, which have different ones (SR-91).
    case null
    /// Segments that differ between the documents of a query.
    case unbound
}
