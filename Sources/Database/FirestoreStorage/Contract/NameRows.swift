// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The rows of collections and documents in the order of their keys: what lists of names and cuts of scopes are made of.
package protocol NameRows: AnyObject {
    /// The number of a collection; nil if no document was ever stored there.
    func number(of path: CollectionPath) throws(FirestoreError) -> Int64?

    func collections(in scope: QueryScope) throws(FirestoreError) -> [StoredCollection]

    /// The first path of a collection in a range of paths.
    func firstPath(from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> [UInt8]?

    /// Visits the collections with paths in a range, until `body` stops it.
    func visitCollections(
        from lower: [UInt8], upTo upper: [UInt8], _ body: (StoredCollection) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)

    /// The encoded ids of the documents of a collection behind one of them, in order.
    func ids(in collection: Int64, after: [UInt8]) throws(FirestoreError) -> any IDCursor

    /// Counts documents of a collection in a range of encoded ids.
    func count(in collection: Int64, from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> Int

    /// The encoded id of the document at a position in a range of a collection.
    func id(in collection: Int64, from lower: [UInt8], upTo upper: [UInt8], at position: Int) throws(FirestoreError) -> [UInt8]?

    /// The error of a row that holds what Hearth never writes.
    func damaged(_ what: String) -> FirestoreError
}

/// Encoded ids, one after the other.
package protocol IDCursor: AnyObject {
    func next() throws(FirestoreError) -> [UInt8]?
}
