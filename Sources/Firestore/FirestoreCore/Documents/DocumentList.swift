// SPDX-License-Identifier: Apache-2.0

/// The ordered documents of a query result: a value of which changed copies are cheap.
///
/// Stored in chunks that copies share, so that two consecutive snapshots differ in one chunk per changed document, however
/// long the result is. Inserting, removing and reading at an index cost a walk over the chunk table (one step per hundred
/// documents) and a move inside one chunk.
package struct DocumentList: Sendable {
    static let maximumChunk = 128

    /// Chunks that are never empty and never longer than `maximumChunk`.
    private var chunks: [[Document]]
    package private(set) var count: Int

    package init() {
        chunks = []
        count = 0
    }

    /// Takes documents that are already in order.
    package init(_ documents: [Document]) {
        count = documents.count
        chunks = stride(from: 0, to: documents.count, by: Self.maximumChunk / 2).map {
            Array(documents[$0..<Swift.min($0 + Self.maximumChunk / 2, documents.count)])
        }
    }

    private func locate(_ index: Int) -> (chunk: Int, offset: Int) {
        precondition(index >= 0 && index <= count, "index out of range")
        var offset = index
        for (number, chunk) in chunks.enumerated() {
            if offset < chunk.count { return (number, offset) }
            offset -= chunk.count
        }
        return (chunks.count, 0)
    }

    /// The document's index, or its insertion index, in a list ordered by `compare`: the first index whose document does not
    /// order before it.
    package func position(of document: Document, by compare: (Document, Document) -> Int) -> Int {
        // The first chunk whose last document does not order before.
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            if compare(chunks[middle][chunks[middle].count - 1], document) < 0 { low = middle + 1 } else { high = middle }
        }
        let before = chunks[..<low].reduce(0) { $0 + $1.count }
        guard low < chunks.count else { return before }
        var first = 0
        var last = chunks[low].count
        while first < last {
            let middle = (first + last) / 2
            if compare(chunks[low][middle], document) < 0 { first = middle + 1 } else { last = middle }
        }
        return before + first
    }

    package mutating func insert(_ document: Document, at index: Int) {
        var (chunk, offset) = locate(index)
        if chunk == chunks.count {
            if chunks.isEmpty {
                chunks.append([document])
                count += 1
                return
            }
            chunk -= 1
            offset = chunks[chunk].count
        }
        chunks[chunk].insert(document, at: offset)
        count += 1
        if chunks[chunk].count > Self.maximumChunk {
            let half = chunks[chunk].count / 2
            let tail = Array(chunks[chunk][half...])
            chunks[chunk].removeSubrange(half...)
            chunks.insert(tail, at: chunk + 1)
        }
    }

    package mutating func remove(at index: Int) {
        precondition(index < count, "index out of range")
        let (chunk, offset) = locate(index)
        chunks[chunk].remove(at: offset)
        count -= 1
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }
}

extension DocumentList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> Document {
        precondition(index < count, "index out of range")
        let (chunk, offset) = locate(index)
        return chunks[chunk][offset]
    }

    /// Walks the chunks. For whole results use this (a `for` loop, `map`) rather than indices.
    package func makeIterator() -> AnyIterator<Document> {
        var chunk = 0
        var offset = 0
        return AnyIterator { [chunks] in
            guard chunk < chunks.count else { return nil }
            defer {
                offset += 1
                if offset == chunks[chunk].count {
                    chunk += 1
                    offset = 0
                }
            }
            return chunks[chunk][offset]
        }
    }
}
