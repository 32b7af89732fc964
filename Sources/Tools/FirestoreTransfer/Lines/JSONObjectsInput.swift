// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a JSON text: an array of objects, or one object after the other, on any number of lines.
package struct JSONObjectsInput: DocumentInput {
    private let objects: JSONObjectReader
    private var documents: DocumentReader
    private let onNote: @Sendable (ImportNote) -> Void
    private var pending = PendingItems()
    private var isFirst = true

    package init(
        _ file: any ByteSource, form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() },
        onNote: @escaping @Sendable (ImportNote) -> Void = { _ in }
    ) {
        self.onNote = onNote
        objects = JSONObjectReader(file)
        documents = DocumentReader(form, database: database, makeID: makeID)
    }

    package var bytesRead: Int64 { objects.bytesRead }
    package var size: Int64? { objects.size }

    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while true {
            if let item = pending.next() { return item }
            let name = objects.name
            var wrapped: String?
            var line = 0
            let found = try objects.next { object in
                let contents = documents.documents(object.text, line: object.line, column: object.column)
                if isFirst { wrapped = documents.wrappedArray(object.text) }
                line = object.line
                return contents
            }
            guard let found else { return nil }
            pending.add(found, file: name, line: line)
            if isFirst, let format = documents.seedFormat { onNote(.recognized(format, file: name)) }
            isFirst = false
            // One object may be meant; if it is not, the array in it is.
            if let wrapped, case .success? = found.first, try objects.isAtEnd() {
                onNote(.oneObject(file: name, arrayMember: wrapped))
            }
        }
    }
}
