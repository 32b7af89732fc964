// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

/// The reference objects of a dictionary that is being encoded or decoded: the bytes hold only their names.
final class ReferenceObjects {
    private var objects: [CollectionPath: DocumentReference] = [:]
    private var anyFirestore: Firestore?

    func add(_ reference: DocumentReference, name: String) {
        objects[CollectionPath(trusted: name)] = reference
        anyFirestore = reference.firestore
    }

    func object(_ name: String) -> DocumentReference? { objects[CollectionPath(trusted: name)] }

    /// The database of a stored reference: that of the document, or of the object it was made from.
    static func firestore(for name: String, in decoder: ValueDecoder) -> Firestore? {
        if let objects = decoder.companion as? ReferenceObjects, let object = objects.object(name) {
            return object.firestore
        }
        return (decoder.documentReference as? DocumentReference)?.firestore
    }
}
