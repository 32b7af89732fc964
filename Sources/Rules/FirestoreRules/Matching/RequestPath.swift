// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The path of a request, `/databases/D/documents/…`.
struct RequestPath: Sendable {
    let database: String
    /// The path below `documents`, possibly empty.
    let path: String

    var count: Int { withSegments(\.count) }

    func string(_ index: Int) -> String {
        withSegments { segments in
            var segments = segments.dropFirst(index)
            return String(decoding: segments.next() ?? UnsafeRawBufferPointer(start: nil, count: 0), as: UTF8.self)
        }
    }

    func equals(_ index: Int, _ literal: String) -> Bool {
        var literal = literal
        return literal.withUTF8 { literal in
            withSegments { segments in
                var segments = segments.dropFirst(index)
                return segments.next().map { compareBytes($0, UnsafeRawBufferPointer(literal)) == 0 } ?? false
            }
        }
    }

    func withSegments<R>(_ body: (PathSegments) -> R) -> R {
        var (database, path) = (database, path)
        return database.withUTF8 { database in
            path.withUTF8 { path in
                body(PathSegments(database: UnsafeRawBufferPointer(database), path: UnsafeRawBufferPointer(path)))
            }
        }
    }
}

/// The segments of a request's path that are left, in place.
struct PathSegments {
    private let database: UnsafeRawBufferPointer
    private let path: UnsafeRawBufferPointer
    /// The position of the next segment.
    private var position = 0
    /// Where it begins below `documents`.
    private var offset = 0

    private static let documentsPosition = 2

    init(database: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer) {
        self.database = database
        self.path = path
    }

    mutating func next() -> UnsafeRawBufferPointer? {
        defer { position += 1 }
        switch position {
        case 0: return Self.bytes("databases")
        case 1: return database
        case Self.documentsPosition: return Self.bytes("documents")
        default:
            guard !path.isEmpty, offset <= path.count else { return nil }
            let start = offset
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            offset = end + 1
            return UnsafeRawBufferPointer(rebasing: path[start..<end])
        }
    }

    /// Those behind `/databases/D/documents`.
    var belowDocuments: PathSegments {
        var rest = self
        rest.position = Self.documentsPosition + 1
        return rest
    }

    private static func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    func dropFirst(_ count: Int) -> PathSegments {
        var rest = self
        for _ in 0..<count { _ = rest.next() }
        return rest
    }

    /// How many are left.
    var count: Int {
        var rest = self
        var count = 0
        while rest.next() != nil { count += 1 }
        return count
    }
}
