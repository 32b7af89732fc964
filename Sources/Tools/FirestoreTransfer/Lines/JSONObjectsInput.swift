// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a JSON text: an array of objects, or one object after the other, on any number of lines.
package struct JSONObjectsInput: DocumentInput {
    private let objects: JSONObjectReader
    private var documents: DocumentReader
    private let onNote: @Sendable (ImportNote) -> Void
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
        let name = objects.name
        var wrapped: String?
        let item = try objects.next { object in
            if isFirst { wrapped = documents.wrappedArray(object.text) }
            let content = Result { () throws(FirestoreError) in
                try documents.document(object.text, line: object.line, column: object.column)
            }
            return ImportItem(ImportPlace(file: name, .line(object.line)), content.mapError { $0.inside(name) })
        }
        isFirst = false
        // One object may be meant; if it is not, the array in it is.
        if let wrapped, case .success? = item?.content, try objects.isAtEnd() {
            onNote(.oneObject(file: name, arrayMember: wrapped))
        }
        return item
    }
}
