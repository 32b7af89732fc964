// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

private let n = FieldPath(["n"])
private let tags = FieldPath(["tags"])

extension CompatibilityTable {
    /// api.md 5.1.
    static func query() -> CompatibilitySection {
        var section = CompatibilitySection("5.1", "Query")
        section.row(.core, "var firestore: Firestore { get }") { here in
            let db: Firestore = here.letters.limit(to: 1).firestore
            return db === here.db
        }
        section.row(.core, "func getDocuments(completion: @escaping (QuerySnapshot?, Error?) -> Void)", "func getDocuments() async throws -> QuerySnapshot") { here in
            let snapshot: QuerySnapshot = try await here.letters.getDocuments()
            let empty: QuerySnapshot? = await completion { done in here.freshCollection().getDocuments { snapshot, _ in done(snapshot) } }
            return snapshot.count == 3 && empty?.count == 0
        }
        section.row(
            .core,
            "func getDocuments(source: FirestoreSource, completion: @escaping (QuerySnapshot?, Error?) -> Void)",
            "func getDocuments(source: FirestoreSource) async throws -> QuerySnapshot",
            differs: "embedded, server and cache are one: every source gives the same"
        ) { here in
            for source in [FirestoreSource.default, .server, .cache] {
                let snapshot = try await here.letters.getDocuments(source: source)
                let again: QuerySnapshot? = await completion { done in here.letters.getDocuments(source: source) { snapshot, _ in done(snapshot) } }
                if snapshot.count != 3 || again?.count != 3 { return false }
            }
            return true
        }
        section.row(.core, "func addSnapshotListener(_ listener: @escaping (QuerySnapshot?, Error?) -> Void) -> ListenerRegistration") { here in
            let snapshot: QuerySnapshot? = await here.first { here.letters.addSnapshotListener($0) }
            return snapshot?.count == 3
        }
        section.row(
            .core,
            "func addSnapshotListener(includeMetadataChanges: Bool, listener: @escaping (QuerySnapshot?, Error?) -> Void) -> ListenerRegistration",
            differs: "embedded, there are no metadata-only changes"
        ) { here in
            let snapshot: QuerySnapshot? = await here.first { here.letters.addSnapshotListener(includeMetadataChanges: true, listener: $0) }
            return snapshot?.count == 3
        }
        section.row(
            .full,
            "func addSnapshotListener(options: SnapshotListenOptions, listener: @escaping (QuerySnapshot?, Error?) -> Void) -> ListenerRegistration",
            differs: "embedded, every source gives the same and there are no metadata-only changes"
        ) { here in
            let options = SnapshotListenOptions().withIncludeMetadataChanges(true)
            let snapshot: QuerySnapshot? = await here.first { here.letters.addSnapshotListener(options: options, listener: $0) }
            return snapshot?.count == 3
        }
        section.row(.full, "var snapshots: Query.QuerySnapshotsSequence { get }") { here in
            let sequence: Query.QuerySnapshotsSequence = here.letters.snapshots
            for try await snapshot in sequence { return snapshot.count == 3 }
            return false
        }
        section.row(.full, "func snapshots(includeMetadataChanges: Bool) -> Query.QuerySnapshotsSequence", differs: "embedded, there are no metadata-only changes") { here in
            let sequence: Query.QuerySnapshotsSequence = here.letters.snapshots(includeMetadataChanges: true)
            for try await snapshot in sequence { return snapshot.count == 3 }
            return false
        }
        section.row(.full, "func whereFilter(_ filter: Filter) -> Query") { here in
            let filter = Filter.orFilter([.whereField("n", isEqualTo: 1), .whereField("n", isEqualTo: 3)])
            return try await here.finds("ac", here.letters.whereFilter(filter))
        }
        section.row(.core, "func whereField(_ field: String, isEqualTo value: Any) -> Query", "func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query") { here in
            try await here.finds("b", here.letters.whereField("n", isEqualTo: 2), here.letters.whereField(n, isEqualTo: 2))
        }
        section.row(.core, "func whereField(_ field: String, isNotEqualTo value: Any) -> Query", "func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query") { here in
            try await here.finds("ac", here.letters.whereField("n", isNotEqualTo: 2), here.letters.whereField(n, isNotEqualTo: 2))
        }
        section.row(.core, "func whereField(_ field: String, isLessThan value: Any) -> Query", "func whereField(_ path: FieldPath, isLessThan value: Any) -> Query") { here in
            try await here.finds("a", here.letters.whereField("n", isLessThan: 2), here.letters.whereField(n, isLessThan: 2))
        }
        section.row(
            .core,
            "func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query",
            "func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query"
        ) { here in
            try await here.finds("ab", here.letters.whereField("n", isLessThanOrEqualTo: 2), here.letters.whereField(n, isLessThanOrEqualTo: 2))
        }
        section.row(.core, "func whereField(_ field: String, isGreaterThan value: Any) -> Query", "func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query") { here in
            try await here.finds("c", here.letters.whereField("n", isGreaterThan: 2), here.letters.whereField(n, isGreaterThan: 2))
        }
        section.row(
            .core,
            "func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query",
            "func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query"
        ) { here in
            try await here.finds("bc", here.letters.whereField("n", isGreaterThanOrEqualTo: 2), here.letters.whereField(n, isGreaterThanOrEqualTo: 2))
        }
        section.row(.core, "func whereField(_ field: String, arrayContains value: Any) -> Query", "func whereField(_ path: FieldPath, arrayContains value: Any) -> Query") { here in
            try await here.finds("ab", here.letters.whereField("tags", arrayContains: "y"), here.letters.whereField(tags, arrayContains: "y"))
        }
        section.row(
            .core,
            "func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query",
            "func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query"
        ) { here in
            try await here.finds("ac", here.letters.whereField("tags", arrayContainsAny: ["x", "z"]), here.letters.whereField(tags, arrayContainsAny: ["x", "z"]))
        }
        section.row(.core, "func whereField(_ field: String, in values: [Any]) -> Query", "func whereField(_ path: FieldPath, in values: [Any]) -> Query") { here in
            try await here.finds("ac", here.letters.whereField("n", in: [1, 3]), here.letters.whereField(n, in: [1, 3]))
        }
        section.row(.core, "func whereField(_ field: String, notIn values: [Any]) -> Query", "func whereField(_ path: FieldPath, notIn values: [Any]) -> Query") { here in
            try await here.finds("b", here.letters.whereField("n", notIn: [1, 3]), here.letters.whereField(n, notIn: [1, 3]))
        }
        section.row(
            .full,
            "func filter(using predicate: NSPredicate) -> Query",
            absent: "Foundation supports only predicates made of closures here; the query fails with `invalidArgument` and suggests `whereField`"
        ) { here in
            let query: Query = here.letters.filter(using: NSPredicate { _, _ in true })
            let error = await failure { try await query.getDocuments() }
            return isFailure(error, .invalidArgument, naming: "whereField")
        }
        section.row(.core, "func order(by field: String) -> Query", "func order(by path: FieldPath) -> Query") { here in
            try await here.finds("abc", here.letters.order(by: "n"), here.letters.order(by: n))
        }
        section.row(.core, "func order(by field: String, descending: Bool) -> Query", "func order(by path: FieldPath, descending: Bool) -> Query") { here in
            try await here.finds("cba", here.letters.order(by: "n", descending: true), here.letters.order(by: n, descending: true))
        }
        section.row(.core, "func limit(to limit: Int) -> Query") { here in
            try await here.finds("ab", here.letters.limit(to: 2))
        }
        section.row(.full, "func limit(toLast limit: Int) -> Query") { here in
            try await here.finds("bc", here.letters.order(by: "n").limit(toLast: 2))
        }
        section.row(.full, "func start(atDocument document: DocumentSnapshot) -> Query") { here in
            try await here.finds("bc", here.letters.order(by: "n").start(atDocument: here.letters.document("b").getDocument()))
        }
        section.row(.full, "func start(at fieldValues: [Any]) -> Query") { here in
            try await here.finds("bc", here.letters.order(by: "n").start(at: [2]))
        }
        section.row(.full, "func start(afterDocument document: DocumentSnapshot) -> Query") { here in
            try await here.finds("c", here.letters.order(by: "n").start(afterDocument: here.letters.document("b").getDocument()))
        }
        section.row(.full, "func start(after fieldValues: [Any]) -> Query") { here in
            try await here.finds("c", here.letters.order(by: "n").start(after: [2]))
        }
        section.row(.full, "func end(beforeDocument document: DocumentSnapshot) -> Query") { here in
            try await here.finds("a", here.letters.order(by: "n").end(beforeDocument: here.letters.document("b").getDocument()))
        }
        section.row(.full, "func end(before fieldValues: [Any]) -> Query") { here in
            try await here.finds("a", here.letters.order(by: "n").end(before: [2]))
        }
        section.row(.full, "func end(atDocument document: DocumentSnapshot) -> Query") { here in
            try await here.finds("ab", here.letters.order(by: "n").end(atDocument: here.letters.document("b").getDocument()))
        }
        section.row(.full, "func end(at fieldValues: [Any]) -> Query") { here in
            try await here.finds("ab", here.letters.order(by: "n").end(at: [2]))
        }
        section.row(.full, "var count: AggregateQuery { get }") { here in
            let query: AggregateQuery = here.letters.count
            return try await query.getAggregation(source: .server).count.intValue == 3
        }
        section.row(.full, "func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery") { here in
            let query: AggregateQuery = here.letters.aggregate([.count(), .sum("n")])
            let snapshot = try await query.getAggregation(source: .server)
            return snapshot.get(.count()) as? Int == 3 && snapshot.get(.sum("n")) as? Int == 6
        }
        return section
    }

