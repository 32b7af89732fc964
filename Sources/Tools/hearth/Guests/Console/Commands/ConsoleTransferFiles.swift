// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreConsole
import FirestoreCore
import FirestoreTransfer
import Foundation

/// The files of `hearth export` and `hearth import`, for the console.
struct ConsoleTransferFiles: ConsoleFiles {
    func export(
        _ export: ConsoleExport, to write: @escaping @Sendable ([UInt8]) async throws(FirestoreError) -> Void
    ) async throws(FirestoreError) {
        let pieces = ExportPieces()
        var plan = DocumentExport(of: export.service, database: export.database, context: .embedded)
        plan.afterPage = { () async throws(FirestoreError) in
            if let piece = pieces.take() { try await write(piece) }
        }
        let selection: ExportSelection = export.collection.map { .collection($0, withBelow: true) } ?? .everything
        _ = try await plan.run([selection], into: JSONLinesOutput(ExportTarget(pieces), database: export.database))
        if let piece = pieces.take() { try await write(piece) }
    }

    func check(_ plan: ConsoleImport) throws(FirestoreError) { _ = try request(plan) { _ in } }

    func importDocuments(
        _ plan: ConsoleImport, report: @escaping @Sendable (ConsoleImport.Event) -> Void
    ) async throws(FirestoreError) {
        let request = try request(plan, report: report)
        let open: @Sendable () throws(FirestoreError) -> any DocumentInput = { () throws(FirestoreError) in
            try request.open(BodySource(plan.body), in: plan.database)
        }
        guard !plan.isRehearsal else { return try await rehearse(plan, open, report) }
        let transfer = DocumentImport(
            into: plan.service, context: .embedded, badAllowed: plan.badAllowed,
            onProgress: { report(.progress(documents: $0.documents, bytes: $0.bytes)) }, onBadDocument: { report(.bad($0)) })
        let summary = await transfer.run(open)
        if let failure = summary.failure { throw failure }
        report(.done(documents: summary.progress.documents, bad: summary.bad))
    }

    private func request(
        _ plan: ConsoleImport, report: @escaping @Sendable (ConsoleImport.Event) -> Void
    ) throws(FirestoreError) -> ImportRequest {
        var format: FileFormat?
        if let name = plan.parameters["format"] {
            format = FileFormat(rawValue: name)
            guard let format, format != .emulator else {
                throw .invalidArgument("the format \(name.prefix(50)) cannot be imported here; use jsonl, json or csv")
            }
        }
        var form = DocumentForm.documents
        if let path = plan.parameters["collection"], !path.utf8.isEmpty {
            form = .fields(of: try PathCheck.collectionPath(path), idField: plan.parameters["idField"])
        } else if plan.parameters["idField"] != nil {
            throw .invalidArgument("idField requires a collection")
        }
        let types = try ColumnType.list(plan.parameters["types"].map { [$0] } ?? [])
        var request = ImportRequest("the file", format: format, form: form, types: types)
        request.onNote = { note in if case .types(let types, _, _) = note { report(.types(types)) } }
        return request
    }

    // MARK: Rehearsals

    private func rehearse(
        _ plan: ConsoleImport, _ open: @escaping @Sendable () throws(FirestoreError) -> any DocumentInput,
        _ report: @escaping @Sendable (ConsoleImport.Event) -> Void
    ) async throws(FirestoreError) {
        let result: Result<ImportRehearsal.Result, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "hearth.rehearsal", qos: .userInitiated).async {
                do throws(FirestoreError) {
                    var rehearsal = ImportRehearsal(
                        badAllowed: plan.badAllowed, onBadDocument: { report(.bad($0)) },
                        onProgress: { report(.progress(documents: $0.documents, bytes: $0.bytes)) },
                        lookup: { (keys) throws(FirestoreError) in try Self.documents(keys, in: plan.service) })
                    continuation.resume(returning: .success(try rehearsal.run(try open())))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        let found = try result.get()
        report(
            .rehearsed(documents: found.progress.documents, bad: found.bad, existing: found.existing, examples: found.examples))
    }

    /// Waits for the database, on a thread of the rehearsal's own.
    private static func documents(_ keys: [DocumentKey], in service: any DocumentService) throws(FirestoreError) -> [Document?] {
        let answer = RehearsalAnswer()
        Task {
            do throws(FirestoreError) {
                answer.set(.success(try await service.documents(keys, options: .acknowledged(), context: .embedded).documents))
            } catch {
                answer.set(.failure(error))
            }
        }
        return try answer.wait().get()
    }
}

/// An answer that a thread waits for.
private final class RehearsalAnswer: Sendable {
    private let result = Mutex<Result<[Document?], FirestoreError>>(.failure(FirestoreError(.internal, "there is no answer")))
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result<[Document?], FirestoreError>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result<[Document?], FirestoreError> {
        isThere.wait()
        return result.withLock { $0 }
    }
}
