// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Strings and bytes: every overload, as an app calls it, and what it sends.
@Suite struct StringTests {
    @Test func `lengths and forms`() {
        check(Field("s").length(), "length(s)")
        check(Field("s").charLength(), "char_length(s)")
        check(Field("s").byteLength(), "byte_length(s)")
        check(Field("s").toLower(), "to_lower(s)")
        check(Field("s").toUpper(), "to_upper(s)")
        check(Field("s").reverse(), "reverse(s)")
        check(Field("s").stringReverse(), "string_reverse(s)")
    }

    @Test func `tests`() {
        check(Field("s").like("a%"), "like(s, \"a%\")")
        check(Field("s").like(Field("p")), "like(s, p)")
        check(Field("s").regexContains("[0-9]+"), "regex_contains(s, \"[0-9]+\")")
        check(Field("s").regexContains(Field("p")), "regex_contains(s, p)")
        check(Field("s").regexMatch("a.*"), "regex_match(s, \"a.*\")")
        check(Field("s").regexMatch(Field("p")), "regex_match(s, p)")
        check(Field("s").stringContains("x"), "string_contains(s, \"x\")")
        check(Field("s").stringContains(Field("x")), "string_contains(s, x)")
        check(Field("s").startsWith("x"), "starts_with(s, \"x\")")
        check(Field("s").startsWith(Field("x")), "starts_with(s, x)")
        check(Field("s").endsWith("x"), "ends_with(s, \"x\")")
        check(Field("s").endsWith(Field("x")), "ends_with(s, x)")
    }

    @Test func `parts and positions`() {
        check(Field("s").regexFind("a"), "regex_find(s, \"a\")")
        check(Field("s").regexFind(Field("p")), "regex_find(s, p)")
        check(Field("s").regexFindAll("a"), "regex_find_all(s, \"a\")")
        check(Field("s").regexFindAll(Field("p")), "regex_find_all(s, p)")
        check(Field("s").split(delimiter: ","), "split(s, \",\")")
        check(Field("s").split(delimiter: Field("d")), "split(s, d)")
        check(Field("s").stringIndexOf("x"), "string_index_of(s, \"x\")")
        check(Field("s").stringIndexOf(Field("x")), "string_index_of(s, x)")
        check(Field("s").substring(position: 3), "substring(s, 3)")
        check(Field("s").substring(position: 3, length: 2), "substring(s, 3, 2)")
        check(Field("s").substring(position: Field("n")), "substring(s, n)")
        check(Field("s").substring(position: Field("n"), length: Field("m")), "substring(s, n, m)")
    }

    @Test func `ends`() {
        check(Field("s").trim(), "trim(s)")
        check(Field("s").trim("x"), "trim(s, \"x\")")
        check(Field("s").trim(Field("x")), "trim(s, x)")
        check(Field("s").ltrim(), "ltrim(s)")
        check(Field("s").ltrim("x"), "ltrim(s, \"x\")")
        check(Field("s").ltrim(Field("x")), "ltrim(s, x)")
        check(Field("s").rtrim(), "rtrim(s)")
        check(Field("s").rtrim("x"), "rtrim(s, \"x\")")
        check(Field("s").rtrim(Field("x")), "rtrim(s, x)")
    }

    @Test func `new strings`() {
        check(Field("s").stringRepeat(2), "string_repeat(s, 2)")
        check(Field("s").stringRepeat(Field("n")), "string_repeat(s, n)")
        check(Field("s").stringReplaceAll("a", with: "b"), "string_replace_all(s, \"a\", \"b\")")
        check(Field("s").stringReplaceAll(Field("a"), with: Field("b")), "string_replace_all(s, a, b)")
        check(Field("s").stringReplaceOne("a", with: "b"), "string_replace_one(s, \"a\", \"b\")")
        check(Field("s").stringReplaceOne(Field("a"), with: Field("b")), "string_replace_one(s, a, b)")
        check(Field("s").stringConcat([Field("a"), Constant("-")]), "string_concat(s, a, \"-\")")
        check(Field("s").stringConcat(["-", Field("a")]), "string_concat(s, \"-\", a)")
        check(Field("s").concat(["-", Field("a")]), "concat(s, \"-\", a)")
    }
}