    /// api.md 5.2.
    static func filter() -> CompatibilitySection {
        var section = CompatibilitySection("5.2", "Filter")
        section.row(
            .full,
            "class func whereField(_ field: String, isEqualTo value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter"
        ) { here in
            try await here.finds("b", filters: .whereField("n", isEqualTo: 2), .whereField(n, isEqualTo: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, isNotEqualTo value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter"
        ) { here in
            try await here.finds("ac", filters: .whereField("n", isNotEqualTo: 2), .whereField(n, isNotEqualTo: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, isGreaterThan value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter"
        ) { here in
            try await here.finds("c", filters: .whereField("n", isGreaterThan: 2), .whereField(n, isGreaterThan: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter"
        ) { here in
            try await here.finds("bc", filters: .whereField("n", isGreaterOrEqualTo: 2), .whereField(n, isGreaterOrEqualTo: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, isLessThan value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter"
        ) { here in
            try await here.finds("a", filters: .whereField("n", isLessThan: 2), .whereField(n, isLessThan: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter"
        ) { here in
            try await here.finds("ab", filters: .whereField("n", isLessThanOrEqualTo: 2), .whereField(n, isLessThanOrEqualTo: 2))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, arrayContains value: Any) -> Filter",
            "class func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter"
        ) { here in
            try await here.finds("ab", filters: .whereField("tags", arrayContains: "y"), .whereField(tags, arrayContains: "y"))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter",
            "class func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter"
        ) { here in
            try await here.finds("ac", filters: .whereField("tags", arrayContainsAny: ["x", "z"]), .whereField(tags, arrayContainsAny: ["x", "z"]))
        }
        section.row(.full, "class func whereField(_ field: String, in values: [Any]) -> Filter", "class func whereField(_ path: FieldPath, in values: [Any]) -> Filter") { here in
            try await here.finds("ac", filters: .whereField("n", in: [1, 3]), .whereField(n, in: [1, 3]))
        }
        section.row(
            .full,
            "class func whereField(_ field: String, notIn values: [Any]) -> Filter",
            "class func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter"
        ) { here in
            try await here.finds("b", filters: .whereField("n", notIn: [1, 3]), .whereField(n, notIn: [1, 3]))
        }
        section.row(.full, "class func orFilter(_ filters: [Filter]) -> Filter") { here in
            let filter: Filter = Filter.orFilter([.whereField("n", isEqualTo: 1), .whereField("tags", arrayContains: "z")])
            return try await here.finds("ac", filters: filter)
        }
        section.row(.full, "class func andFilter(_ filters: [Filter]) -> Filter") { here in
            let filter: Filter = Filter.andFilter([.whereField("n", isGreaterThan: 1), .whereField("tags", arrayContains: "y")])
            return try await here.finds("b", filters: filter)
        }
        return section
    }

    /// api.md 5.3.
    static func fieldPath() -> CompatibilitySection {
        var section = CompatibilitySection("5.3", "FieldPath")
        section.row(.core, "init(_ fieldNames: [String])") { here in
            let ref = try await here.fresh(["a.b": 1])
            let snapshot = try await ref.getDocument()
            return snapshot.get(FieldPath(["a.b"])) as? Int == 1 && snapshot.get("a.b") == nil
        }
        section.row(.core, "class func documentID() -> Self") { here in
            try await here.finds("b", here.letters.whereField(FieldPath.documentID(), isEqualTo: "b"))
        }
        return section
    }
}
