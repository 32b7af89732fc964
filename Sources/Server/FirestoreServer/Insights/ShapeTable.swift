// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What calls of each shape have cost. Of a bounded size: the shape that was seen longest ago makes room.
struct ShapeTable {
    struct Key: Hashable {
        let database: DatabaseName
        let shape: CallShape
    }

    struct Row {
        var count = 0
        var slow = 0
        var total = Duration.zero
        var longest = Duration.zero
        var durations = DurationCounts()
        var read = 0
        var returned = 0
        /// In microseconds since 1970.
        var lastSlow: Int64?
        /// How the query was last answered, and the index that would help.
        var plan: QueryPlanNote?
        fileprivate var lastUse = 0
    }

    let most: Int
    private(set) var rows: [Key: Row] = [:]
    private var uses = 0

    init(most: Int = 500) { self.most = most }

    mutating func add(_ call: MeasuredCall, isSlow: Bool, at now: Int64) {
        let key = Key(database: DatabaseName(call.database), shape: call.shape)
        if rows[key] == nil, rows.count >= most, let oldest = rows.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            rows[oldest] = nil
        }
        uses += 1
        var row = rows[key] ?? Row()
        row.lastUse = uses
        row.count += 1
        row.total += call.duration
        row.longest = max(row.longest, call.duration)
        row.durations.add(call.duration)
        row.read += call.costs.documentsRead
        row.returned += call.costs.documentsReturned
        if isSlow {
            row.slow += 1
            row.lastSlow = now
        }
        rows[key] = row
    }

    /// How calls of this shape were last answered; nil if that is not known.
    func plan(of call: MeasuredCall) -> QueryPlanNote? {
        rows[Key(database: DatabaseName(call.database), shape: call.shape)]?.plan
    }

    /// Notes how a query was answered, unless its shape has made room meanwhile.
    mutating func note(_ plan: QueryPlanNote, of call: MeasuredCall) {
        rows[Key(database: DatabaseName(call.database), shape: call.shape)]?.plan = plan
    }
}

/// A call that has ended, with its costs.
struct MeasuredCall: Sendable {
    let database: DatabaseID
    let shape: CallShape
    let duration: Duration
    let costs: CallMeter.Figures
    let trace: String?
    let code: FirestoreError.Code
}

/// How a query is answered, in a sentence without values.
struct QueryPlanNote: Sendable {
    let sentence: String
    /// The index that would answer it best, if it does not exist.
    let missing: IndexDefinition?

    init(_ explanation: QueryExplanation) {
        missing = explanation.idealIndex
        let indexes = explanation.indexes.map { "\($0)" }
        let access =
            if explanation.scansAll {
                "reads every document of the scope"
            } else if indexes.isEmpty {
                "finds documents by their names"
            } else {
                "uses \(indexes.count == 1 ? "the index" : "the indexes") \(indexes.joined(separator: ", "))"
            }
        sentence = access + (missing.map { "; the index \($0) would help" } ?? "")
    }
}
