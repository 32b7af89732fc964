// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents of a file or folder that is imported, read one after the other by one thread.
package protocol DocumentInput {
    /// The next document, or the reason why it is malformed; nil at the end. After an error nothing more can be read.
    mutating func next() throws(FirestoreError) -> ImportItem?

    /// The number of bytes that have been read.
    var bytesRead: Int64 { get }
    /// The total number of bytes; nil if it is not known.
    var size: Int64? { get }
}

/// One document of a file.
package struct ImportItem: Sendable {
    package var place: ImportPlace
    /// A failure has its location and concerns only this document: reading can continue after it.
    package var content: Result<TransferredDocument, FirestoreError>

    package init(_ place: ImportPlace, _ content: Result<TransferredDocument, FirestoreError>) {
        self.place = place
        self.content = content
    }

    /// The document; throws for one that a write would reject.
    func checked() throws(FirestoreError) -> TransferredDocument {
        let document = try content.get()
        do throws(FirestoreError) {
            try PathCheck.check(document.key)
            try DocumentCheck.check(document.fields, of: document.key)
        } catch {
            throw error.inside(place.description)
        }
        return document
    }
}

/// The location of a document in a file.
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

    /// The range between two locations of one file.
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
    /// Returns the error with the location in the file before its own location.
    func inside(_ place: String) -> FirestoreError {
        var copy = self
        copy.location = location.map { "\(place): \($0)" } ?? place
        return copy
    }
}
