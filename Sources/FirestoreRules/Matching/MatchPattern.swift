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

/// What a wildcard is bound to.
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

/// The segments of a request's path, `/databases/D/documents/…`.
struct RequestPath: Sendable {
    /// The path without its first slash.
    let text: [UInt8]
    let ranges: [Range<Int>]

    /// - Parameter path: The path below `documents`, possibly empty.
    init(database: String, path: String) {
        var text: [UInt8] = []
        text.reserveCapacity(24 + database.utf8.count + path.utf8.count)
        text.append(contentsOf: "databases/".utf8)
        text.append(contentsOf: database.utf8)
        text.append(contentsOf: "/documents".utf8)
        if !path.isEmpty {
            text.append(UInt8(ascii: "/"))
            text.append(contentsOf: path.utf8)
        }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(8)
        var start = 0
        for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "/") {
            ranges.append(start..<offset)
            start = offset + 1
        }
        ranges.append(start..<text.count)
        self.text = text
        self.ranges = ranges
    }

    var count: Int { ranges.count }

    func string(_ index: Int) -> String { String(decoding: text[ranges[index]], as: UTF8.self) }

    func withBytes<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[ranges[index]])) }
    }

    func equals(_ index: Int, _ literal: String) -> Bool {
        var literal = literal
        return literal.withUTF8 { literal in withBytes(index) { compareBytes($0, UnsafeRawBufferPointer(literal)) == 0 } }
    }
}
