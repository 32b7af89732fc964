// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

// The methods with which FirestoreModels makes updates: paths and values are already encoded.

extension DocumentReference {
    /// Changes fields of an existing document; an error of `content` is the outcome of the write.
    package func update(_ content: Result<UpdateContent, FirestoreError>) -> WriteReceipt {
        write(nil) { key throws(FirestoreError) in try content.get().update(key) }
    }
}

extension WriteBatch {
    /// Changes fields of an existing document; an error of `content` is that of the commit.
    package func update(_ document: DocumentReference, _ content: Result<UpdateContent, FirestoreError>) -> WriteBatch {
        add(document) { key throws(FirestoreError) in try content.get().update(key) }
    }
}

extension Transaction {
    /// Changes fields of an existing document; an error of `content` is that of the commit.
    package func update(_ document: DocumentReference, _ content: Result<UpdateContent, FirestoreError>) -> Transaction {
        add(document) { key throws(FirestoreError) in try content.get().update(key) }
    }
}
