// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension WriteBatch {
    /// Encodes a value and creates or overwrites a document with it.
    ///
    /// Throws `EncodingError`; the batch is unchanged then.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in try content.set(key) }
    }

    /// Encodes a value and, with `merge`, writes its fields and leaves the others unchanged.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, merge: Bool,
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in try content.set(key, merge: merge) }
    }

    /// Encodes a value and writes only the listed fields, each as a whole.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, mergeFields: [Any],
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in
            try content.merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Encodes a value and writes its fields into an existing document; `commit` fails with `notFound` if it does not
    /// exist.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in content.update(key) }
    }
}

extension Transaction {
    /// Encodes a value and creates or overwrites a document with it.
    ///
    /// Throws `EncodingError`; nothing is added then.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> Transaction {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in try content.set(key) }
    }

    /// Encodes a value and, with `merge`, writes its fields and leaves the others unchanged.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, merge: Bool,
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> Transaction {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in try content.set(key, merge: merge) }
    }

    /// Encodes a value and writes only the listed fields, each as a whole.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, mergeFields: [Any],
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> Transaction {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in
            try content.merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Encodes a value and writes its fields into an existing document; if it does not exist, the commit fails.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> Transaction {
        let content = try encoder.content(value, in: firestore)
        return add(doc) { key throws(FirestoreError) in content.update(key) }
    }
}
