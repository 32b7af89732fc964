package import FirestoreCore

/// The documents of a file or folder on their way in, read one after the other by one thread.
package protocol DocumentInput {
    /// The next document, or why there is none where one should be; nil at the end. What it throws ends the reading.
    mutating func next() throws(FirestoreError) -> ImportItem?

    /// How far the reading has come.
    var bytesRead: Int64 { get }
    /// How far it will come; nil if nobody knows.
    var size: Int64? { get }
}

/// One document of a file.
package struct ImportItem: Sendable {
    package var place: ImportPlace
    /// A failure names its place and concerns this document alone: reading can go on behind it.
    package var content: Result<TransferredDocument, FirestoreError>

    package init(_ place: ImportPlace, _ content: Result<TransferredDocument, FirestoreError>) {
        self.place = place
        self.content = content
    }
}

/// Where in a file a document stands.
package struct ImportPlace: Sendable, Hashable, CustomStringConvertible {
    package enum Position: Sendable, Hashable {
        /// Counted from 1.
        case line(Int)
        case byte(Int64)
    }

    package var file: String
    package var position: Position

    package init(file: String, _ position: Position) {
        self.file = file
        self.position = position
    }

    package var description: String {
        switch position {
        case .line(let number): "\(file), line \(number)"
        case .byte(let offset): "\(file), byte \(offset)"
        }
    }

    /// What lies between two places of one file.
    static func range(_ first: ImportPlace, _ last: ImportPlace) -> String {
        switch (first.position, last.position) {
        case (.line(let start), .line(let end)) where end > start: "\(first.file), lines \(start) to \(end)"
        case (.byte(let start), .byte(let end)) where end > start && first.file.utf8.elementsEqual(last.file.utf8):
            "\(first.file), bytes \(start) to \(end)"
        case (.byte, .byte) where !first.file.utf8.elementsEqual(last.file.utf8): "\(first) to \(last)"
        default: first.description
        }
    }
}

extension FirestoreError {
    /// The same error, with the place in the file in front of what it names already.
    func inside(_ place: String) -> FirestoreError {
        var copy = self
        copy.location = location.map { "\(place): \($0)" } ?? place
        return copy
    }
}
