// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreEnforcement
@testable import FirestoreRules

/// What no rule speaks of is denied before anything is read.
struct UnspokenReadTests {
    @Test func `documents are not read that no rule speaks of`() async throws {
        let database = try await RuledDatabase("match /a/{x} { allow get; }")
        let flaky = FlakyService(database.engine)
        let service = RuledService(flaky, database.enforcement)
        let keys = (0..<100).map { key("b/\($0)") }
        await expectError(.permissionDenied) { try await service.documents(keys, options: .acknowledged(), context: .anonymous) }
        let pipeline = PipelineRequest(
            [PipelineStage(.documents, keys.map { .value(.reference("/" + $0.path)) })])
        await expectError(.permissionDenied) {
            try await service.execute(pipeline, options: PipelineOptions(.acknowledged()), context: .anonymous) { _ in .next }
        }
        #expect(flaky.plan.withLock { $0.moments.isEmpty })
        #expect(service.denials == 2)
        await database.close()
    }

    @Test func `a list whose caller has left is not proved`() async throws {
        let database = try await RuledDatabase("match /a/{x} { allow list: if resource.data.f1 == 1; }")
        let conditions = (0..<1_000).map { PipelineArgument.call("equal", .field(FieldPathSegments("f\($0)")), .value(.integer(1))) }
        let pipeline = PipelineRequest([
            PipelineStage(.collection, [.value(.reference("/a"))]), PipelineStage(.where, [.function(PipelineFunction("and", conditions))]),
        ])
        var context = RequestContext.anonymous
        context.deadline = ContinuousClock.now - .seconds(1)
        let late = context
        await expectError(.deadlineExceeded) {
            try await database.service.execute(pipeline, options: PipelineOptions(.acknowledged()), context: late) { _ in .next }
        }
        await database.close()
    }
}
