// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

/// The reference objects of a dictionary or row that is being encoded or decoded: the bytes hold only their names.
final class ReferenceObjects {
    private var objects: [CollectionPath: DocumentReference] = [:]
    /// The database of a row; nil for other data. A row need not have a document.
    let databaseOfRow: Firestore?

    init(databaseOfRow: Firestore? = nil) { self.databaseOfRow = databaseOfRow }

    func add(_ reference: DocumentReference, name: String) { objects[CollectionPath(trusted: name)] = reference }

    func object(_ name: String) -> DocumentReference? { objects[CollectionPath(trusted: name)] }

    /// The database of a stored reference: that of the document or row, or of the object it was made from.
    static func firestore(for name: String, in decoder: ValueDecoder) -> Firestore? {
        let objects = decoder.companion as? ReferenceObjects
        if let object = objects?.object(name) { return object.firestore }
        return (decoder.documentReference as? DocumentReference)?.firestore ?? objects?.databaseOfRow
    }

    /// Whether what is decoded is a row without a document.
    static func isOfRow(_ decoder: ValueDecoder) -> Bool { (decoder.companion as? ReferenceObjects)?.databaseOfRow != nil }
}
