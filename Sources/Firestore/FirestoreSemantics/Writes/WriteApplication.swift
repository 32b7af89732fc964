// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Applies a write to a document: precondition, operation, transforms, in this order (WR-28).
///
/// A pure function that the engine and an offline client share. It expects writes that `WriteCheck` has accepted, and
/// checks only what depends on the stored document.
package enum WriteApplication {
    /// `database` is needed for the full names of documents in errors.
    package static func apply(
        _ write: Write, to document: Document?, at times: CommitTimes, in database: DatabaseID
    ) throws(FirestoreError) -> AppliedWrite {
        if let precondition = write.precondition {
            try check(precondition, of: write, against: document, at: times, in: database)
        }
        switch write.operation {
        case .delete:
            return AppliedWrite(document: nil, result: WriteResult(updateTime: nil))
        case .verify:
            return AppliedWrite(document: document, result: WriteResult(updateTime: document?.updateTime))
        case .set(let fields):
            if write.transforms.isEmpty {
                return replace(document, by: fields, of: write.key, at: times)
            }
            return try transform(fields, of: write, replacing: document, at: times)
        case .patch(let fields, let mask):
            let merged = FieldMerge.apply(
                FieldMerge.edits(from: fields, mask: mask), to: document?.fields ?? .empty)
            return try transform(merged, of: write, replacing: document, at: times)
        }
    }

    private static func transform(
        _ fields: FieldBytes, of write: Write, replacing document: Document?, at times: CommitTimes
    ) throws(FirestoreError) -> AppliedWrite {
        var application = TransformApplication(fields, at: times.requestTime)
        let results: [Value]
        do { results = try application.apply(write.transforms) } catch { throw error.located(at: write.key.path) }
        // The parts were valid; the result may nest too deeply or be too large.
        try DocumentCheck.check(application.fields, of: write.key)
        var applied = replace(document, by: application.fields, of: write.key, at: times)
        applied.result.transformResults = results
        return applied
    }

    /// An unchanged document retains its update time (WR-22); a changed one retains its create time (WR-17).
    private static func replace(
        _ document: Document?, by fields: FieldBytes, of key: DocumentKey, at times: CommitTimes
    ) -> AppliedWrite {
        if let document, document.fields == fields {
            return AppliedWrite(document: document, result: WriteResult(updateTime: document.updateTime))
        }
        let changed = Document(
            key: key, createTime: document?.createTime ?? times.commitTime, updateTime: times.commitTime,
            fields: fields)
        return AppliedWrite(document: changed, result: WriteResult(updateTime: times.commitTime))
    }

    /// Checks a precondition on the stored document (WR-11).
    private static func check(
        _ precondition: Precondition, of write: Write, against document: Document?, at times: CommitTimes,
        in database: DatabaseID
    ) throws(FirestoreError) {
        let key = write.key
        switch precondition {
        // The service's own words come first, because applications and test suites compare them.
        case .exists(true) where document == nil:
            let advice =
                switch write.operation {
                case .set, .patch: "; create it first"
                // To create it would serve nothing.
                case .delete, .verify: ""
                }
            throw FirestoreError(.notFound, "No document to update: \(database.name(of: key))\(advice)")
        case .exists(false) where document != nil:
            throw FirestoreError(
                .alreadyExists, "Document already exists: \(database.name(of: key)); update it, or choose another id")
        case .exists: return
        case .updateTime(let time):
            guard time <= times.commitTime else {
                throw .invalidArgument("the update time of the precondition is in the future", at: key.path)
            }
            guard let document else {
                throw FirestoreError(
                    .failedPrecondition, "the precondition requires an update time, but the document does not exist",
                    at: key.path)
            }
            guard document.updateTime == time else {
                throw FirestoreError(
                    .failedPrecondition, "the document has changed since the update time in the precondition",
                    at: key.path)
            }
        }
    }
}
