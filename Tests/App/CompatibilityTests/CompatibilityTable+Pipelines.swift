// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    private static let dictionaries = "`data` and `get(_:)` of each row"

    /// What pipelines have beyond the Apple SDK. Its own signatures are called by the tests in `Pipelines`.
    static func pipelines() -> CompatibilitySection {
        var section = CompatibilitySection("30.2", "Pipelines")
        section.row(
            .extra, "func data<T: Decodable>(as type: T.Type, decoder: Firestore.Decoder = .init()) throws -> T",
            "func results<T: Decodable>(as type: T.Type, decoder: Firestore.Decoder = .init()) -> DecodedResults<T>",
            instead: dictionaries, only: .pipelines
        ) { here in
            let ref = try await here.fresh(["n": 1])
            let snapshot = try await here.db.pipeline().documents([ref]).execute()
            let letters = snapshot.results(as: Letter.self)
            let letter = try snapshot.results[0].data(as: Letter.self)
            return letters.count == 1 && letters.failures.isEmpty && letter.n == 1
        }
        section.row(
            .extra, "func results(source: FirestoreSource = .default) -> ResultsSequence", instead: "`execute()`, and a loop over its results",
            only: .pipelines
        ) { here in
            let ref = try await here.fresh(["n": 1])
            var ids: [String?] = []
            for try await row in here.db.pipeline().documents([ref]).results() { ids.append(row.id) }
            return ids == [ref.documentID]
        }
        section.row(
            .extra, "func results(at time: Timestamp) -> ResultsSequence", instead: "nothing", only: .pipelines
        ) { here in
            let pipeline = here.db.pipeline().documents([try await here.fresh(["n": 1])])
            let now = try await pipeline.execute()
            var count = 0
            for try await _ in pipeline.results(at: now.executionTime) { count += 1 }
            return count == 1
        }
        section.row(
            .extra, "func limit(_ limit: Int) -> Pipeline", "func offset(_ offset: Int) -> Pipeline",
            "extension Pipeline.Snapshot : RandomAccessCollection", instead: "an `Int32`, and `results`", only: .pipelines
        ) { here in
            let rows = here.db.pipeline().literals([["n": 1], ["n": 2], ["n": 3]])
            let (skipped, most): (Int, Int) = (1, 1)
            let found = try await rows.offset(skipped).limit(most).execute()
            return found.count == 1 && found[0].get("n") as? Int == 2
        }
        section.row(
            .full, "func execute(_ options: ExecuteOptions) async throws -> Pipeline.Snapshot", "struct ExecuteOptions { var isAtomic: Bool }",
            only: .pipelines
        ) { here in
            let made = here.freshCollection()
            let rows = here.db.pipeline().literals([["n": 1]])
            try await rows.insert(collection: made).execute(ExecuteOptions(isAtomic: true))
            return try await made.getDocuments().count == 1
        }
        section.row(
            .extra, "func execute(at time: Timestamp) async throws -> Pipeline.Snapshot",
            "func execute(source: FirestoreSource) async throws -> Pipeline.Snapshot", "var isFromCache: Bool { get }",
            "func explain(analyze: Bool = true, source: FirestoreSource = .default) async throws -> Explanation", instead: "nothing",
            only: .pipelines
        ) { here in
            let pipeline = here.db.pipeline().documents([try await here.fresh(["n": 1])])
            let now = try await pipeline.execute(source: .server)
            let then = try await pipeline.execute(at: now.executionTime)
            let explanation = try await pipeline.explain()
            return !now.isFromCache && then.results.count == 1 && !explanation.text.isEmpty
        }
        section.row(
            .extra, "func execute(_ pipeline: Pipeline) throws -> Pipeline.Snapshot", instead: "`getDocument(_:)` for each document",
            only: .pipelines
        ) { here in
            let ref = try await here.fresh(["n": 1])
            let found = Collector<Int>()
            try await here.transact { found.append(try $0.execute(here.db.pipeline().documents([ref])).results.count) }
            return found.elements == [1]
        }
        section.row(
            .extra, "func literals(_ rows: [[String : Sendable]]) -> Pipeline", instead: "`rawStage(name:params:options:)`", only: .pipelines
        ) { here in
            let rows = try await here.db.pipeline().literals([["n": 1], ["n": 2]]).execute().results
            return rows.map { $0.get("n") as? Int } == [1, 2]
        }
        section.row(
            .extra, "func insert(collection: String? = nil, documentId: Expression? = nil) -> Pipeline",
            "func insert(collection: CollectionReference, documentId: Expression? = nil) -> Pipeline",
            "func upsert(_ fields: [Selectable] = [], collection: String? = nil, documentId: Expression? = nil) -> Pipeline",
            "func upsert(_ fields: [Selectable] = [], collection: CollectionReference, documentId: Expression? = nil) -> Pipeline",
            "func update(_ fields: [Selectable] = []) -> Pipeline", "func delete() -> Pipeline",
            "func execute(atomic: Bool) async throws -> Pipeline.Snapshot",
            instead: "a batch; newer releases of the SDK have such stages, with which these were not compared", only: .pipelines
        ) { here in
            let (made, copies) = (here.freshCollection(), here.freshCollection())
            let rows = here.db.pipeline().literals([["n": 1], ["n": 2]])
            try await rows.insert(collection: made.path).execute()
            try await rows.insert(collection: made).execute()
            let all = here.db.pipeline().collection(made)
            try await all.upsert(collection: copies.path).execute()
            try await all.upsert([Constant(3).as("n")], collection: copies).execute(atomic: true)
            try await all.where(Field("n").equal(1)).update([Constant(5).as("n")]).execute()
            try await all.where(Field("n").equal(2)).delete().execute()
            let (left, copied) = (try await all.execute().results, try await here.db.pipeline().collection(copies).execute().results)
            return left.map { $0.get("n") as? Int } == [5, 5] && copied.map { $0.get("n") as? Int } == [3, 3, 3, 3]
        }
        return section
    }
}
