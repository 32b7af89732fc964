// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import FirestoreSemantics

/// Runs pipelines with little memory and time. They are refused, or their rows are as rows are stored.
enum FuzzExecution {
    static let database = DatabaseID(projectID: "p")
    static let source = PipelineStage(.collection, [.value(.reference("/c"))])
    private static let documents = FuzzDocuments()

    static func run(_ pipeline: PipelineRequest) {
        guard let checked = try? PipelineCheck.check(pipeline, database: database) else { return }
        let start = ContinuousClock.now
        let budget = PipelineBudget(limits: PipelineLimits(memory: 1 << 20), deadline: start + .milliseconds(200))
        do throws(FirestoreError) {
            let output = try PipelineExecutor.run(
                checked, over: documents, database: database, time: TimestampValue(seconds: 1_700_000_000, nanoseconds: 0), budget: budget)
            for row in output.rows { check(row, pipeline) }
        } catch {
            let codes: [FirestoreError.Code] = [.invalidArgument, .resourceExhausted, .deadlineExceeded]
            precondition(codes.contains(error.code), "\(error): \(PipelineText.print(pipeline.stages))")
        }
        precondition(start.duration(to: .now) < .seconds(4), "the deadline was not seen: \(PipelineText.print(pipeline.stages))")
    }

    /// The bytes are canonical: what is read from them gives the same bytes.
    private static func check(_ row: PipelineRow, _ pipeline: PipelineRequest) {
        guard let fields = try? row.fields.map else { preconditionFailure("damaged: \(PipelineText.print(pipeline.stages))") }
        precondition(FieldBytes(fields) == row.fields, "not canonical: \(PipelineText.print(pipeline.stages))")
    }
}

/// A few documents in which all kinds of values are.
private struct FuzzDocuments: DocumentSource {
    let readTime = DocumentVersion(microseconds: 1)
    private let documents: [Document]

    init() {
        let time = Value.timestamp(TimestampValue(seconds: 1_710_084_645, nanoseconds: 123_456_000))
        let values: [[(String, Value)]] = [
            [
                ("n", .integer(7)), ("d", .double(2.5)), ("s", .string("Ünï😀x")), ("a", .array([.integer(3), .null, .string("k")])),
                ("m", .map(FieldMap([("p", .integer(1)), ("q.r", .null)]))), ("t", time),
            ],
            [
                ("n", .double(.nan)), ("s", .bytes([0, 0xFF])), ("a", .vector([1, 2])),
                ("g", .geoPoint(GeoPointValue(latitude: 1, longitude: 2))),
            ],
            [("n", .integer(.min)), ("s", .null), ("a", .array([])), ("r", .reference("projects/p/databases/(default)/documents/c/1"))],
        ]
        let version = DocumentVersion(microseconds: 1)
        let paths = ["c/1", "c/2", "c/2/e/1"]
        documents = zip(paths, values).map { path, fields in
            Document(
                key: DocumentKey(trusted: path), createTime: version, updateTime: version, fields: FieldBytes(FieldMap(fields)))
        }
    }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? { documents.first { $0.key == key } }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        for document in descending ? documents.reversed() : documents where isInside(document.key, scope) && isInside(document.key, range) {
            if try document.withScanned(body) == .stop { return }
        }
    }

    private func isInside(_ key: DocumentKey, _ scope: QueryScope) -> Bool {
        func isBelow(_ under: DocumentKey?) -> Bool { under.map { key.path.utf8.starts(with: ($0.path + "/").utf8) } ?? true }
        return switch scope {
        case .collection(let collection): key.collection == collection
        case .kindless(let under, let allDescendants): isBelow(under) && (allDescendants || key.collection.parent == under)
        case .collectionGroup(let id, let under): key.collection.id == id && isBelow(under)
        }
    }

    private func isInside(_ key: DocumentKey, _ range: KeyRange) -> Bool {
        if let lower = range.lower, key < lower.key || (key == lower.key && !lower.inclusive) { return false }
        if let upper = range.upper, upper.key < key || (key == upper.key && !upper.inclusive) { return false }
        return true
    }

    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { [] }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor { throw FirestoreError(.internal, "there are no indexes") }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep { throw FirestoreError(.internal, "there are no indexes") }
}
