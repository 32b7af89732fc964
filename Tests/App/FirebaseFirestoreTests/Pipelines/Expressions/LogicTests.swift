// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Logical operators and free functions: as an app calls them, and what they send.
@Suite struct LogicTests {
    private let a = Field("a").equal(1)
    private let b = Field("b").equal(2)
    private let c = Field("c").exists()

    @Test func `operators combine conditions`() {
        check(a && b, "and(equal(a, 1), equal(b, 2))")
        check(a || b, "or(equal(a, 1), equal(b, 2))")
        check(a ^ b, "xor(equal(a, 1), equal(b, 2))")
        check(!a, "not(equal(a, 1))")
        check(!(a && b) || c, "or(not(and(equal(a, 1), equal(b, 2))), exists(c))")
        check(nor(a, b, c), "nor(equal(a, 1), equal(b, 2), exists(c))")
        check(nor([a, b]), "nor(equal(a, 1), equal(b, 2))")
    }

    @Test func `a chain of one operator is one call`() {
        check(a && b && c, "and(equal(a, 1), equal(b, 2), exists(c))")
        check(a || b || c, "or(equal(a, 1), equal(b, 2), exists(c))")
        check(a ^ b ^ c, "xor(equal(a, 1), equal(b, 2), exists(c))")
        check(a && (b && c), "and(equal(a, 1), and(equal(b, 2), exists(c)))")
        check(a || b && c, "or(equal(a, 1), and(equal(b, 2), exists(c)))")
    }

    @Test func `hundreds of conditions can be combined in a loop`() throws {
        let many = (1...500).map { Field("n").equal($0) }
        let either = many.dropFirst().reduce(many[0]) { $0 || $1 }
        #expect(text(either).hasPrefix("or(equal(n, 1), equal(n, 2), equal(n, 3), "))
        #expect(text(either).hasSuffix("equal(n, 500))"))
    }

    @Test func `the right side is evaluated when the condition is built, and may throw`() throws {
        struct Missing: Error {}
        func condition() throws -> any BooleanExpression { throw Missing() }
        #expect(throws: Missing.self) { try a && condition() }
        #expect(throws: Missing.self) { try a || condition() }
        #expect(throws: Missing.self) { try a ^ condition() }
    }

    @Test func `any expression serves as a condition`() {
        // PL-204: the Apple SDK accepts these four; here others do not crash.
        check(Field("open").asBoolean() && a, "and(open, equal(a, 1))")
        check(Constant(true).asBoolean(), "true")
        check(a.asBoolean(), "equal(a, 1)")
        check(FunctionExpression(functionName: "is_open", args: [Field("x")]).asBoolean(), "is_open(x)")
        check(Variable("flag").asBoolean(), "$flag")
    }

    @Test func `choices`() {
        check(ConditionalExpression(a, then: Constant("x"), else: Field("y")), "conditional(equal(a, 1), \"x\", y)")
        check(switchOn(a, Constant("x")), "switch_on(equal(a, 1), \"x\")")
        check(switchOn(a, Constant("x"), b, Constant("y"), Constant("z")), "switch_on(equal(a, 1), \"x\", equal(b, 2), \"y\", \"z\")")
    }

    @Test func `ordinary conditions of Swift are not affected`() {
        let (yes, no) = (true, false)
        #expect((yes && !no || no) && yes)
        #expect(5 ^ 3 == 6)
    }
}
