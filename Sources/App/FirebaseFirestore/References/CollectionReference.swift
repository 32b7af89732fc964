// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// A reference to a collection; as a query, all of its documents.
///
/// Creating a reference reads nothing. A reference made from a path that does not name a collection can exist, but every
/// operation of it fails with `invalidArgument`.
///
/// `@unchecked Sendable` as its superclass: both stored properties are constants of `Sendable` types.
public final class CollectionReference: Query, @unchecked Sendable {
    /// The slash-separated path, without a leading slash.
    public let path: String
    package let location: Result<CollectionPath, FirestoreError>

    package init(collection: CollectionPath, firestore: Firestore) {
        path = collection.path
        location = .success(collection)
        super.init(
            firestore: firestore, definition: .success(ClientQuery(StructuredQuery(scope: .collection(collection)))))
    }

    init(path: String, error: FirestoreError, firestore: Firestore) {
        self.path = path
        location = .failure(error)
        super.init(firestore: firestore, definition: .failure(error))
    }

    convenience init(path: String, firestore: Firestore) {
        do {
            self.init(collection: try PathCheck.collectionPath(path), firestore: firestore)
        } catch {
            self.init(path: path, error: error, firestore: firestore)
        }
    }

    /// The last segment of the path.
    public var collectionID: String { CollectionPath(trusted: path).id }

    /// The document that contains the collection; nil at the root.
    public var parent: DocumentReference? {
        switch location {
        case .success(let collection):
            collection.parent.map { DocumentReference(key: $0, firestore: firestore) }
        case .failure(let error):
            CollectionPath(trusted: path).parent.map {
                DocumentReference(path: $0.path, error: error, firestore: firestore)
            }
        }
    }

    /// A new document with a random id of 20 letters and digits. Nothing is written.
    public func document() -> DocumentReference {
        document(AutoID.make())
    }

    /// A document of the collection. The path may lead deeper.
    ///
    /// If the path does not name a document, every operation of the reference fails with `invalidArgument`.
    public func document(_ documentPath: String) -> DocumentReference {
        let joined = RelativePath.join(path, documentPath)
        if let error = RelativePath.error(in: location, documentPath, "document") {
            return DocumentReference(path: joined, error: error, firestore: firestore)
        }
        return DocumentReference(path: joined, firestore: firestore)
    }

    /// The path.
    public override var description: String { "<CollectionReference: \(path)>" }
}
