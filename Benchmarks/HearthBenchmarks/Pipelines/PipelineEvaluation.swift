// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import FirestoreSemantics

/// What an expression costs for each row where nothing is read from a disk.
enum PipelineEvaluation {
    private static let database = DatabaseID(projectID: "bench")
    private static let rows = 10_000

    /// The question: what does a condition with arithmetic cost per row, the row's way through the stages included?
    ///
    /// Allocations per row: `valgrind --trace-children=no .build-bench/release/HearthBenchmarks --run-once ours --operations N --only …`
    /// with two values of N; the difference of "total heap usage", divided by 10,000 rows.
    static var condition: BenchmarkCase {
        BenchmarkCase(
            "pipeline: add(multiply(a, 2), b) > 10, 10,000 rows in memory", unit: .microseconds,
            peer: "the same in Swift over decoded fields"
        ) {
            let text = "collection(/docs).where(greater_than(add(multiply(a, 2), b), 10))"
            let pipeline = try PipelineCheck.check(try PipelineText.parse(text), database: database)
            let source = RepeatedDocument(
                count: rows, FieldBytes(FieldMap([("a", .integer(2)), ("b", .integer(5)), ("name", .string("a name"))])))
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let output = try PipelineExecutor.run(
                            pipeline, over: source, database: database, time: TimestampValue(seconds: 0, nanoseconds: 0),
                            budget: PipelineBudget())
                        guard output.rows.isEmpty else { throw BenchmarkFailure("\(output.rows.count) rows") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        var found = 0
                        try source.scan(.collection(CollectionPath(trusted: "docs")), range: KeyRange(), descending: false) {
                            (scanned) throws(FirestoreError) in
                            let fields = try FieldMap(scanned.view)
                            if case .integer(let a)? = fields["a"], case .integer(let b)? = fields["b"], a * 2 + b > 10 { found += 1 }
                            return .next
                        }
                        guard found == 0 else { throw BenchmarkFailure("\(found) rows") }
                    }
                })
        }
    }
}

/// A collection of documents that are all equal, without indexes.
private struct RepeatedDocument: DocumentSource {
    let readTime = DocumentVersion(microseconds: 1)
    let count: Int
    private let document: Document

    init(count: Int, _ fields: FieldBytes) {
        self.count = count
        let version = DocumentVersion(microseconds: 1)
        document = Document(key: DocumentKey(trusted: "docs/one"), createTime: version, updateTime: version, fields: fields)
    }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? { key == document.key ? document : nil }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        _ = try document.withScanned { (scanned) throws(FirestoreError) in
            for _ in 0..<count where try body(scanned) == .stop { return }
        }
    }

    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { [] }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor { throw FirestoreError(.internal, "there are no indexes") }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep { throw FirestoreError(.internal, "there are no indexes") }
}
