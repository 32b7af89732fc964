// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Names of pipelines beyond those of stages and functions.
@Suite(.only(.pipelines)) struct PipelineNameTests {
    let db = Scratch.firestore()

    @Test func `a snapshot is a collection of its rows, and limits and offsets are integers of any size`() async throws {
        for number in 0..<4 { try await db.document("c/\(number)").setData(["n": number]) }
        let (skipped, most): (Int, Int) = (1, 2)
        let sorted = db.pipeline().collection("c").sort([Field("n").ascending()])
        let snapshot = try await sorted.offset(skipped).limit(most).execute()
        #expect(snapshot.count == 2 && snapshot.first?.get("n") as? Int == 1 && snapshot[1].get("n") as? Int == 2)
        var numbers: [Int] = []
        for row in snapshot { numbers.append(row.get("n") as? Int ?? -1) }
        #expect(numbers == [1, 2] && snapshot.map(\.id) == ["1", "2"])
        #expect(try await sorted.limit(Int32(3)).execute().count == 3)
        #expect(try await sorted.limit(Int.max).execute().count == 4)
    }

    @Test func `options say whether a pipeline writes all or nothing`() async throws {
        try await db.document("c/1").setData(["n": 1])
        let options = ExecuteOptions(isAtomic: true)
        #expect(options == Pipeline.ExecuteOptions(isAtomic: true) && !ExecuteOptions().isAtomic)
        #expect(try await db.pipeline().collection("c").execute(options).count == 1)
    }

    @Test func `rows of an earlier moment come one after the other`() async throws {
        let document = db.document("c/1")
        try await document.setData(["n": 1])
        let time = try #require(try await document.getDocument().updateTime)
        try await document.setData(["n": 2])
        try await db.document("c/2").setData(["n": 3])
        let pipeline = db.pipeline().collection("c").sort([Field("n").ascending()])
        var rows: [Int] = []
        for try await row in pipeline.results(at: time) { rows.append(row.get("n") as? Int ?? -1) }
        #expect(rows == [1])
        rows = []
        for try await row in pipeline.results() { rows.append(row.get("n") as? Int ?? -1) }
        #expect(rows == [2, 3])
        let future = Timestamp(seconds: time.seconds + 1_000_000, nanoseconds: 0)
        let error = await failure { for try await _ in pipeline.results(at: future) {} }
        #expect(isFailure(error, .invalidArgument))
    }

    @Test func `mistakes of construction are invalid arguments, and say what is wrong`() async throws {
        let wrong = db.pipeline().collection("c").select([Field("x"), Field("y").as("x")])
        do {
            try await wrong.execute()
            Issue.record("no error")
        } catch FirestoreErrorCode.invalidArgument {}
        let error = try #require(await failure { try await wrong.execute() })
        #expect((error as? FirestoreErrorCode)?.code == .invalidArgument)
        #expect(FirestoreErrorCode(_nsError: error as NSError).localizedDescription == "Duplicate alias 'x' found in selectables.")
        let alone = await failure { try await Subcollection("log").execute() }
        #expect((alone as NSError?)?.localizedDescription.contains("This pipeline was created without a database") == true)
    }
}
