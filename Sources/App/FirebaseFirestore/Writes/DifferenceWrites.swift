// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// Writes what differs between two values, and nothing else, into an existing document.
    ///
    /// ```swift
    /// var edited = city
    /// edited.population += 1
    /// try city.reference.updateData(from: city, to: edited)
    /// ```
    /// Both are encoded and compared. A field that is only in `old` is deleted, maps are compared name by name, arrays are written
    /// as a whole, and a nested struct that is nil in one of them is written or deleted as a whole. `FieldValue`s of `new`, and
    /// `@ServerTimestamp`s that are nil in it, are always sent. Fields that neither value has are not touched.
    ///
    /// If nothing differs, nothing is written, and the receipt is complete immediately. Fails with `notFound` if the document does
    /// not exist. With `.updatedAt(time)`, fails with `failedPrecondition` if the document was changed or deleted since then, and is
    /// never queued, as every write with a ``Precondition``. Otherwise like ``setData(from:encoder:completion:)``; without a condition it
    /// works offline.
    ///
    /// Do not use it for documents that a decoder has migrated from an older version: `update(as:)` writes them in their new form.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - old: The value as it was read.
    ///   - new: The value as it should be.
    ///   - precondition: Usually ``Precondition/updatedAt(_:)`` with the update time of the snapshot that `old` was read from.
    ///   - unchanged: Whether the condition is checked even if nothing differs.
    ///   - encoder: Encodes both values.
    ///   - completion: Called when the write is durable, or has failed.
    @discardableResult
    public func updateData<T: Encodable>(
        from old: T, to new: T, precondition: Precondition? = nil, unchanged: UnchangedUpdate = .skipped,
        encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let difference = try encoder.difference(from: old, to: new, in: firestore)
        if difference.isEmpty, unchanged == .skipped { return firestore.finished(location, completion: completion) }
        return write(completion, isConditional: precondition != nil || difference.isEmpty) { key throws(FirestoreError) in
            try difference.write(key, on: precondition)
        }
    }
}

extension WriteBatch {
    /// Writes what differs between two values, and nothing else, into an existing document.
    ///
    /// If nothing differs, nothing is added, unless `unchanged` is `checked`. With `.updatedAt(time)`, `commit` fails with
    /// `failedPrecondition` if the document was changed or deleted since then, none of the writes is made, and the batch is never
    /// queued. Otherwise like `updateData(from:to:)` of a reference. Throws `EncodingError`; the batch is unchanged then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func update<T: Encodable>(
        _ document: DocumentReference, from old: T, to new: T, precondition: Precondition? = nil,
        unchanged: UnchangedUpdate = .skipped, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let difference = try encoder.difference(from: old, to: new, in: firestore)
        if difference.isEmpty, unchanged == .skipped { return self }
        return add(document, isConditional: precondition != nil || difference.isEmpty) { key throws(FirestoreError) in
            try difference.write(key, on: precondition)
        }
    }
}

extension Transaction {
    /// Writes what differs between two values, and nothing else, into an existing document.
    ///
    /// It needs no condition, because the transaction checks its reads. If nothing differs, nothing is added. Otherwise like
    /// `updateData(from:to:)` of a reference. Throws `EncodingError`; nothing is added then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func update<T: Encodable>(
        _ document: DocumentReference, from old: T, to new: T, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> Transaction {
        let difference = try encoder.difference(from: old, to: new, in: firestore)
        if difference.isEmpty { return self }
        return add(document) { key throws(FirestoreError) in difference.write(key, on: .exists(true)) }
    }
}

extension Firestore.Encoder {
    /// Returns the writes that turn a document with one value into another.
    package func difference<T: Encodable>(from old: T, to new: T, in firestore: Firestore) throws -> EncodedDifference {
        EncodedDifference(from: try content(old, in: firestore), to: try content(new, in: firestore))
    }
}

extension EncodedDifference {
    /// Without a difference: a write that changes nothing and checks the condition.
    fileprivate func write(_ key: DocumentKey, on precondition: Precondition?) throws(FirestoreError) -> Write {
        let condition: FirestoreCore.Precondition = try precondition?.condition ?? .exists(true)
        return isEmpty ? Write(key: key, operation: .verify, precondition: condition) : write(key, on: condition)
    }
}
