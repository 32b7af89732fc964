// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The objects of a JSON text, one after the other, with one of them in memory: the elements of an array, or objects
/// that follow each other. It finds the beginning and the end of each object and does not parse its content. For one
/// thread.
final class JSONObjectReader {
    /// An object, its line, counted from 1, and the number of characters before it on the line.
    struct Object {
        let text: UnsafeRawBufferPointer
        let line: Int
        let column: Int
    }

    private enum State {
        case beginning, firstElement, nextElement, behindArray, objects
    }

    private static let initialSize = 1 << 18

    private let source: any ByteSource
    private let limit: Int
    private var buffer: [UInt8]
    /// The beginning of the unused bytes.
    private var start = 0
    private var end = 0
    private var sourceHasEnded = false
    private var state = State.beginning
    /// The line of `start`.
    private var line = 1
    private var column = 0

    /// `limit` and `size` are for tests.
    init(_ source: any ByteSource, limit: Int = LineReader.maximumLine, size: Int = JSONObjectReader.initialSize) {
        self.source = source
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: size)
    }

    var bytesRead: Int64 { source.position(without: end - start) }

    /// Passes the next object to `body`; nil after the last one. After an error nothing more can be read.
    func next<R>(_ body: (Object) -> R) throws(FirestoreError) -> R? {
        guard try advance() else { return nil }
        let count = try countOfObject()
        defer { use(count) }
        return buffer.withUnsafeBytes { bytes in
            body(Object(text: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]), line: line, column: column))
        }
    }

    /// Whether the text has ended after an object outside of an array.
    func isAtEnd() throws(FirestoreError) -> Bool {
        guard case .objects = state else { return false }
        return try peek() == nil
    }

    // MARK: Between objects

    /// Moves to the brace of the next object; returns false after the last one.
    private func advance() throws(FirestoreError) -> Bool {
        if case .beginning = state {
            try skipMark()
            let isArray = try takeIf(UInt8(ascii: "["))
            state = isArray ? .firstElement : .objects
        }
        switch state {
        case .firstElement, .nextElement:
            if try takeIf(UInt8(ascii: "]")) {
                state = .behindArray
                return try expectEnd()
            }
            if case .nextElement = state, try !takeIf(UInt8(ascii: ",")), try peek() != nil {
                throw problem("a comma or a bracket is missing after an element of the array")
            }
            state = .nextElement
        case .behindArray: return try expectEnd()
        case .beginning, .objects: if try peek() == nil { return false }
        }
        switch try peek() {
        case UInt8(ascii: "{"): return true
        case nil: throw problem("the file ends in the middle of the array; it is not complete")
        default: throw problem("an object is expected")
        }
    }

    private func expectEnd() throws(FirestoreError) -> Bool {
        guard try peek() == nil else { throw problem("there is more text after the end of the array") }
        return false
    }

    private func problem(_ what: String) -> FirestoreError {
        .invalidArgument(what, at: "\(source.name): line \(line), column \(column + 1)")
    }

    /// Some editors write a byte order mark at the beginning of a file.
    private func skipMark() throws(FirestoreError) {
        while end - start < 3, !sourceHasEnded { try readMore() }
        if buffer[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    }

    /// The next byte that is not blank; nil at the end.
    private func peek() throws(FirestoreError) -> UInt8? {
        while true {
            while start < end {
                let byte = buffer[start]
                guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
                use(1)
            }
            if sourceHasEnded { return nil }
            try readMore()
        }
    }

    private func takeIf(_ byte: UInt8) throws(FirestoreError) -> Bool {
        guard try peek() == byte else { return false }
        use(1)
        return true
    }

    // MARK: Objects

    /// The state of scanning an object.
    private struct Walk {
        /// The number of bytes scanned.
        var count = 0
        var depth = 0
        var isInString = false
        var isEscaped = false

        /// Scans more bytes; returns true at the end of the object.
        mutating func walk(_ bytes: UnsafeRawBufferPointer) -> Bool {
            while count < bytes.count {
                let byte = bytes[count]
                count += 1
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 { return true }
                default: break
                }
            }
            return false
        }
    }

    /// The number of bytes of the object that begins here; all of them are in the buffer afterwards.
    private func countOfObject() throws(FirestoreError) -> Int {
        var walk = Walk()
        while true {
            let isWhole = buffer.withUnsafeBytes { bytes in walk.walk(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
            if walk.count > limit {
                throw problem(
                    "the object that begins here is longer than \(limit) bytes; is a brace missing? or are the documents in an array "
                        + "inside of it?")
            }
            if isWhole { return walk.count }
            if sourceHasEnded { throw problem("the object that begins here does not end; is a brace or a double quote missing?") }
            try readMore()
        }
    }

    // MARK: The buffer

    private func use(_ count: Int) {
        buffer.withUnsafeBytes { bytes in
            for byte in bytes[start..<(start + count)] {
                if byte == UInt8(ascii: "\n") {
                    line += 1
                    column = 0
                } else if byte & 0xC0 != 0x80 {
                    // Continuation bytes of a character are not counted.
                    column += 1
                }
            }
        }
        start += count
    }

    private func readMore() throws(FirestoreError) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            buffer.append(contentsOf: repeatElement(0, count: start))
            end -= start
            start = 0
        }
        if end == buffer.count { buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, 16))) }
        let count = try source.read(into: &buffer, from: end)
        end += count
        if count == 0 { sourceHasEnded = true }
    }

    var name: String { source.name }
    var size: Int64? { source.size }
}
