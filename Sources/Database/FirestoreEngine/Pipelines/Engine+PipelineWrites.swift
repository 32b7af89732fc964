// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import FirestoreSemantics

/// Pipelines that write: their rows are read in a transaction, and written by its commit.
extension Engine {
    /// The documents of one commit of a pipeline, and their size in bytes.
    fileprivate static let mostDocuments = 10_000
    fileprivate static let mostBytes = 64 << 20
    /// The documents of each commit of a pipeline that writes more than one commit holds.
    private static let documentsPerPart = 500
    private static let attempts = 5

    /// Runs a pipeline that writes, and returns its one row.
    func write(
        _ pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> PipelinePage {
        switch options.read.moment {
        case .past: throw .invalidArgument("a pipeline that writes has no read time; it reads the latest state")
        case .transaction(let id): return try await write(pipeline, in: id, options, context)
        case .latest: return try await writeInOwnTransaction(pipeline, options, context)
        }
    }

    /// In a transaction of the caller: written by its commit, which may be immediate.
    private func write(
        _ pipeline: CheckedPipeline, in id: TransactionID, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> PipelinePage {
        let (writes, time) = try await writes(of: pipeline, options, context)
        guard !writes.isLarge else { throw writes.tooLarge }
        if options.commitsTransaction { return try await commit(writes, in: id, context) }
        // What is wrong with them is known now, and not when the transaction is committed.
        let staged = writes.entries.map(\.write)
        try WriteCheck.check(staged, most: Self.mostBytes)
        try core.writeAdmission?.admit(staged, for: context.caller)
        try core.stage(staged, bytes: writes.byteCount, in: id)
        return PipelinePage(readTime: time, rows: [PipelineWrites.result(modified: writes.entries.count)])
    }

    private func writeInOwnTransaction(
        _ pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> PipelinePage {
        var earlier: TransactionID?
        for attempt in 1... {
            let id = try await beginTransaction(.readWrite(retrying: earlier), context: context)
            let large: PipelineWrites
            do throws(FirestoreError) {
                var inside = options
                inside.read.moment = .transaction(id)
                let (writes, _) = try await writes(of: pipeline, inside, context)
                guard writes.isLarge else { return try await commit(writes, in: id, context) }
                guard !options.isAtomic else { throw writes.tooLarge }
                try await rollback(id, context: context)
                large = writes
            } catch {
                // A transaction that was committed has ended.
                try? await rollback(id, context: context)
                guard error.code == .aborted, attempt < Self.attempts else { throw error }
                earlier = id
                continue
            }
            // Never again: a part may have been written.
            return try await writeInParts(large, context)
        }
        preconditionFailure("the last attempt returns or throws")
    }

    private func writes(
        of pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> (PipelineWrites, DocumentVersion) {
        let found = try await read(pipeline, options, context)
        let writes = try PipelineWrites(found.answer.output, of: pipeline, database: core.databaseID) { AutoID.make() }
        return (writes, found.time)
    }

    private func commit(
        _ writes: PipelineWrites, in id: TransactionID?, _ context: RequestContext
    ) async throws(FirestoreError) -> PipelinePage {
        let response = try await commit(writes.entries.map(\.write), in: id, context)
        return PipelinePage(readTime: response.commitTime, rows: [PipelineWrites.result(modified: writes.entries.count)])
    }

    private func commit(
        _ writes: [Write], in id: TransactionID?, _ context: RequestContext
    ) async throws(FirestoreError) -> CommitResponse {
        let result = await withCheckedContinuation { continuation in
            submit(writes, most: Self.mostBytes, options: CommitOptions(transaction: id), context: context) {
                continuation.resume(returning: $0)
            }
        }
        return try result.get()
    }

    /// One commit after the other, each under the versions that were read.
    private func writeInParts(_ writes: PipelineWrites, _ context: RequestContext) async throws(FirestoreError) -> PipelinePage {
        var (written, time) = (0, DocumentVersion.none)
        while written < writes.entries.count {
            let part = writes.entries[written...].prefix(Self.documentsPerPart).map(\.guarded)
            do throws(FirestoreError) {
                time = try await commit(Array(part), in: nil, context).commitTime
            } catch {
                throw FirestoreError(
                    error.code,
                    "the pipeline has modified \(written) of \(writes.entries.count) documents, and then failed: \(error.message)",
                    at: error.location, cause: error)
            }
            written += part.count
        }
        return PipelinePage(readTime: time, rows: [PipelineWrites.result(modified: written)])
    }
}

extension PipelineWrites {
    fileprivate var isLarge: Bool { entries.count > Engine.mostDocuments || byteCount > Engine.mostBytes }

    fileprivate var tooLarge: FirestoreError {
        FirestoreError(
            .resourceExhausted,
            "the pipeline writes \(entries.count) documents with \(byteCount) bytes, and one commit holds \(Engine.mostDocuments) and "
                + "\(Engine.mostBytes); select fewer, or run it without a transaction and not atomically")
    }
}

extension PipelineWrites.Entry {
    /// With the condition that nothing has changed the document since it was read.
    fileprivate var guarded: Write {
        guard let readVersion else { return write }
        var guarded = write
        guarded.precondition = .updateTime(readVersion)
        return guarded
    }
}
