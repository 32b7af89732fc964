// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Maps: every overload, as an app calls it, and what it sends.
@Suite struct MapTests {
    @Test func `entries`() {
        check(Field("m").mapGet("k"), "map_get(m, \"k\")")
        check(Field("m").getField("k"), "get_field(m, \"k\")")
        check(Variable("doc").getField(Field("key")), "get_field($doc, key)")
        check(CurrentDocument().getField("k"), "get_field(current_document(), \"k\")")
        check(Field("m").mapKeys(), "map_keys(m)")
        check(Field("m").mapValues(), "map_values(m)")
        check(Field("m").mapEntries(), "map_entries(m)")
    }

    @Test func `new maps`() {
        check(Field("m").mapRemove("k"), "map_remove(m, \"k\")")
        check(Field("m").mapRemove(Field("key")), "map_remove(m, key)")
        check(Field("m").mapMerge([Field("a"), Field("b")]), "map_merge(m, a, b)")
        check(Field("m").mapMerge([["v": 2, "u": Field("x")]]), "map_merge(m, map(\"u\", x, \"v\", 2))")
        check(Field("m").mapSet("k", 1), "map_set(m, \"k\", 1)")
        check(Field("m").mapSet("k", 1, "l", Field("x")), "map_set(m, \"k\", 1, \"l\", x)")
        check(Field("m").mapSet(Field("k"), Field("v")), "map_set(m, k, v)")
        check(Field("m").mapSet(Constant("k"), Field("v"), Constant("l"), Field("w")), "map_set(m, \"k\", v, \"l\", w)")
    }
}
