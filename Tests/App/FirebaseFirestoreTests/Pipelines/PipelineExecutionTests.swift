// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import ModeSupport
import Testing

/// How a pipeline is executed: source, moment, atomicity, explanations.
@Suite struct PipelineExecutionTests {
    private let row = PipelineRow(fields: FieldBytes(FieldMap()))

    @Test func `the source, the moment and the atomicity are those of the call`() async throws {
        let script = PipelineScript([[row]])
        let pipeline = script.firestore().pipeline().collection("c").limit(1)
        try await pipeline.execute()
        try await pipeline.execute(source: .cache)
        try await pipeline.execute(source: .server)
        try await pipeline.execute(at: Timestamp(seconds: 9, nanoseconds: 2000))
        try await pipeline.update().execute(atomic: true)
        let all = script.executions
        #expect(all.map(\.source) == [.default, .cache, .server, .server, .default])
        #expect(all[0].text == "collection(/c)\nlimit(1)" && all[4].text == "collection(/c)\nlimit(1)\nupdate()")
        #expect(all[0].options == .latest && all[1].options == .latest)
        #expect(all[3].options == PipelineOptions(.past(DocumentVersion(microseconds: 9_000_002))))
        #expect(all[4].options == PipelineOptions(isAtomic: true))
    }

    @Test func `a moment is that of its whole microseconds`() async throws {
        let script = PipelineScript([[row]])
        let pipeline = script.firestore().pipeline().collection("c")
        try await pipeline.execute(at: Timestamp(seconds: 9, nanoseconds: 2_999))
        #expect(script.executions.map(\.options) == [PipelineOptions(.past(DocumentVersion(microseconds: 9_000_002)))])
        let error = await failure { try await pipeline.execute(at: Timestamp(seconds: .max, nanoseconds: 2)) }
        #expect(isFailure(error, .invalidArgument) && script.executions.count == 1)
    }

    @Test func `errors of the execution are those of Firestore`() async {
        let script = PipelineScript([[row]], failing: FirestoreError(.invalidArgument, "there is no stage “nonsense”"))
        let error = await failure { try await script.firestore().pipeline().database().rawStage(name: "nonsense", params: []).execute() }
        #expect(isFailure(error, .invalidArgument, naming: "nonsense"))
    }

    @Test func `an explanation is a text`() async throws {
        let pipeline = PipelineScript([]).firestore().pipeline().database()
        #expect(try await pipeline.explain().text == "ran database() from default")
        #expect("\(try await pipeline.explain(analyze: false, source: .cache))" == "planned database() from cache")
    }
}
