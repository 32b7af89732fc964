// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing
import TestSupport

/// A case that passes must fail when one of its expectations is changed.
struct MutationTests {
    @Test(arguments: SpecFolder.names(in: SpecFolder.chosen))
    func `a changed expectation fails its case`(name: String) throws {
        let file = try SpecFolder.file(name, in: SpecFolder.chosen)
        var random = SeededGenerator(seed: 13)
        for source in file.cases {
            let persistences = SpecPersistence.allCases.filter { SpecFolder.skippingTag(source.tags, on: $0) == nil }
            // What does not pass anyway is reported by its own test.
            guard let persistence = persistences.first, (try? SpecRunner.run(source, on: persistence)) != nil else { continue }
            let mutations = SpecMutations(source).all.shuffled(using: &random)
            for mutation in mutations.prefix(TestScale.pick(quick: 4, full: mutations.count)) {
                var changed = source
                changed.json = mutation.json
                #expect(throws: SpecFailure.self, "\(source.name): \(mutation.what)") {
                    try SpecRunner.run(changed, on: persistence)
                }
            }
        }
    }

    @Test func `every kind of expectation has mutations`() throws {
        let source = SpecSource(name: "all", json: try JSON(Self.everything.utf8))
        let found = SpecMutations(source).all
        for mutation in found { #expect(mutation.json.text() != source.json.text(), "\(mutation.what)") }
        for words in [
            "an event removed", "an event twice", "fromCache", "hasPendingWrites", "version", "value", "hasLocalMutations",
            "hasCommittedMutations", "added becomes modified", "errorCode", "userListen.targetId", "acknowledgedDocs.0",
            "rejectedDocs", "numOutstandingWrites", "writeStreamRequestCount", "watchStreamRequestCount", "activeLimboDocs",
            "enqueuedLimboDocs", "id of a target", "resumeToken", "readTime", "expectedCount", "targetPurpose", "queries.0",
            "expectedSnapshotsInSyncEvents", "expectedWaitForPendingWritesEvents", "isPrimary", "isShutdown", "numActiveClients",
        ] { #expect(found.contains { $0.what.contains(words) }, "nothing changes \(words)") }
        // All of them can be read: what fails is the comparison.
        for mutation in found {
            #expect(throws: Never.self, "\(mutation.what)") { try SpecCase(SpecSource(name: "changed", json: mutation.json)) }
        }
    }

    private static let everything = """
        {"config": {}, "steps": [{"userListen": {"targetId": 2, "query": "a"},
          "expectedSnapshotEvents": [{"query": "a", "errorCode": 0, "fromCache": true, "hasPendingWrites": false,
            "added": [{"key": "a/b", "version": 1, "value": {"c": 1}}]}],
          "expectedState": {"userCallbacks": {"acknowledgedDocs": ["a/b"], "rejectedDocs": []}, "numOutstandingWrites": 1,
            "writeStreamRequestCount": 1, "watchStreamRequestCount": 1, "activeLimboDocs": ["a/b"], "enqueuedLimboDocs": [],
            "isPrimary": true, "isShutdown": false, "numActiveClients": 1,
            "activeTargets": {"2": {"queries": ["a"], "resumeToken": "", "expectedCount": 3}}}}]}
        """
}
