// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from a JSON text: an array of objects, or one object after the other, on any number of lines.
package struct JSONObjectsInput: DocumentInput {
    private let objects: JSONObjectReader
    private var documents: DocumentReader

    package init(
        _ file: any ByteSource, form: DocumentForm, database: DatabaseID, makeID: @escaping () -> String = { AutoID.make() }
    ) {
        objects = JSONObjectReader(file)
        documents = DocumentReader(form, database: database, makeID: makeID)
    }

    package var bytesRead: Int64 { objects.bytesRead }
    package var size: Int64? { objects.size }

    package mutating func next() throws(FirestoreError) -> ImportItem? {
        let name = objects.name
        return try objects.next { object in
            let content = Result { () throws(FirestoreError) in
                try documents.document(object.text, line: object.line, column: object.column)
            }
            return ImportItem(ImportPlace(file: name, .line(object.line)), content.mapError { $0.inside(name) })
        }
    }
}
