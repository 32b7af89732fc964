// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

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
    }

    let most: Int
    private var table: RecentTable<Key, Row>

    init(most: Int = 500) {
        self.most = most
        table = RecentTable(capacity: most)
    }

    var rows: [(key: Key, value: Row)] { table.all }

    mutating func add(_ call: MeasuredCall, isSlow: Bool, at now: Int64) {
        table.with(Self.key(of: call), default: Row()) { $0.add(call, slowAt: isSlow ? now : nil) }
    }

    /// How calls of this shape were last answered; nil if that is not known.
    func plan(of call: MeasuredCall) -> QueryPlanNote? { table[Self.key(of: call)]?.plan }

    /// Notes how a query was answered, unless its shape has made room meanwhile.
    mutating func note(_ plan: QueryPlanNote, of call: MeasuredCall) { table.change(Self.key(of: call)) { $0.plan = plan } }

    private static func key(of call: MeasuredCall) -> Key { Key(database: DatabaseName(call.database), shape: call.shape) }
}

extension ShapeTable.Row {
    fileprivate mutating func add(_ call: MeasuredCall, slowAt time: Int64?) {
        count += 1
        total += call.duration
        longest = max(longest, call.duration)
        durations.add(call.duration)
        read += call.costs.documentsRead
        returned += call.costs.documentsReturned
        guard let time else { return }
        slow += 1
        lastSlow = time
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
