// SPDX-License-Identifier: Apache-2.0

/// The ordered documents of a query result: a value of which changed copies are cheap.
///
/// Stored in chunks that copies share, so that two consecutive snapshots differ in one chunk per changed document, however
/// long the result is. Inserting and removing cost a walk over the chunk table (one step per hundred documents) and a move inside one
/// chunk; reading at an index costs a search in the table.
package struct DocumentList: Sendable {
    static let maximumChunk = 128

    /// Chunks that are never empty and never longer than `maximumChunk`.
    private var chunks: [ArraySlice<Document>] = []
    /// The number of documents before each chunk.
    private var starts: [Int] = []
    package private(set) var count = 0

    package init() {}

    /// Takes documents that are already in order.
    package init(_ documents: [Document]) {
        self.init(sharing: documents)
        for place in chunks.indices { chunks[place] = ArraySlice(Array(chunks[place])) }
    }

    /// Takes documents that are already in order, without copying them: all of them stay in memory for as long as a chunk does. For a
    /// result that does not change.
    package init(sharing documents: [Document]) {
        count = documents.count
        starts = Array(stride(from: 0, to: count, by: Self.maximumChunk / 2))
        chunks = starts.map { documents[$0..<Swift.min($0 + Self.maximumChunk / 2, documents.count)] }
    }

    /// For the end: the place after the last chunk.
    private func locate(_ index: Int) -> (chunk: Int, offset: Int) {
        precondition(index >= 0 && index <= count, "index out of range")
        if index == count { return (chunks.count, 0) }
        // The last chunk that begins at the index or before.
        var (low, high) = (0, chunks.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= index { low = middle } else { high = middle - 1 }
        }
        return (low, index - starts[low])
    }

    /// Counts the documents before the chunks from `first` on.
    private mutating func count(from first: Int) {
        starts.removeSubrange(Swift.min(first, starts.count)...)
        var start = first == 0 ? 0 : starts[first - 1] + chunks[first - 1].count
        for chunk in chunks[first...] {
            starts.append(start)
            start += chunk.count
        }
        count = start
    }

    /// The document's index, or its insertion index, in a list ordered by `compare`: the first index whose document does not
    /// order before it.
    package func position(of document: Document, by compare: (Document, Document) -> Int) -> Int {
        // The first chunk whose last document does not order before.
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            if compare(chunks[middle][chunks[middle].endIndex - 1], document) < 0 { low = middle + 1 } else { high = middle }
        }
        guard low < chunks.count else { return count }
        var first = chunks[low].startIndex
        var last = chunks[low].endIndex
        while first < last {
            let middle = (first + last) / 2
            if compare(chunks[low][middle], document) < 0 { first = middle + 1 } else { last = middle }
        }
        return starts[low] + first - chunks[low].startIndex
    }

    package mutating func insert(_ document: Document, at index: Int) {
        var (chunk, offset) = locate(index)
        if chunk == chunks.count {
            if chunks.isEmpty { chunks.append([]) } else { chunk -= 1 }
            offset = chunks[chunk].count
        }
        chunks[chunk].insert(document, at: chunks[chunk].startIndex + offset)
        if chunks[chunk].count > Self.maximumChunk {
            let half = chunks[chunk].startIndex + chunks[chunk].count / 2
            let tail = Array(chunks[chunk][half...])
            chunks[chunk].removeSubrange(half...)
            chunks.insert(ArraySlice(tail), at: chunk + 1)
        }
        count(from: chunk)
    }

    package mutating func remove(at index: Int) {
        precondition(index < count, "index out of range")
        let (chunk, offset) = locate(index)
        chunks[chunk].remove(at: chunks[chunk].startIndex + offset)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
        count(from: chunk)
    }
}

extension DocumentList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> Document {
        precondition(index < count, "index out of range")
        let (chunk, offset) = locate(index)
        return chunks[chunk][chunks[chunk].startIndex + offset]
    }

    package func makeIterator() -> Iterator { Iterator(chunks) }

    /// Walks the chunks, which the collection's own `map` does not.
    package func map<Mapped, Failure: Error>(_ transform: (Document) throws(Failure) -> Mapped) throws(Failure) -> [Mapped] {
        var result: [Mapped] = []
        result.reserveCapacity(count)
        for document in self { result.append(try transform(document)) }
        return result
    }

    package struct Iterator: IteratorProtocol {
        private var later: ArraySlice<ArraySlice<Document>>
        private var documents: IndexingIterator<ArraySlice<Document>>

        fileprivate init(_ chunks: [ArraySlice<Document>]) {
            later = chunks.dropFirst()
            documents = (chunks.first ?? []).makeIterator()
        }

        package mutating func next() -> Document? {
            if let document = documents.next() { return document }
            // No chunk is empty.
            guard let chunk = later.popFirst() else { return nil }
            documents = chunk.makeIterator()
            return documents.next()
        }
    }
}
