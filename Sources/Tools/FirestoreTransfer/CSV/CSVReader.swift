// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The rows of a CSV file (RFC 4180), one after the other, with one of them in memory. For one thread.
///
/// A row ends with a line feed, optionally after a carriage return. A cell that begins with a double quote ends with
/// the next one that is not doubled, and may contain delimiters and line feeds. Empty lines are skipped.
final class CSVReader {
    struct Cell {
        let range: Range<Int>
        let isQuoted: Bool
    }

    struct Row {
        /// The line where it begins, counted from 1.
        let line: Int
        /// The contents of its cells, without quotes, one after the other.
        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var cells: [Cell] = []
        /// The first malformed cell.
        fileprivate(set) var problem: (cell: Int, what: String)?

        fileprivate init(line: Int) { self.line = line }
    }

    private enum State {
        case cellStart, plain, quoted
        /// After a double quote, which ends the cell unless another one follows.
        case closed
        /// After that and a carriage return.
        case closedAndReturned
    }

    private static let initialSize = 1 << 16

    let source: any ByteSource
    /// Found in the first row if none is given.
    private(set) var delimiter: CSVDelimiter
    private let findsDelimiter: Bool
    private let limit: Int
    private var buffer: [UInt8]
    private var next = 0
    private var end = 0
    private var hasBegun = false
    private var line = 1

    /// `limit` and `size` are for tests.
    init(
        _ source: any ByteSource, delimiter: CSVDelimiter? = nil, limit: Int = LineReader.maximumLine, size: Int = CSVReader.initialSize
    ) {
        self.source = source
        self.delimiter = delimiter ?? .comma
        findsDelimiter = delimiter == nil
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: max(3, size))
    }

    var bytesRead: Int64 { source.position(without: end - next) }

    /// The next row; nil at the end. After an error nothing more can be read.
    func row() throws(FirestoreError) -> Row? {
        if !hasBegun {
            hasBegun = true
            try readBeginning()
        }
        while true {
            var row = Row(line: line)
            guard try read(&row) else { return nil }
            if row.cells.count > 1 || row.cells[0].isQuoted || !row.cells[0].range.isEmpty { return row }
        }
    }

    /// Returns false if the file ends before the row.
    private func read(_ row: inout Row) throws(FirestoreError) -> Bool {
        var state = State.cellStart
        var cellStart = 0
        func endCell() {
            let isQuoted = state == .closed || state == .closedAndReturned
            row.cells.append(Cell(range: cellStart..<row.bytes.count, isQuoted: isQuoted))
            cellStart = row.bytes.count
            state = .cellStart
        }
        func endRow() {
            // Removes the carriage return before a line feed.
            if state == .plain, row.bytes.last == UInt8(ascii: "\r") { row.bytes.removeLast() }
            endCell()
        }
        var isEmpty = true
        let delimiter = delimiter.byte
        while let byte = try nextByte() {
            isEmpty = false
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .closed
            case (.quoted, _): row.bytes.append(byte)
            case (_, UInt8(ascii: "\n")):
                endRow()
                return true
            case (_, delimiter): endCell()
            case (.cellStart, UInt8(ascii: "\"")): state = .quoted
            case (.cellStart, _), (.plain, _):
                state = .plain
                row.bytes.append(byte)
            case (.closed, UInt8(ascii: "\"")):
                state = .quoted
                row.bytes.append(byte)
            case (.closed, UInt8(ascii: "\r")): state = .closedAndReturned
            case (.closed, _), (.closedAndReturned, _):
                let what = "there is text after the double quote that ends the cell; double the quotes inside a cell"
                row.problem = row.problem ?? (row.cells.count, what)
            }
            if row.bytes.count > limit { throw problem("the row is longer than \(limit) bytes; is a double quote missing?", row) }
        }
        if isEmpty { return false }
        if state == .quoted { throw problem("cell \(row.cells.count + 1) begins with a double quote and does not end", row) }
        endRow()
        return true
    }

    private func problem(_ what: String, _ row: Row) -> FirestoreError { .invalidArgument(what, at: "\(source.name): line \(row.line)") }

    /// Reads the first row, as far as the buffer holds it. Some programs write a byte order mark at the beginning of a file.
    private func readBeginning() throws(FirestoreError) {
        while end < buffer.count, end < 3 || findsDelimiter && !buffer[..<end].contains(UInt8(ascii: "\n")) {
            let count = try source.read(into: &buffer, from: end)
            if count == 0 { break }
            end += count
        }
        if buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
        if findsDelimiter { delimiter = CSVDelimiter(firstRow: buffer[next..<end]) }
    }

    private func nextByte() throws(FirestoreError) -> UInt8? {
        if next == end {
            next = 0
            end = try source.read(into: &buffer, from: 0)
            if end == 0 { return nil }
        }
        defer { next += 1 }
        return buffer[next]
    }
}
