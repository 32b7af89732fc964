// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@Suite struct AutoIDTests {
    @Test func `ids are twenty of sixty-two characters and repeat with their randomness`() throws {  // DM-13
        var generator = SeededGenerator(seed: 1)
        var again = SeededGenerator(seed: 1)
        var seen: Set<Character> = []
        for _ in 0..<200 {
            let id = AutoID.make(using: &generator)
            #expect(id.utf8.count == 20 && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
            #expect(id == AutoID.make(using: &again))
            try PathCheck.documentID(id)
            seen.formUnion(id)
        }
        #expect(seen.count == 62)
        #expect(AutoID.make() != AutoID.make())
    }
}
