// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

@Suite struct LargeResultTests {
    @Test(arguments: [40, 300]) func `documents of a result have the state that they have alone`(count: Int) throws {
        let cache = try CacheFixture()
        try cache.hear((0..<count).map { RemoteDocument.found("c/\($0)", 8) } + [.found("d/1", 8)], at: 8)
        try cache.write(.set("c/1", ("n", .integer(1))))
        try cache.write(.set("c/2", ("n", .integer(2))))
        try cache.write(.delete("c/3"))
        try cache.write(.set("d/1", ("n", .integer(4))))
        try cache.acknowledge(at: 9)
        let result = try cache.store.run(.collection("c"))
        #expect(result.count == count - 1)
        let alone = try cache.store.documents(result.map(\.key))
        #expect(result.map(\.state) == alone.map(\.state))
        #expect(result.filter(\.hasCommittedMutations).map(\.key.id) == ["1"])
        #expect(result.filter(\.hasLocalMutations).map(\.key.id) == ["2"])
        try cache.store.close()
    }
}
