// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// How every `DocumentService` lists names.
@Suite struct ListingContractTests {
    private static func fill(_ service: any DocumentService) async throws -> DocumentVersion {
        try await service.commit(
            .set("c/a"), .set("c/b/x/1"), .set("c/d"), .set("c/e/y/1/z/2"), .set("d/1"), .set("e-f/1"), .set("e/1/g/1"), .set("g/2")
        ).commitTime
    }

    @Test("collections below a document, and documents of a collection, the missing ones included", arguments: ServiceMode.allCases)
    func listings(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let then = try await Self.fill(service)
            try await service.commit(.delete("d/1"), .delete("c/b/x/1"), .set("h/1"))
            for moment in [ReadMoment.latest, .past(then)] {
                let isNow = moment == .latest
                let ids = try await service.collectionIDs(under: nil, after: nil, limit: 100, options: ReadOptions(moment), context: .embedded)
                #expect(ids.ids == (isNow ? ["c", "e", "e-f", "g", "h"] : ["c", "d", "e", "e-f", "g"]))
                let keys = try await service.documentKeys(in: CollectionPath(trusted: "c"), after: nil, limit: 100, options: ReadOptions(moment), context: .embedded)
                #expect(keys.keys.map(\.path) == (isNow ? ["c/a", "c/d", "c/e"] : ["c/a", "c/b", "c/d", "c/e"]))
                if mode.can(.timeOfListings) { #expect(ids.readTime == keys.readTime && ids.readTime > .none) }
            }
            let some = try await service.collectionIDs(under: nil, after: "c", limit: 2, options: .latest, context: .embedded)
            #expect(some.ids == ["e", "e-f"])
            let parent = DocumentKey(trusted: "c/e/y/1")
            #expect(try await service.collectionIDs(under: parent, after: nil, limit: 9, options: .latest, context: .embedded).ids == ["z"])
            let behind = try await service.documentKeys(
                in: CollectionPath(trusted: "c"), after: DocumentKey(trusted: "c/a"), limit: 1, options: .latest, context: .embedded)
            #expect(behind.keys.map(\.path) == ["c/d"])
        }
    }

    @Test("partitions are cuts in order, no more than wanted, and all parts together are the whole", arguments: ServiceMode.allCases)
    func partitions(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            _ = try await service.commit((0..<300).map { .set("p/\($0 % 5)/g/\(1_000 + $0)") }, context: .embedded)
            let group = StructuredQuery(scope: .collectionGroup(id: "g", under: nil), orders: [FirestoreCore.SortOrder(path: .documentID)])
            let cuts = try await service.partitions(of: group, count: 6, options: .latest, context: .embedded).keys
            #expect(!cuts.isEmpty && cuts.count <= 6 && cuts == cuts.sorted())
            let bounds = [nil] + cuts.map { Optional($0) } + [nil]
            var paths: [String] = []
            for (lower, upper) in zip(bounds, bounds.dropFirst()) {
                var part = group
                part.start = lower.map { QueryBound(values: [ValueBytes(.reference(ServiceFixture.database.name(of: $0)))], before: true) }
                part.end = upper.map { QueryBound(values: [ValueBytes(.reference(ServiceFixture.database.name(of: $0)))], before: true) }
                paths += try await service.paths(part)
            }
            #expect(paths == (try await service.paths(group)) && paths.count == 300)
            await expectError(.invalidArgument) { try await service.partitions(of: .collection("c"), count: 2, options: .latest, context: .embedded) }
        }
    }
}
