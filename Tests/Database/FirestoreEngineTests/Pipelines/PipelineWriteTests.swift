// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import PipelineCases
import Testing

@Suite struct PipelineWriteTests {
    private static let database = DatabaseID(projectID: "demo-pipelines")
    private let engine: Engine

    init() async throws {
        engine = try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: Self.database))
        _ = try await engine.commit(try PipelineData.writes, context: .embedded)
    }

    @discardableResult
    private func run(_ text: String, _ options: PipelineOptions = .latest) async throws -> PipelinePage {
        try await engine.execute(try PipelineText.parse(text), options: options, context: .embedded)
    }

    /// The number of documents that a pipeline says it has modified.
    private func modified(_ text: String, _ options: PipelineOptions = .latest) async throws -> Int64? {
        let page = try await run(text, options)
        #expect(page.rows.count == 1)
        return page.rows.first?.fields.view[utf8: "documents_modified"]?.integer
    }

    private func fields(_ path: String) async throws -> String? {
        let found = try await engine.documents([DocumentKey(trusted: path)], context: .embedded)
        return try found.documents[0].map { PipelineText.print(.value(.map(try $0.fields.map))) }
    }

    private func error(_ text: String, _ options: PipelineOptions = .latest) async -> FirestoreError? {
        do {
            _ = try await run(text, options)
            return nil
        } catch {
            return error as? FirestoreError
        }
    }

    @Test func anUpdateSetsItsFieldsAndKeepsTheOthers() async throws {
        // PT-196
        #expect(try await modified(#"collection(/shop).where(equal(k, "tea")).update(5 as c)"#) == 2)
        #expect(try await fields("shop/p1") == #"{c: 5, g: {h: 1}, k: "tea"}"#)
        #expect(try await fields("shop/p2") == #"{c: 5, k: "tea"}"#)
        #expect(try await fields("shop/p3") == #"{c: null, k: "rye", l: [1, 2]}"#)
    }

    @Test func anUpdateWritesTheRowAsItIs() async throws {
        // PT-197
        #expect(try await modified("collection(/shop).where(exists(g)).remove_fields(g).update()") == 1)
        #expect(try await fields("shop/p1") == #"{c: 3, k: "tea"}"#)
    }

    @Test func aDeleteDeletesWhatItsRowsName() async throws {
        // PT-198
        #expect(try await modified("collection(/shop).where(is_absent(k)).delete()") == 1)
        #expect(try await fields("shop/p5") == nil)
        #expect(try await fields("shop/p4") != nil)
    }

    @Test func rowsThatAreNoDocumentsAreNotUpdated() async throws {
        // PT-199
        let error = await error("collection(/shop).select(c).update()")
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("__name__") == true)
        #expect(try await fields("shop/p1") == #"{c: 3, g: {h: 1}, k: "tea"}"#)
    }

    @Test func anInsertCreatesUnderTheGivenId() async throws {
        // PT-211
        let text = #"literals({id: "n1", v: 1}).insert(collection: /made, document_id: id)"#
        #expect(try await modified(text) == 1)
        #expect(try await fields("made/n1") == #"{id: "n1", v: 1}"#)
        let both = #"literals({id: "n0", v: 1}, {id: "n1", v: 2}).insert(collection: /made, document_id: id)"#
        #expect(await error(both)?.code == .alreadyExists)
        #expect(try await fields("made/n0") == nil, "nothing of a failed pipeline is written")
        #expect(try await fields("made/n1") == #"{id: "n1", v: 1}"#)
    }

    @Test func anInsertMakesIdsWhereNoneIsGiven() async throws {
        // PT-212
        #expect(try await modified("literals({v: 1}, {v: 2}).insert(collection: /made)") == 2)
        let rows = try await run("collection(/made)").rows
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.name?.split(separator: "/").last?.count == 20 })
    }

    @Test func anInsertNeedsATargetThatDoesNotExist() async throws {
        // PT-213
        #expect(await error("literals({v: 1}).insert()")?.code == .invalidArgument)
        #expect(await error("collection(/shop).insert()")?.code == .alreadyExists)
        // PL-88
        let twice = await error(#"literals({v: 1}, {v: 2}).insert(collection: /made, document_id: "one")"#)
        #expect(twice?.code == .alreadyExists)
    }

    @Test func anUpsertWritesCopiesIntoAnotherCollection() async throws {
        // PT-214
        #expect(try await modified(#"collection(/shop).where(equal(k, "tea")).upsert(1 as seen, collection: /copy)"#) == 2)
        #expect(try await fields("copy/p1") == #"{c: 3, g: {h: 1}, k: "tea", seen: 1}"#)
        #expect(try await fields("copy/p2") == #"{c: 3.0, k: "tea", seen: 1}"#)
        #expect(try await fields("shop/p1") == #"{c: 3, g: {h: 1}, k: "tea"}"#)
    }

    @Test func anUpsertReplacesAndDoesNotMerge() async throws {
        // PT-215
        #expect(try await modified("collection(/shop).select(__name__, k).upsert()") == 5)
        #expect(try await fields("shop/p1") == #"{k: "tea"}"#)
        #expect(try await fields("shop/p5") == "{}")
        // PL-88: the last row counts.
        #expect(try await modified(#"literals({v: 1}, {v: 2}).upsert(collection: /made, document_id: "one")"#) == 1)
        #expect(try await fields("made/one") == "{v: 2}")
    }

    @Test func idsThatAreNoneAreRefused() async throws {
        // PT-216
        #expect(await error("literals({v: 1}).insert(collection: /made, document_id: 7)")?.code == .invalidArgument)
        #expect(await error(#"literals({v: 1}).insert(collection: /made, document_id: "a/b")"#)?.code == .invalidArgument)
    }

    @Test func rowsBeyondTheLimitsOfDocumentsAreNotWritten() async throws {
        // PL-88
        let error = await error(#"literals({v: [[1]]}).upsert(collection: /made, document_id: "one")"#)
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains("made/one") == true)
    }

    @Test func moreThanOneCommitHoldsIsWrittenInPartsUnlessItIsAtomic() async throws {
        // PT-217
        let many = 10_001
        for start in stride(from: 0, to: many, by: 5_000) {
            let writes = (start..<min(start + 5_000, many)).map { number in
                Write(key: DocumentKey(trusted: "many/d\(number)"), operation: .set(FieldBytes(FieldMap([("n", .integer(0))]))))
            }
            _ = try await engine.commit(writes, context: .embedded)
        }
        let update = "collection(/many).update(1 as n)"
        #expect(await error(update, PipelineOptions(isAtomic: true))?.code == .resourceExhausted)
        let changed = "collection(/many).where(equal(n, 1)).aggregate(count() as c)"
        #expect(try await run(changed).rows[0].fields.view[utf8: "c"]?.integer == 0)
        #expect(try await modified(update) == Int64(many))
        #expect(try await run(changed).rows[0].fields.view[utf8: "c"]?.integer == Int64(many))
    }

    @Test func theWritesOfAPipelineInATransactionAreThoseOfItsCommit() async throws {
        // PT-218
        let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let options = PipelineOptions(.transaction(id))
        #expect(try await modified(#"collection(/shop).where(equal(k, "tea")).delete()"#, options) == 2)
        #expect(try await fields("shop/p1") != nil)
        // Later reads of the transaction do not see them (PQ-17).
        #expect(try await run("collection(/shop)", options).rows.count == 5)
        let own = Write(key: DocumentKey(trusted: "shop/p9"), operation: .set(.empty))
        let response = try await engine.commit([own], in: id, context: .embedded)
        #expect(response.results.count == 1)
        #expect(try await fields("shop/p1") == nil)
        #expect(try await fields("shop/p9") == "{}")
    }

    @Test func aTransactionThatIsCommittedWithItsPipelineEnds() async throws {
        let id = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        #expect(try await modified("collection(/shop).delete()", PipelineOptions(.transaction(id), commitsTransaction: true)) == 5)
        #expect(try await fields("shop/p1") == nil)
        #expect(await error("collection(/shop)", PipelineOptions(.transaction(id)))?.code == .aborted)
    }

    @Test func aPipelineThatWritesHasNoReadTimeAndNoReadOnlyTransaction() async throws {
        // PT-219
        let now = try await run("collection(/shop)").readTime
        #expect(await error("collection(/shop).delete()", PipelineOptions(.past(now)))?.code == .invalidArgument)
        let id = try await engine.beginTransaction(.readOnly(at: nil), context: .embedded)
        #expect(await error("collection(/shop).delete()", PipelineOptions(.transaction(id)))?.code == .invalidArgument)
        #expect(try await fields("shop/p1") != nil)
    }

    @Test func anUpdateOfADocumentThatDoesNotExistFails() async throws {
        let name = "projects/demo-pipelines/databases/(default)/documents/shop/gone"
        let error = await error(#"literals({v: 1}).add_fields(reference("\#(name)") as __name__).update()"#)
        #expect(error?.code == .notFound || error?.code == .failedPrecondition)
    }
}
