// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// What some modes cannot do, they say or show; nothing is left out of the other suites for another reason.
@Suite struct LimitContractTests {
    @Test("a mode fails for everything that the table of modes excludes", arguments: ServiceMode.limits)
    func limits(limit: ServiceMode.Limit) async throws {
        for mode in limit.modes {
            try await ServiceFixture.with(mode) { service in
                let time = try await service.commit(.set("c/a")).commitTime
                let sink = RecordingSink()
                switch limit.ability {
                case .watching:
                    _ = service.watch(.query(.collection("c")), context: .embedded, sink: sink)
                    await eventually("refused") { !sink.errors.isEmpty }
                    #expect(sink.errors.map(\.code) == [.unimplemented] && sink.batches.isEmpty)
                case .timeOfListings:
                    let keys = try await service.documentKeys(in: CollectionPath(trusted: "c"), after: nil, limit: 9, options: .latest, context: .embedded)
                    #expect(keys.readTime == .none && keys.keys.map(\.path) == ["c/a"])
                case .resumingWithKeys:
                    let resumption = WatchResumption(time: time, wantsKeys: true)
                    _ = service.watch(.query(.collection("c")), from: resumption, context: .embedded, sink: sink)
                    await eventually("everything") { sink.paths == ["c/a"] }
                    #expect(sink.batches.first?.basis == .nothing)
                }
            }
        }
    }
}
