// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
package import FirestoreCore
public import Foundation
import Logging

/// A reference to a document, which may exist or not.
///
/// Creating a reference reads nothing. A reference made from a path that does not name a document can exist, but every
/// operation of it fails with `invalidArgument`. Two references are equal when they name the same document of the same
/// Firestore instance.
public final class DocumentReference: NSObject, Sendable {
    /// The database that contains the document.
    public let firestore: Firestore
    /// The slash-separated path, without a leading slash.
    public let path: String
    package let location: Result<DocumentKey, FirestoreError>

    package init(key: DocumentKey, firestore: Firestore) {
        self.firestore = firestore
        path = key.path
        location = .success(key)
        super.init()
    }

    init(path: String, firestore: Firestore) {
        self.firestore = firestore
        let location = Result { () throws(FirestoreError) in try PathCheck.documentKey(path) }
        self.path = (try? location.get())?.path ?? path
        self.location = location
        super.init()
    }

    /// A document below a reference whose path is invalid.
    init(path: String, error: FirestoreError, firestore: Firestore) {
        self.firestore = firestore
        self.path = path
        location = .failure(error)
        super.init()
    }

    /// A stored reference. One into another database is mapped to this one.
    package convenience init(resourceName: String, firestore: Firestore) {
        if let key = DocumentKey(name: resourceName, in: firestore.databaseID) {
            self.init(key: key, firestore: firestore)
            return
        }
        // projects/P/databases/D/documents/…
        let segments = resourceName.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count > 5 else {
            self.init(path: resourceName, firestore: firestore)
            return
        }
        if !resourceName.utf8.starts(with: firestore.databaseID.documentsPrefix.utf8) {
            FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning(
                "a stored reference names another database and is read as a reference into this database")
        }
        self.init(path: segments[5...].joined(separator: "/"), firestore: firestore)
    }

    /// The last segment of the path.
    public var documentID: String {
        switch location {
        case .success(let key): key.id
        case .failure: DocumentKey(trusted: path).id
        }
    }

    /// The collection that contains the document.
    public var parent: CollectionReference {
        switch location {
        case .success(let key): CollectionReference(collection: key.collection, firestore: firestore)
        case .failure(let error):
            CollectionReference(path: DocumentKey(trusted: path).collection.path, error: error, firestore: firestore)
        }
    }

    /// A collection below the document. The path may lead deeper.
    ///
    /// If the path does not name a collection, every operation of the reference fails with `invalidArgument`.
    public func collection(_ collectionPath: String) -> CollectionReference {
        let joined = RelativePath.join(path, collectionPath)
        if let error = RelativePath.error(in: location, collectionPath, "collection") {
            return CollectionReference(path: joined, error: error, firestore: firestore)
        }
        return CollectionReference(path: joined, firestore: firestore)
    }

    /// Equal when both name the same document of the same Firestore instance.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? DocumentReference else { return false }
        return firestore === other.firestore && path.utf8.elementsEqual(other.path.utf8)
    }

    /// Hashes the path.
    public override var hash: Int { DocumentKey(trusted: path).hashValue }

    /// The path.
    public override var description: String { "<DocumentReference: \(path)>" }
}

/// Paths below a reference.
enum RelativePath {
    static func join(_ base: String, _ relative: String) -> String {
        let tail = relative.utf8.first == UInt8(ascii: "/") ? relative.dropFirst() : relative[...]
        return base + "/" + tail
    }

    /// The error of an invalid path: the base is invalid, or the path below it is empty or has empty segments.
    static func error<Base>(in base: Result<Base, FirestoreError>, _ relative: String, _ kind: String) -> FirestoreError? {
        if case .failure(let error) = base { return error }
        if PathCheck.isEmpty(relative) {
            return .invalidArgument("the \(kind) path is empty; name a \(kind)", at: relative.isEmpty ? nil : relative)
        }
        // One slash at each end is tolerated.
        let inner = relative.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().dropLast()
        guard inner.contains(where: \.isEmpty) else { return nil }
        return .invalidArgument(
            "a path must not contain two slashes in a row, nor more than one at its ends", at: relative)
    }
}
