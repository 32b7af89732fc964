// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents of some collections, at any depth, of those that another input has.
package struct CollectionInput: DocumentInput {
    private var input: any DocumentInput
    private let collectionIDs: [String]

    package init(_ input: any DocumentInput, only collectionIDs: [String]) {
        self.input = input
        self.collectionIDs = collectionIDs
    }

    package var bytesRead: Int64 { input.bytesRead }
    package var size: Int64? { input.size }

    /// Malformed documents are reported whatever their collection.
    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while let item = try input.next() {
            guard case .success(let document) = item.content else { return item }
            if collectionIDs.contains(where: { equalUTF8($0, document.key.collection.id) }) { return item }
        }
        return nil
    }
}
