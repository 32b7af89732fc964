// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

@testable import FirestorePipelines

/// Runs pipelines over two documents, without a store.
enum PipelineWorkbench {
    static let database = DatabaseID(projectID: "p")

    static func run(_ text: String, _ budget: PipelineBudget = PipelineBudget()) throws(FirestoreError) -> PipelineOutput {
        let request: PipelineRequest
        do { request = try PipelineText.parse(text) } catch { throw .invalidArgument("\(error)", at: text) }
        return try run(request, budget)
    }

    static func run(_ request: PipelineRequest, _ budget: PipelineBudget = PipelineBudget()) throws(FirestoreError) -> PipelineOutput {
        let checked = try PipelineCheck.check(request, database: database)
        return try checked.withStack { () throws(FirestoreError) in
            try PipelineExecutor.run(
                checked, over: TwoDocuments(), database: database, time: TimestampValue(seconds: 1, nanoseconds: 0), budget: budget)
        }
    }

    /// The code with which a pipeline fails; nil if it has rows.
    static func failure(_ text: String, _ budget: PipelineBudget) -> FirestoreError.Code? {
        do throws(FirestoreError) {
            _ = try run(text, budget)
            return nil
        } catch {
            return error.code
        }
    }
}

private struct TwoDocuments: DocumentSource {
    let readTime = DocumentVersion(microseconds: 1)
    private let documents = ["c/a", "c/b"].map { path in
        Document(
            key: DocumentKey(trusted: path), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 1),
            fields: FieldBytes(FieldMap([("a", .array([.integer(1)])), ("n", .integer(1)), ("t", .string("text"))])))
    }

    func document(_ key: DocumentKey) -> Document? { documents.first { $0.key == key } }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        for document in descending ? documents.reversed() : documents where scope.contains(document.key) {
            if try document.withScanned(body) == .stop { return }
        }
    }

    func indexes(on collectionID: String) -> [ReadyIndex] { [] }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        preconditionFailure("there are no indexes")
    }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        preconditionFailure("there are no indexes")
    }
}
