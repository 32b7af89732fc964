// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Firestore {
    /// Deletes documents some time after the date in one of their fields.
    ///
    /// ```swift
    /// try await db.setTimeToLive(on: "sessions", field: "expiresAt")
    /// ```
    /// Applies to all collections with the id, in any place, and to documents that exist already. A document expires at the time in the
    /// field plus the offset; if the field is missing or is not a timestamp, the document never expires. Expired documents are deleted
    /// within about a minute, each for itself: until then they are read and found by queries. The deletion is that of an
    /// administrator, which listeners see as any other; documents in subcollections remain.
    ///
    /// The database remembers the policy. A collection group has one field by which its documents expire: remove the policy with
    /// ``removeTimeToLive(on:)`` before another field becomes it. `setIndexConfiguration(_:)` replaces all policies by those of
    /// its text, in which a field that documents expire by keeps its offset.
    ///
    /// Returns when the policy is recorded. The index that finds expired documents is built in the background (see ``waitForIndexes()``).
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - collectionGroup: The id of the collections.
    ///   - field: A field at the top level, or below maps in dotted notation.
    ///   - offset: How long after the date the document expires: whole seconds, from 0 to 2,147,483,647.
    /// - Throws: `invalidArgument` for a malformed id, field or offset; `failedPrecondition` if documents of the collection group expire by
    ///   another field; `unimplemented` for a database on a server, where `hearth deploy` or the tools of Cloud Firestore set the policy.
    public nonisolated(nonsending) func setTimeToLive(
        on collectionGroup: String, field: String, offset: Duration = .zero
    ) async throws {
        try await setTimeToLive(on: collectionGroup, field: FieldPath(dotted: field), offset: offset)
    }

    /// Deletes documents some time after the date in one of their fields.
    ///
    /// Like ``setTimeToLive(on:field:offset:)-(_,String,_)``, with a path of any names.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func setTimeToLive(
        on collectionGroup: String, field: FieldPath, offset: Duration = .zero
    ) async throws {
        do throws(FirestoreError) {
            try await expiry().setPolicy(collectionGroup: collectionGroup, field: try field.segments.get(), offset: offset)
        } catch {
            throw error.publicError
        }
    }

    /// Removes the policy by which documents of a collection group expire. None of them is deleted after this returns. Has no effect if
    /// the field has no policy.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Throws: `unimplemented` for a database on a server.
    public nonisolated(nonsending) func removeTimeToLive(on collectionGroup: String) async throws {
        do throws(FirestoreError) {
            let expiry = try expiry()
            for policy in try await expiry.policies() where policy.isOfGroup(collectionGroup) {
                try await expiry.removePolicy(collectionGroup: collectionGroup, field: policy.field)
            }
        } catch {
            throw error.publicError
        }
    }

    /// The policy by which documents of a collection group expire; nil if they do not.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Throws: `unimplemented` for a database on a server.
    public nonisolated(nonsending) func timeToLive(on collectionGroup: String) async throws -> TimeToLive? {
        do throws(FirestoreError) {
            let policy = try await expiry().policies().first { $0.isOfGroup(collectionGroup) }
            return policy.map { TimeToLive(field: FieldPath(.success($0.field)), offset: .seconds($0.offset)) }
        } catch {
            throw error.publicError
        }
    }

    private func expiry() throws(FirestoreError) -> any ExpiryAdministration {
        guard let administration = try backend().expiryAdministration else {
            throw FirestoreError(
                .unimplemented,
                "the policies of a database on a server are managed there; only those of the embedded database can be managed here")
        }
        return administration
    }
}

/// When the documents of a collection group expire.
///
/// Beyond the Apple SDK.
public struct TimeToLive: Sendable, Hashable {
    /// The field with the date.
    public let field: FieldPath
    /// How long after the date a document expires.
    public let offset: Duration

    /// Creates a description, to compare others with.
    public init(field: FieldPath, offset: Duration) {
        self.field = field
        self.offset = offset
    }
}
