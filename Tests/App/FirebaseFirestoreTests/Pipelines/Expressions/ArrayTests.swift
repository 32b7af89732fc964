// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Arrays: every overload, as an app calls it, and what it sends.
@Suite struct ArrayTests {
    @Test func `arrays as a whole`() {
        check(Field("l").arrayReverse(), "array_reverse(l)")
        check(Field("l").arrayLength(), "array_length(l)")
        check(Field("l").arrayConcat([Field("m"), Field("n")]), "array_concat(l, m, n)")
        check(Field("l").arrayConcat([[1, 2], [3]]), "array_concat(l, array(1, 2), array(3))")
        check(Field("l").join(delimiter: ", "), "join(l, \", \")")
    }

    @Test func `tests of elements`() {
        check(Field("l").arrayContains("x"), "array_contains(l, \"x\")")
        check(Field("l").arrayContains(Field("x")), "array_contains(l, x)")
        check(Field("l").arrayContainsAll(["x", "y"]), "array_contains_all(l, array(\"x\", \"y\"))")
        check(Field("l").arrayContainsAll([Field("x"), Constant("y")]), "array_contains_all(l, array(x, \"y\"))")
        check(Field("l").arrayContainsAll(Field("m")), "array_contains_all(l, m)")
        check(Field("l").arrayContainsAny(["x", 1]), "array_contains_any(l, array(\"x\", 1))")
        check(Field("l").arrayContainsAny([Field("x")]), "array_contains_any(l, array(x))")
        check(Field("l").arrayContainsAny(Field("m")), "array_contains_any(l, m)")
    }

    @Test func `functions of each element`() {
        check(Field("l").arrayFilter(alias: "e", filter: Variable("e").greaterThan(2)), "array_filter(l, \"e\", greater_than($e, 2))")
        check(Field("l").arrayTransform(elementAlias: "e", transform: Variable("e").multiply(2)), "array_transform(l, \"e\", multiply($e, 2))")
        check(
            Field("l").arrayTransformWithIndex(elementAlias: "e", indexAlias: "i", transform: Variable("e").add(Variable("i"))),
            "array_transform(l, \"e\", \"i\", add($e, $i))")
    }

    @Test func `parts`() {
        check(Field("l").arraySlice(offset: 1), "array_slice(l, 1)")
        check(Field("l").arraySlice(offset: Field("n")), "array_slice(l, n)")
        check(Field("l").arraySlice(offset: 1, length: 2), "array_slice(l, 1, 2)")
        check(Field("l").arraySlice(offset: Field("n"), length: Field("m")), "array_slice(l, n, m)")
        check(Field("l").arraySlice(offset: 1, length: Field("m")), "array_slice(l, 1, m)")
        check(Field("l").arraySlice(offset: Field("n"), length: 2), "array_slice(l, n, 2)")
        check(Field("l").arrayFirst(), "array_first(l)")
        check(Field("l").arrayFirstN(2), "array_first_n(l, 2)")
        check(Field("l").arrayFirstN(Field("n")), "array_first_n(l, n)")
        check(Field("l").arrayLast(), "array_last(l)")
        check(Field("l").arrayLastN(2), "array_last_n(l, 2)")
        check(Field("l").arrayLastN(Field("n")), "array_last_n(l, n)")
        check(Field("l").arrayGet(-1), "array_get(l, -1)")
        check(Field("l").arrayGet(Field("n")), "array_get(l, n)")
    }

    @Test func `positions`() {
        check(Field("l").arrayIndexOf("x"), "array_index_of(l, \"x\", \"first\")")
        check(Field("l").arrayIndexOf(Field("x")), "array_index_of(l, x, \"first\")")
        check(Field("l").arrayLastIndexOf(1), "array_index_of(l, 1, \"last\")")
        check(Field("l").arrayLastIndexOf(Field("x")), "array_index_of(l, x, \"last\")")
        check(Field("l").arrayIndexOfAll(1), "array_index_of_all(l, 1)")
        check(Field("l").arrayIndexOfAll(Field("x")), "array_index_of_all(l, x)")
    }

    @Test func `the largest and the smallest elements`() {
        check(Field("l").arrayMaximum(), "maximum(l)")
        check(Field("l").arrayMinimum(), "minimum(l)")
        check(Field("l").arrayMaximumN(2), "maximum_n(l, 2)")
        check(Field("l").arrayMaximumN(Field("n")), "maximum_n(l, n)")
        check(Field("l").arrayMinimumN(2), "minimum_n(l, 2)")
        check(Field("l").arrayMinimumN(Field("n")), "minimum_n(l, n)")
    }
}
