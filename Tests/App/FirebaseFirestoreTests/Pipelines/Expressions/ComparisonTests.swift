// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Comparisons and conditions: every overload, as an app calls it, and what it sends.
@Suite struct ComparisonTests {
    @Test func `comparisons take values and expressions`() {
        check(Field("a").equal(1), "equal(a, 1)")
        check(Field("a").equal(Field("b")), "equal(a, b)")
        check(Field("a").equal(Constant.nil), "equal(a, null)")
        check(Field("a").notEqual("x"), "not_equal(a, \"x\")")
        check(Field("a").notEqual(Field("b")), "not_equal(a, b)")
        check(Field("a").greaterThan(1), "greater_than(a, 1)")
        check(Field("a").greaterThan(Field("b")), "greater_than(a, b)")
        check(Field("a").greaterThanOrEqual(1), "greater_than_or_equal(a, 1)")
        check(Field("a").greaterThanOrEqual(Field("b")), "greater_than_or_equal(a, b)")
        check(Field("a").lessThan(1), "less_than(a, 1)")
        check(Field("a").lessThan(Field("b")), "less_than(a, b)")
        check(Field("a").lessThanOrEqual(1), "less_than_or_equal(a, 1)")
        check(Field("a").lessThanOrEqual(Field("b")), "less_than_or_equal(a, b)")
    }

    @Test func `ranges are two comparisons`() {
        check(Field("a").between(1, 5), "and(greater_than_or_equal(a, 1), less_than_or_equal(a, 5))")
        check(Field("a").between(Field("low"), Field("high")), "and(greater_than_or_equal(a, low), less_than_or_equal(a, high))")
    }

    @Test func `lists are values, expressions, or an expression that is an array`() {
        check(Field("a").equalAny([1, 2]), "equal_any(a, array(1, 2))")
        check(Field("a").equalAny([Field("b"), Field("c")]), "equal_any(a, array(b, c))")
        check(Field("a").equalAny([Field("b"), 2]), "equal_any(a, array(b, 2))")
        check(Field("a").equalAny(Field("list")), "equal_any(a, list)")
        let words = ["x", "y"]
        check(Field("a").notEqualAny(words), "not_equal_any(a, array(\"x\", \"y\"))")
        check(Field("a").notEqualAny([Field("b")]), "not_equal_any(a, array(b))")
        check(Field("a").notEqualAny(Field("list")), "not_equal_any(a, list)")
    }

    @Test func `tests of one value`() {
        check(Field("a").exists(), "exists(a)")
        check(Field("a").isAbsent(), "is_absent(a)")
        check(Field("a").isError(), "is_error(a)")
        check(Field("a").isType("number"), "is_type(a, \"number\")")
        check(Field("a").type(), "type(a)")
    }

    @Test func `replacements for errors, nulls and absent values`() {
        check(Field("a").ifError(0), "if_error(a, 0)")
        check(Field("a").ifError(Field("b")), "if_error(a, b)")
        check(Field("a").ifAbsent(0), "if_absent(a, 0)")
        check(Field("a").ifAbsent(Field("b")), "if_absent(a, b)")
        check(Field("a").ifNull(0), "if_null(a, 0)")
        check(Field("a").ifNull(Field("b")), "if_null(a, b)")
        check(Field("a").coalesce([Field("b"), Constant("none")]), "coalesce(a, b, \"none\")")
    }

    @Test func `the largest and the smallest of several values`() {
        check(Field("a").logicalMaximum([Field("b"), Field("c")]), "maximum(a, b, c)")
        check(Field("a").logicalMaximum([1, 2.5]), "maximum(a, 1, 2.5)")
        check(Field("a").logicalMinimum([Field("b")]), "minimum(a, b)")
        check(Field("a").logicalMinimum([1]), "minimum(a, 1)")
    }
}
