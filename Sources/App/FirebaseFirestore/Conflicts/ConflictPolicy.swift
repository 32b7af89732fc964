// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The policy for a write whose document was changed on the server after the state that the write was made on.
///
/// ```swift
/// try await trail.setData(edited, onConflict: .resolve { conflict in
///     guard let local = conflict.local.data(), let remote = conflict.remote.data() else { return .theirs }
///     return .merge(remote.merging(local) { _, mine in mine })
/// })
/// ```
/// A write is based on the server's state of the document that the cache held when the call was made. If the cache did not hold
/// the document, the write is unconditional. Writes are also unconditional without a cache, and with the embedded database, where
/// nothing comes between a call and its write.
///
/// Beyond the Apple SDK.
public struct ConflictPolicy: Sendable {
    /// Compared by identity: closures cannot be compared.
    final class Handler: Sendable {
        let resolve: WriteConflict.Handler

        init(_ resolve: @escaping WriteConflict.Handler) { self.resolve = resolve }
    }

    enum Kind: Sendable {
        case lastWriteWins
        case requireUnchanged(Handler?)
    }

    let kind: Kind

    /// The write is made in any case. The default.
    public static let lastWriteWins = ConflictPolicy(kind: .lastWriteWins)

    /// The server rejects the write if the document has changed, and ``FirestoreSettings/conflictHandler`` decides.
    ///
    /// Without such a handler the write becomes a failed one (``Firestore/failedWrites``).
    public static let requireUnchanged = ConflictPolicy(kind: .requireUnchanged(nil))

    /// The server rejects the write if the document has changed, and a handler decides.
    ///
    /// The condition is stored with the write, a closure cannot be: after a restart ``FirestoreSettings/conflictHandler``
    /// decides instead. So it does if another process that shares the cache sends the write: there, that process's own.
    public static func resolve(_ handler: @escaping WriteConflict.Handler) -> ConflictPolicy {
        ConflictPolicy(kind: .requireUnchanged(Handler(handler)))
    }
}

extension ConflictPolicy: Equatable {
    /// Whether both are the same policy, with the same handler.
    public static func == (left: ConflictPolicy, right: ConflictPolicy) -> Bool {
        switch (left.kind, right.kind) {
        case (.lastWriteWins, .lastWriteWins): true
        case (.requireUnchanged(let left), .requireUnchanged(let right)): left === right
        case (.lastWriteWins, .requireUnchanged), (.requireUnchanged, .lastWriteWins): false
        }
    }
}

/// A document that was changed on the server after the state a write was made on.
///
/// Beyond the Apple SDK.
public struct WriteConflict: Sendable {
    /// Decides the outcome of a write.
    ///
    /// It runs in a separate task, not on `settings.dispatchQueue`; mark the closure `@MainActor` if it asks the user. The queue
    /// of writes waits for it. If the process ends, the network is disabled, or the user changes before it returns, the write stays
    /// in the queue and a handler is called again. If it throws, the write becomes a failed one (``Firestore/failedWrites``).
    public typealias Handler = @Sendable (WriteConflict) async throws -> sending ConflictResolution

    /// The document.
    public let document: DocumentReference
    /// The server's state that the write was made on; nil if the cache knew that the document had changed, but not its content.
    public let base: DocumentSnapshot?
    /// The result of applying the write to `base`. It does not exist if the write deletes the document.
    public let local: DocumentSnapshot
    /// The server's state now. It does not exist if the document was deleted.
    public let remote: DocumentSnapshot
}

/// The outcome of a write that conflicts with a change on the server.
///
/// Beyond the Apple SDK.
public enum ConflictResolution {
    /// The write is made over the server's state. If the document has been deleted meanwhile, an update fails with `notFound`.
    case mine
    /// The document stays as the server has it. For its callers the write has succeeded.
    case theirs
    /// The document gets these fields instead of what the write would have made of it. They may contain what `setData` accepts.
    case merge([String: Any])
}

extension Firestore {
    /// The policy of a write, for the client behind this instance.
    func conflictRule(_ policy: ConflictPolicy) -> ConflictRule {
        switch policy.kind {
        case .lastWriteWins: .lastWriteWins
        case .requireUnchanged(let handler): .requireUnchanged(handler.map { conflictHandler($0) })
        }
    }

    func conflictHandler(_ handler: ConflictPolicy.Handler) -> ConflictHandler {
        { [weak self] conflicts, answer in
            // The instance has ended, and its client with it: the write stays in the queue.
            guard let self else { return }
            Task { answer(await self.answers(to: conflicts, from: handler)) }
        }
    }

    private func answers(
        to conflicts: [DocumentConflict], from handler: ConflictPolicy.Handler
    ) async -> Result<[ConflictAnswer], FirestoreError> {
        var answers: [ConflictAnswer] = []
        for conflict in conflicts {
            let resolution: ConflictResolution
            do {
                resolution = try await handler.resolve(question(about: conflict))
            } catch {
                return .failure(
                    FirestoreError(
                        .failedPrecondition,
                        "the document was changed on the server after the state that this write was made on, and the conflict handler "
                            + "failed: \(error)", at: conflict.key.path))
            }
            do throws(FirestoreError) {
                answers.append(try answer(resolution, of: conflict.key))
            } catch {
                return .failure(error.inDocument(conflict.key))
            }
        }
        return .success(answers)
    }

    private func answer(_ resolution: ConflictResolution, of key: DocumentKey) throws(FirestoreError) -> ConflictAnswer {
        switch resolution {
        case .mine: .mine
        case .theirs: .theirs
        case .merge(let fields): .merge(try AnyValueParser.document(fields, database: databaseID).set(key))
        }
    }

    private func question(about conflict: DocumentConflict) -> WriteConflict {
        let reference = DocumentReference(key: conflict.key, firestore: self)
        func snapshot(_ document: Document?, isLocal: Bool = false) -> DocumentSnapshot {
            DocumentSnapshot(
                reference: reference, document: document,
                metadata: isLocal ? SnapshotMetadata(hasPendingWrites: true, isFromCache: true) : .confirmed)
        }
        return WriteConflict(
            document: reference, base: conflict.isBaseKnown ? snapshot(conflict.base) : nil,
            local: snapshot(conflict.local, isLocal: true), remote: snapshot(conflict.remote))
    }
}
