// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// Reads the document, lets a closure change it as a value, and writes the changes.
    ///
    /// ```swift
    /// try await city.update(as: City.self) { $0.population += 1 }
    /// ```
    /// Only fields that the closure changed are sent. Fields the type does not know, and values that decoding rounded, stay as they
    /// are stored. The write is made on the condition that the document has not changed since it was read; `conflict` decides
    /// what happens otherwise. Calls of this process on the same document take turns. Nothing is written if the closure throws,
    /// or changes nothing.
    ///
    /// A nested optional struct that becomes nil is deleted as a whole, fields the type does not know included. Arrays are
    /// written as a whole. A `@ServerTimestamp` that is nil gets the time of the commit.
    ///
    /// Costs one read and one commit, without conflicts. With a cache, the call waits for queued writes of the document, and
    /// fails offline with `unavailable`, except with ``UpdateConflict/lastWriterWins``.
    ///
    /// Throws `notFound` if the document does not exist, `DecodingError`, `EncodingError`, the closure's error, and `aborted` after
    /// the last attempt.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - conflict: What happens if the document is changed in the meantime: up to five more attempts, unless you choose otherwise.
    ///   - unchanged: Whether the condition is checked even if there is nothing to write.
    ///   - decoder: Decodes the document. If it migrates documents, they are written in their new form.
    ///   - encoder: Encodes the value before and after the change.
    ///   - change: Changes the value. It runs again after a conflict, and in the isolation of the caller.
    /// - Returns: The value as it was written, apart from server timestamps and other field values.
    @discardableResult
    public nonisolated(nonsending) func update<T: Codable>(
        as type: T.Type, conflict: UpdateConflict = .retry(5), unchanged: UnchangedUpdate = .skipped,
        decoder: Firestore.Decoder = Firestore.Decoder(), encoder: Firestore.Encoder = Firestore.Encoder(),
        _ change: (inout T) throws -> Void
    ) async throws -> T {
        do {
            let key = try location.get()
            try await firestore.documentLines.enter(key)
            defer { firestore.documentLines.leave(key) }
            if case .lastWriterWins = conflict.kind {
                let found = try await getDocument()
                guard let document = found.document else { throw Self.nothingToUpdate(key) }
                let update = try Update(type, of: document, in: self, decoder: decoder, encoder: encoder, change)
                try await update.commitUnconditionally(unchanged)
                return update.value
            }
            return try await update(key, type, conflict.attempts, unchanged, decoder, encoder, change)
        } catch {
            throw publicForm(of: error)
        }
    }

    private nonisolated(nonsending) func update<T: Codable>(
        _ key: DocumentKey, _ type: T.Type, _ attempts: Int?, _ unchanged: UnchangedUpdate, _ decoder: Firestore.Decoder,
        _ encoder: Firestore.Encoder, _ change: (inout T) throws -> Void
    ) async throws -> T {
        let backend = try firestore.backend()
        let backoff = backend.isShared ? UpdateConflict.sharedBackoff : UpdateConflict.ownBackoff
        var failures = 0
        while true {
            guard let document = try await backend.documentPastQueue(key) else { throw Self.nothingToUpdate(key) }
            let update = try Update(type, of: document, in: self, decoder: decoder, encoder: encoder, change)
            guard let write = update.write(on: .updateTime(document.updateTime), unchanged) else { return update.value }
            do throws(FirestoreError) {
                try await backend.commitPastQueue([write])
                return update.value
            } catch {
                guard let attempts, error.code == .failedPrecondition || error.code == .aborted else { throw error }
                failures += 1
                guard failures < attempts else {
                    throw FirestoreError(
                        .aborted,
                        "the document was changed by others during each of \(attempts) attempts; try again later, or use a transaction",
                        at: key.path, cause: error)
                }
            }
            try await Task.sleep(for: backoff.delay(afterFailures: failures))
        }
    }

    fileprivate static func nothingToUpdate(_ key: DocumentKey) -> FirestoreError {
        FirestoreError(.notFound, "the document does not exist, so there is nothing to update; create it with setData", at: key.path)
    }
}

