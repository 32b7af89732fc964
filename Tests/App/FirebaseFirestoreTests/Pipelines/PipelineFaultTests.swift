// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Building a pipeline never fails; the execution reports what is wrong (PL-200).
@Suite struct PipelineFaultTests {
    let db = Scratch.firestore()

    private var source: Pipeline { db.pipeline().collection("c") }

    private func isConstructionFault(_ error: (any Error)?, _ text: String) -> Bool {
        guard let error = error as NSError? else { return false }
        return error.domain == "com.google.firebase.firestore" && error.code == 3 && error.localizedDescription == text
    }

    @Test func `a name that occurs twice is reported by the execution, with the domain and the code of the Apple SDK`() async {
        let twice: [any Selectable] = [Field("x"), Field("y").as("x")]
        let text = "Duplicate alias 'x' found in selectables."
        for pipeline in [source.select(twice), source.addFields(twice), source.distinct(twice), source.search(query: "q", addFields: twice)] {
            #expect(isConstructionFault(await failure { try await pipeline.execute() }, text))
        }
        let defined = source.define([Field("a").as("x"), Field("b").as("x")])
        #expect(isConstructionFault(await failure { try await defined.execute() }, text))
        let grouped = source.aggregate([CountAll().as("n"), Field("a").sum().as("n")], groups: twice)
        #expect(
            isConstructionFault(await failure { try await grouped.execute() }, "Duplicate alias 'n' found in accumulators. \(text)"))
    }

    @Test func `names are compared by their bytes`() {
        #expect(fault(of: source.select([Field("a").as("e\u{301}"), Field("b").as("\u{E9}")])) == nil)
    }

    @Test func `mistakes in parts are mistakes of the whole, once each`() async {
        let part = source.select(["x", "x"]).toArrayExpression()
        let whole = source.addFields([part.as("a"), part.arrayLength().as("b")]).where(part.equal(part))
        let text = "Duplicate alias 'x' found in selectables."
        #expect(isConstructionFault(await failure { try await whole.execute() }, text))
        #expect(isConstructionFault(await failure { try await source.union(with: source.select(["x", "x"])).execute() }, text))
        #expect(isConstructionFault(await failure { _ = try await whole.explain() }, text))
        #expect(isConstructionFault(await failure { for try await _ in whole.results() {} }, text))
    }

    @Test func `a pipeline without a database is not executed`() async {
        for pipeline in [Subcollection("log"), Subcollection("log").limit(1)] {
            let error = await failure { try await pipeline.execute() } as NSError?
            #expect(error?.domain == "com.google.firebase.firestore" && error?.code == 3)
        }
        // A crash in the Apple SDK.
        let union = await failure { try await source.union(with: Subcollection("log")).execute() } as NSError?
        #expect(union?.domain == "com.google.firebase.firestore" && union?.code == 3)
    }

    @Test func `a malformed field path is an invalid argument`() async {
        for pipeline in [
            source.where(Field("a..b").equal(1)), source.select([""]), source.removeFields(["a/b"]), source.sort([Field("`a").ascending()]),
            source.unnest(Field("l").as("a..b")), source.replace(with: "."), source.where(Field(FieldPath([])).exists()),
        ] {
            let error = await failure { try await pipeline.execute() }
            #expect((error as? FirestoreErrorCode)?.code == .invalidArgument)
        }
    }

    @Test func `a part of another database is an invalid argument`() async {
        let foreign = Scratch.firestore().pipeline().collection("d")
        for pipeline in [source.union(with: foreign), source.addFields([foreign.toArrayExpression().as("d")])] {
            let error = await failure { try await pipeline.execute() }
            #expect((error as? FirestoreErrorCode)?.code == .invalidArgument)
        }
    }

    @Test func `types of other modules are neither expressions nor selections`() async {
        struct Selection: Selectable {}
        let error = await failure { try await source.select([Selection()]).execute() }
        #expect(isFailure(error, .invalidArgument, naming: "Selection"))
    }
}
