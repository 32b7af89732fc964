// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct PatchTests {
    struct Case {
        let rule: String
        let stored: Value
        let data: Value
        let mask: [String]
        let expected: Value

        init(_ rule: String, _ stored: Value, _ data: Value, _ mask: [String], _ expected: Value) {
            (self.rule, self.stored, self.data, self.mask, self.expected) = (rule, stored, data, mask, expected)
        }
    }

    private static let one = Value.integer(1)
    private static let two = Value.integer(2)

    static let cases: [Case] = [
        Case("WR-5 an empty mask changes nothing", map(("a", one)), map(("a", two)), [], map(("a", one))),
        Case("WR-6 set", map(("a", one), ("b", one)), map(("a", two), ("b", two)), ["a"], map(("a", two), ("b", one))),
        Case("WR-6 delete", map(("a", one), ("b", one)), map(), ["a"], map(("b", one))),
        Case("WR-6 delete what is not there", map(("b", one)), map(), ["a"], map(("b", one))),
        Case("WR-6 a value replaces wholesale", map(("a", map(("x", one)))), map(("a", map(("y", one)))), ["a"], map(("a", map(("y", one))))),
        Case("nested set keeps siblings", map(("a", map(("x", one)))), map(("a", map(("y", two)))), ["a.y"], map(("a", map(("x", one), ("y", two))))),
        Case("WR-7 missing parent", map(), map(("a", map(("b", map(("c", one)))))), ["a.b.c"], map(("a", map(("b", map(("c", one))))))),
        Case("WR-7 scalar parent is lost", map(("a", one)), map(("a", map(("b", two)))), ["a.b"], map(("a", map(("b", two))))),
        Case("WR-7 array parent is lost", map(("a", .array([one]))), map(("a", map(("b", two)))), ["a.b"], map(("a", map(("b", two))))),
        Case("WR-7 vector parent is lost", map(("a", .vector([1]))), map(("a", map(("b", two)))), ["a.b"], map(("a", map(("b", two))))),
        Case("WR-8 last key leaves an empty map", map(("a", map(("b", one)))), map(), ["a.b"], map(("a", map()))),
        Case("WR-8 missing parent stays missing", map(("z", one)), map(), ["a.b"], map(("z", one))),
        Case("WR-8 scalar parent stays", map(("a", one)), map(), ["a.b"], map(("a", one))),
        Case("sets and deletes below one parent", map(("a", map(("x", one), ("y", one)))), map(("a", map(("z", two)))), ["a.x", "a.z"], map(("a", map(("y", one), ("z", two))))),
        Case("a delete beside a set makes no difference to WR-7", map(("a", one)), map(("a", map(("z", two)))), ["a.x", "a.z"], map(("a", map(("z", two))))),
        Case("WR-9 a field twice", map(("a", one), ("b", one)), map(("a", two)), ["a", "b", "a"], map(("a", two))),
        Case("WR-9 the outer field wins", map(("a", map(("x", one), ("y", one)))), map(("a", map(("x", two)))), ["a.x", "a", "a.y.z"], map(("a", map(("x", two))))),
        Case("WR-9 the outer field is taken out", map(("a", map(("x", one), ("y", one))), ("a-", one)), map(), ["a.x", "a-", "a"], map()),
        Case("names sort by bytes", map(("b", one), ("B", one), ("é", one)), map(("a", two), ("z", two), ("A", two)), ["z", "A", "a"], map(("A", two), ("B", one), ("a", two), ("b", one), ("z", two), ("é", one))),
    ]

    @Test(arguments: cases.indices)
    func `patches follow their mask`(index: Int) throws {
        let test = Self.cases[index]
        let write = Write(
            key: DocumentKey(trusted: "c/1"),
            operation: .patch(bytes(test.data), mask: test.mask.map { path($0) }))
        let stored = Document(
            key: write.key, createTime: .none, updateTime: .none, fields: bytes(test.stored))
        let applied = try WriteApplication.apply(write, to: stored, at: WriteApplicationTests.times, in: database)
        #expect(applied.document?.fields == bytes(test.expected), "\(test.rule)")
    }

    @Test func `an empty patch of a missing document creates an empty one`() throws {  // WR-5, WR-30
        let applied = try WriteApplicationTests.apply(.patch(.empty, mask: []), to: nil)
        #expect(applied.document?.fields == .empty)
    }

    private func bytes(_ value: Value) -> FieldBytes {
        guard case .map(let map) = value else { return .empty }
        return FieldBytes(map)
    }
}
