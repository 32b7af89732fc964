// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore
import FirestoreSchema
import Foundation

extension Query {
    /// Rewrites the documents of older versions of a model, in a collection or a collection group.
    ///
    /// ```swift
    /// let report = try await db.collection("cities").migrate(as: City.self)
    /// for failure in report.failures { log(failure.reference.path, failure.error) }
    /// ```
    /// Documents are read in pages by name. Each is written on the condition that it has not changed since it was read, and only
    /// its changed fields are sent; if it has changed, it is read and migrated again. It may therefore run while others read and write.
    /// Passes are repeated until one finds nothing to do. If it stops, because the process ends or the connection breaks, every
    /// document is as before or as after, and running it again does the rest.
    ///
    /// A document that cannot be migrated is reported and left as it is. Throws `invalidArgument` for a query with orders, limits,
    /// cursors or inequalities, ``FirestoreModelError`` for steps that are not complete, and the errors of the database; with a cache,
    /// `unavailable` offline. Costs a read per document and pass, and a write per migrated document.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public nonisolated(nonsending) func migrate<Model: VersionedModel & Decodable>(
        as model: Model.Type, options: MigrationOptions = MigrationOptions()
    ) async throws -> MigrationReport {
        let steps = try VersionSteps(model)
        let firestore = firestore
        let plan = MigrationPlan(
            steps: steps.titles, fingerprint: "\(steps.model) to version \(steps.current)",
            migrate: { document in
                let reference = DocumentReference(key: document.key, firestore: firestore)
                guard let (fields, from) = try steps.migrated(document.fields, of: reference) else { return nil }
                return MigrationPlan.Result(fields: fields, steps: Array(from..<steps.current))
            },
            check: { key, fields in
                _ = try Firestore.Decoder().decode(
                    model, fromPrepared: fields, of: DocumentReference(key: key, firestore: firestore))
            })
        return try await run(plan, options)
    }

    /// Rewrites documents as a closure says, in a collection or a collection group.
    ///
    /// ```swift
    /// try await db.collection("cities").migrate { $0.rename("pop", to: "population") }
    /// ```
    /// The closure must depend on the fields alone, and running it on its own result must change nothing: it sees documents more than
    /// once. Otherwise like ``migrate(as:options:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public nonisolated(nonsending) func migrate(
        options: MigrationOptions = MigrationOptions(), _ change: @escaping @Sendable (_ fields: inout MigratingFields) throws -> Void
    ) async throws -> MigrationReport {
        let firestore = firestore
        let plan = MigrationPlan(steps: ["change"], fingerprint: "a closure") { document in
            var fields = MigratingFields(try document.fields.map, of: firestore)
            try change(&fields)
            if let error = fields.error { throw error }
            return MigrationPlan.Result(fields: FieldBytes(fields.map), steps: [0])
        }
        return try await run(plan, options)
    }

    private nonisolated(nonsending) func run(_ plan: MigrationPlan, _ options: MigrationOptions) async throws -> MigrationReport {
        do {
            let firestore = firestore
            let context: @Sendable () throws(FirestoreError) -> RequestContext = { () throws(FirestoreError) in
                try firestore.authority(for: "a migration").context
            }
            let service = try firestore.authority(for: "a migration").service
            let source = try MigrationSource(
                service, database: firestore.databaseID, query: try definition.get().query, context: context)
            var settings = MigrationRun.Options()
            settings.isDryRun = options.isDryRun
            settings.resumes = options.resumes
            if let rate = options.writesPerSecond {
                guard rate > 0 else { throw FirestoreError.invalidArgument("writesPerSecond must be greater than 0") }
                settings.rate = .perSecond(rate)
            }
            switch options.checkpoint {
            case .file(let url)?: settings.checkpoint = MigrationCheckpointFile(path: url.path)
            case .document(let reference)?:
                settings.checkpoint = MigrationCheckpointDocument(try reference.location.get(), in: service, context: context)
            case nil: break
            }
            if let report = options.onProgress {
                settings.onProgress = { report(MigrationProgress(documentCount: $0, migratedCount: $1, pass: $2)) }
            }
            let run = MigrationRun(source, plan, settings)
            let outcome = try await Task.detached { try await run.perform() }.cancelledWithParent()
            return try MigrationReport(outcome, plan.steps, in: firestore)
        } catch let error as FirestoreError {
            throw error.publicError
        }
    }
}

extension Task where Failure == any Error {
    /// The value; canceling the waiting task cancels this one.
    fileprivate func cancelledWithParent() async throws -> Success {
        try await withTaskCancellationHandler {
            try await value
        } onCancel: {
            cancel()
        }
    }
}

extension MigrationReport {
    fileprivate init(_ outcome: MigrationOutcome, _ steps: [String], in firestore: Firestore) throws(FirestoreError) {
        func reference(_ key: DocumentKey) -> DocumentReference { DocumentReference(key: key, firestore: firestore) }
        func failures(_ list: [MigrationOutcome.Failure]) -> [Failure] {
            list.map { Failure(reference: reference($0.key), error: ($0.error as? FirestoreError)?.publicError ?? $0.error) }
        }
        documentCount = outcome.read
        migratedCount = outcome.migrated
        self.steps = zip(steps, outcome.steps).map { Step(name: $0, documentCount: $1) }
        conflictCount = outcome.conflicts
        self.failures = failures(outcome.failures)
        failureCount = outcome.failureCount
        undecodable = failures(outcome.rejected)
        var examples: [Example] = []
        for sample in outcome.samples {
            func fields(_ bytes: FieldBytes) throws(FirestoreError) -> FirestoreFields {
                FirestoreFields(try bytes.map) { DocumentReference(resourceName: $0, firestore: firestore) }
            }
            examples.append(
                Example(reference: reference(sample.key), before: try fields(sample.before), after: try fields(sample.after)))
        }
        self.examples = examples
    }
}
