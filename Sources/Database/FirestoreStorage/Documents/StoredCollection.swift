// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A collection as stored in the table.
package struct StoredCollection {
    package let number: Int64
    package let path: CollectionPath

    package init(number: Int64, path: CollectionPath) {
        self.number = number
        self.path = path
    }
}