extension DocumentSnapshot {
    /// Lets a closure change the document as a value, and writes the changes, if the document still is as this snapshot shows it.
    ///
    /// ```swift
    /// let snapshot = try await city.getDocument()
    /// // … show it, let the user edit it …
    /// try await snapshot.update(as: City.self) { $0.name = name }
    /// ```
    /// Throws `failedPrecondition` if the document was changed or deleted meanwhile; nothing is written then. Throws `notFound` if
    /// this snapshot shows no document, and `unavailable` if it shows writes that the server has not acknowledged. Otherwise like
    /// ``DocumentReference/update(as:conflict:unchanged:decoder:encoder:_:)``; it reads nothing, and does not try again.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public nonisolated(nonsending) func update<T: Codable>(
        as type: T.Type, unchanged: UnchangedUpdate = .skipped, decoder: Firestore.Decoder = Firestore.Decoder(),
        encoder: Firestore.Encoder = Firestore.Encoder(), _ change: (inout T) throws -> Void
    ) async throws -> T {
        do {
            let key = try reference.location.get()
            guard let document else { throw DocumentReference.nothingToUpdate(key) }
            guard let version = updateVersion else {
                throw FirestoreError(
                    .unavailable,
                    "this snapshot shows writes that the server has not acknowledged, so there is no time to compare with; wait for them "
                        + "with waitForPendingWrites, and read the document again",
                    at: key.path)
            }
            let update = try Update(type, of: document, in: reference, decoder: decoder, encoder: encoder, change)
            if let write = update.write(on: .updateTime(version), unchanged) {
                try await reference.firestore.backend().commitPastQueue([write])
            }
            return update.value
        } catch {
            throw publicForm(of: error)
        }
    }
}

extension UpdateConflict {
    /// Pauses between the attempts: others need time to finish. A server is asked less often than the process itself.
    fileprivate static let sharedBackoff = Backoff(first: .milliseconds(100), factor: 2, longest: .seconds(10), jitter: 0.5)
    fileprivate static let ownBackoff = Backoff(first: .milliseconds(2), factor: 2, longest: .seconds(1), jitter: 0.5)

    /// nil: the first conflict is the caller's.
    fileprivate var attempts: Int? {
        switch kind {
        case .retry(let count): max(count, 0) + 1
        case .fail, .lastWriterWins: nil
        }
    }
}

/// A changed value, and the write that stores it.
private struct Update<Value: Codable> {
    let value: Value
    private let reference: DocumentReference
    private let key: DocumentKey
    private let difference: EncodedDifference

    init(
        _ type: Value.Type, of document: Document, in reference: DocumentReference, decoder: Firestore.Decoder,
        encoder: Firestore.Encoder, _ change: (inout Value) throws -> Void
    ) throws {
        let prepared = try decoder.prepared(document.fields, of: reference)
        var value = try decoder.decode(type, fromPrepared: prepared, of: reference)
        // Before the change: the value may be an object, of which there is only one.
        let old = try encoder.content(value, in: reference.firestore)
        try change(&value)
        let encoded = EncodedDifference(from: old, to: try encoder.content(value, in: reference.firestore))
        self.value = value
        self.reference = reference
        key = document.key
        if prepared == document.fields {
            difference = encoded
        } else {
            // The document is of an older version: fields migrated in memory are written with the change, or the next reader
            // would migrate a half-new document.
            difference = EncodedDifference(
                FieldDifference(from: document.fields, to: try encoded.applied(to: prepared), keeping: encoded.transforms.map(\.path)),
                transforms: encoded.transforms)
        }
    }

    /// nil if there is nothing to write, and nothing to check.
    func write(on condition: FirestoreCore.Precondition, _ unchanged: UnchangedUpdate) -> Write? {
        if !difference.isEmpty { return difference.write(key, on: condition) }
        return unchanged == .checked ? Write(key: key, operation: .verify, precondition: condition) : nil
    }

    nonisolated(nonsending) func commitUnconditionally(_ unchanged: UnchangedUpdate) async throws {
        guard let write = write(on: .exists(true), unchanged) else { return }
        if case .verify = write.operation { return try await reference.firestore.backend().commitPastQueue([write]) }
        try await reference.firestore.wait(for: reference.firestore.submit(.success([write]), completion: nil))
    }
}
