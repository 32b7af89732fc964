// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRules

/// Methods and functions, by type (SR-70 … SR-75 and the tables around them).
struct LibraryTests {
    static let conversions: [ConditionRow] = [
        .init("string(true) == 'true'", .holds), .init("string(1) == '1'", .holds), .init("string(1.0) == '1.0'", .holds), .init("string(100000000.0) == '1.0E8'", .holds),
        .init("string(0.1) == '0.1'", .holds), .init("string(12345678901234567890.0) == '1.2345678901234567E19'", .holds), .init("string(0.001) == '0.001'", .holds),
        .init("string(0.00099) == '9.9E-4'", .holds), .init("string(1234567.5) == '1234567.5'", .holds), .init("string(0.0 / 0) == 'NaN'", .holds), .init("string(-1.0 / 0) == '-Infinity'", .holds),
        .init("string(-0.0) == '-0.0'", .holds), .init("string(null) == 'null'", .holds), .init("string('a') == 'a'", .holds), .init("string(/a/b) == '/a/b'", .holds),
        .init("string([1]) == ''", .error("Received: string(list)")), .init("string({}) == ''", .error("string(map)")), .init("string(b'a') == 'a'", .error("string(bytes)")),
        .init("int(1.9) == 1 && int(-1.9) == -1", .holds), .init("int(9300000000000000000.0) == 9223372036854775807", .holds), .init("int('-12') == -12 && int('+5') == 5", .holds),
        .init("int('1.5') == 1", .error("Type conversion error. Argument: [1.5], From type: [string], To type: [int].")), .init("int(' 1') == 1", .error("Type conversion")),
        .init("int('a') == 1", .error("Argument: [a]")), .init("int(true) == 1", .error("int(bool)")), .init("int(null) == 1", .error("Null value")), .init("int(0.0 / 0) == 0", .holds),
        .init("float(1) == 1.0 && float(1) is float", .holds), .init("float('1e3') == 1000", .holds), .init("math.isNaN(float('NaN'))", .holds), .init("float('-Infinity') < 0", .holds),
        .init("float('x') == 1", .error("Type conversion")), .init("float('inf') == 1", .error("Type conversion")), .init("float('5.') == 5 && float(' .5 ') == 0.5", .holds),
        .init("path('a/b') == /a/b && path('/a/b') == /a/b", .holds), .init("path('') == /a", .error("Type conversion")), .init("path('/a//b') == /a", .error("Type conversion")),
        .init("path('/a/') == /a", .error("Type conversion")), .init("bool('true')", .error("Function not found error: Name: [bool].")), .init("list(1) == [1]", .error("Function not found")),
    ]

    static let strings: [ConditionRow] = [
        .init("'abc'.size() == 3 && '😀'.size() == 2 && 'é'.size() == 1", .holds), .init("'AbÄ'.lower() == 'abÄ'", .holds), .init("'abä'.upper() == 'ABä'", .holds), .init("' a b\\t'.trim() == 'a b'", .holds),
        .init("'\\u00a0a'.trim() == '\\u00a0a'", .holds), .init("'abc'.matches('b')", .fails), .init("'abc'.matches('.*b.*')", .holds), .init("'a\\nb'.matches('a.b')", .fails), .init("'😀'.matches('.')", .holds),
        .init("'ABC'.matches('(?i)abc')", .holds), .init("'a1_'.matches('\\\\w+')", .holds), .init("'ä'.matches('\\\\w')", .fails), .init("'ä'.matches('\\\\pL')", .holds),
        .init("'x9'.matches('[[:alpha:]][[:digit:]]')", .holds),
        .init("'a.b'.matches('\\\\Qa.b\\\\E')", .holds), .init("'ab'.matches('(?P<n>a)(?<m>b)')", .holds), .init("'a'.matches('(' + 'a')", .error("Invalid regular expression pattern. Pattern: (a.")),
        .init("'a'.matches(1)", .error("Unsupported operation error. Received: string.matches(int). Expected: string.matches(string).")), .init("'aab'.replace('a+', 'x') == 'xb'", .holds),
        .init("'aab'.replace('(', 'x') == 'aab'", .error("Invalid regular expression pattern. Pattern: (.")), .init("'aab'.replace('(?=a)a', 'x') == 'aab' || true", .holds),
        .init("'ab'.replace('(a)(b)', '$2$1') == 'ba'", .holds), .init("'a'.replace('a', '\\\\1') == '1'", .holds), .init("'abc'.replace('', '-') == '-a-b-c-'", .holds), .init("'a,b'.split(',') == ['a', 'b']", .holds),
        .init("',a,'.split(',') == ['', 'a']", .holds), .init("''.split(',') == ['']", .holds), .init("'abc'.split('') == ['', 'a', 'b', 'c']", .holds), .init("'a1b22c'.split('[0-9]+') == ['a', 'b', 'c']", .holds),
        .init("'ä'.toUtf8() == b'\\xc3\\xa4'", .holds), .init("'abc'.contains('b')", .error("Name: [contains]")), .init("'abc'.startsWith('a')", .error("Name: [startsWith]")),
        .init("'a'.join('b') == 'ab'", .error("Name: [join]")),
        .init("'\\x41\\102\\u0043\\'\\\"\\\\' == \"ABC'\\\"\\\\\"", .holds), .init("b'\\xff' == b'\\377'", .holds), .init("'\\uD83D\\uDE00' == '😀'", .holds), .init("\"it's\" == 'it\\'s'", .holds),
    ]

    static let bytes: [ConditionRow] = [
        .init("b'abc'.size() == 3", .holds), .init("b'\\xff\\xfe'.toBase64() == '__4='", .holds), .init("b'\\xff\\xfa'.toHexString() == 'FFFA'", .holds), .init("b'abc'.toBase64() == 'YWJj'", .holds),
        .init("b'ä'.size() == 2", .holds),
    ]

    static let lists: [ConditionRow] = [
        .init("[1, 2].size() == 2", .holds), .init("[1].concat([2]) == [1, 2]", .holds), .init("[1].concat([2].toSet()) == [1, 2]", .error("list.concat(set)")), .init("[1, 2].hasAny([2, 3])", .holds),
        .init("[1, 2].hasAny([])", .fails),
        .init("[1, 2].hasAny([1].toSet())", .error("Unsupported operation error. Received: list.hasAny(set). Expected: list.hasAny(list)")), .init("[1, 2].hasAll([])", .holds),
        .init("[1, 2].hasAll([2, 1, 1])", .holds),
        .init("[1, 2].hasAll([1, 3])", .fails), .init("[].hasOnly(['x'])", .holds), .init("[1, 1].hasOnly([1, 2])", .holds), .init("[1, 3].hasOnly([1, 2])", .fails), .init("[1].hasAny([1.0])", .fails),
        .init("[1, 2, 1].removeAll([1]) == [2]", .holds), .init("[1, 'a', null, true, 1.5].join(',') == '1,a,null,true,1.5'", .holds), .init("[[1]].join(',') == ''", .error("string(list)")),
        .init("[2, 1, 2].toSet().size() == 2", .holds), .init("[1, 2].foo() == 1", .error("Function not found error: Name: [foo].")),
        .init("[1].size(1) == 1", .error("Incorrect number of arguments")), .init("resource.data.l.hasAll([1, 2])", .holds),
        .init("'" + Array(repeating: "a", count: 30).joined(separator: ",") + "'.split(',').hasOnly(['a'])", .holds), .init("'1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18'.split(',').hasAll(['18', '1'])", .holds),
        .init("'1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18'.split(',').hasAny(['19', 18])", .fails),
    ]

    static let sets: [ConditionRow] = [
        .init("[1, 2].toSet().hasAny([1])", .holds), .init("[1, 2].toSet().hasAll([1.0].toSet())", .holds), .init("[1, 2].toSet().hasOnly([1, 2, 3])", .holds),
        .init("[1].toSet().union([2].toSet()) == [2, 1].toSet()", .holds),
        .init("[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()", .holds), .init("[1, 2].toSet().difference([2].toSet()) == [1].toSet()", .holds),
        .init("[1].toSet().union([2]) == [1, 2].toSet()", .error("set.union(list)")),
        .init("[1].toSet().toSet().size() == 1", .error("Name: [toSet]")), .init("[1].toSet().join(',') == ''", .error("Name: [join]")), .init("[1].toSet().size() == 1", .holds),
    ]

    static let maps: [ConditionRow] = [
        .init("{'b': 1, 'a': 2}.keys() == ['a', 'b'] && {'b': 1, 'a': 2}.values() == [2, 1]", .holds), .init("{}.size() == 0", .holds), .init("{'a': null}.get('a', 1) == null", .holds),
        .init("{'a': 1}.get('b', 2) == 2", .holds),
        .init("{'a': {'b': 1}}.get(['a', 'b'], 0) == 1", .holds), .init("{'a': {'b': 1}}.get(['a', 'c'], 7) == 7", .holds), .init("{'a': 1}.get(['a', 'c'], 7) == 7", .holds),
        .init("{'a': 1}.get([], 7) == {'a': 1}", .holds),
        .init("{'a': 1}.get([1], 7) == 7", .error("Type error")), .init("{'a': 1}.get('a') == 1", .error("Incorrect number of arguments")), .init("{'a': 1}.get(1, 2) == 1", .error("map.get(int, int)")),
        .init("{'a': 1, 'b': 2, 'c': {'x': 1}}.diff({'a': 1, 'b': 3, 'd': 4}).affectedKeys() == ['b', 'c', 'd'].toSet()", .holds), .init("{'a': 1, 'b': 2}.diff({'a': 1, 'd': 4}).addedKeys() == ['b'].toSet()", .holds),
        .init("{'a': 1}.diff({'a': 1, 'd': 4}).removedKeys() == ['d'].toSet()", .holds), .init("{'a': {'x': 1}}.diff({'a': {'x': 2}}).changedKeys() == ['a'].toSet()", .holds),
        .init("{'a': 1}.diff({'a': 1.0}).unchangedKeys() == ['a'].toSet()", .holds),
        .init("resource.data.keys().hasAll(['n', 'owner'])", .holds), .init("resource.data.m.get('k', 0) == 1", .holds), .init("{}.diff(1).addedKeys().size() == 0", .error("map.diff(int)")),
    ]

    static let times: [ConditionRow] = [
        .init("timestamp.date(2024, 3, 3).dayOfWeek() == 7 && timestamp.date(2024, 3, 4).dayOfWeek() == 1", .holds),
        .init("timestamp.date(2024, 2, 30) == timestamp.value(0)", .error("Date is not valid. year: 2024, month: 2 day: 30.")),
        .init("timestamp.date(2023, 2, 29) == timestamp.value(0)", .error("not valid")), .init("timestamp.date(2024, 2, 29).dayOfYear() == 60", .holds),
        .init("timestamp.date(10000, 1, 1) == timestamp.value(0)", .error("not valid")),
        .init("timestamp.date(1, 1, 1).year() == 1 && timestamp.date(1, 1, 1).dayOfWeek() == 1", .holds), .init("timestamp.value(-1).nanos() == 999000000 && timestamp.value(-1).seconds() == 59", .holds),
        .init("timestamp.value('2024-01-02T03:04:05.678Z').toMillis() == 1704164645678", .holds), .init("timestamp.value('x') == timestamp.value(0)", .error("Type conversion error")),
        .init("timestamp.value(9223372036854775807) == timestamp.value(0)", .error("out of range")),
        .init("timestamp.value('2024-01-02T03:04:05Z').hours() == 3 && timestamp.value('2024-01-02T03:04:05Z').minutes() == 4", .holds),
        .init("timestamp.value('2024-01-02T03:04:05Z').date() == timestamp.date(2024, 1, 2)", .holds),
        .init("timestamp.value('2024-01-02T03:04:05Z').time() == duration.time(3, 4, 5, 0)", .holds), .init("timestamp.date(2024, 5, 6).month() == 5 && timestamp.date(2024, 5, 6).day() == 6", .holds),
        .init("timestamp.value(1.5) == timestamp.value(1)", .error("timestamp.value(float)")),
        .init("duration.value(1, 'w') == duration.value(7, 'd')", .holds), .init("duration.value(1, 'us') == duration.value(1, 's')", .error("us")),
        .init("duration.value(-1500, 'ms').seconds() == -1 && duration.value(-1500, 'ms').nanos() == -500000000", .holds),
        .init("duration.time(1, -1, 0, 5).seconds() == 3540 && duration.time(1, -1, 0, 5).nanos() == 5", .holds), .init("duration.abs(duration.value(-5, 'ns')) == duration.value(5, 'ns')", .holds),
        .init("duration.value(9223372036854775807, 'h') == duration.value(1, 's')", .error("out of range")),
        .init("request.time > timestamp.date(2024, 1, 1) && request.time.year() == 2025", .holds),
    ]

    static let places: [ConditionRow] = [
        .init("latlng.value(0, 0).distance(latlng.value(0, 1)) > 111195.083 && latlng.value(0, 0).distance(latlng.value(0, 1)) < 111195.084", .holds),
        .init("latlng.value(91, 0) == latlng.value(0, 0)", .error("±90")), .init("latlng.value(0, -181) == latlng.value(0, 0)", .error("±180")),
        .init("latlng.value(48.8566, 2.3522).distance(latlng.value(51.5074, -0.1278)) > 343556.54 && latlng.value(48.8566, 2.3522).distance(latlng.value(51.5074, -0.1278)) < 343556.55", .holds),
        .init("latlng.value(1, 2).latitude() is float && latlng.value(1, 2).longitude() == 2", .holds),
    ]

    static let paths: [ConditionRow] = [
        .init("/a/$('b/c') == /a/b/c", .fails), .init("/a/$('b/c')[1] == 'b/c'", .holds), .init("/a/$(1)/$(true)/$(null)/$(1.5) == path('a/1/true/null/1.5')", .holds),
        .init("/a/$(/b/c)/d == /a/b/c/d", .holds), .init("/a/$([1]) == /a", .error("string(list)")),
        .init("string(/a/$('')) == '/a/'", .holds), .init("path('/users/{u}/{a}').bind({'u': 'x', 'a': 1}) == /users/x/1", .holds), .init("path('/u/{x=**}').bind({'x': /a/b}) == /u/a/b", .holds),
        .init("path('/u/{x}').bind({'y': 1}) == /u/1", .error("Variable(s) [y] do not exist in the path template.")),
        .init("path('/u/{x}').bind({'x': ''}) == /u/1", .error("Cannot bind empty value to path template variable x.")), .init("(/a/$(path('/u/{x}/{r=**}').bind({'x': 'q'})))[1:] == /u/q", .holds),
        .init("path('/u/{x}')[0] == 'u'", .error("Variable x is not bound in path template.")), .init("path('/u/{x}')[0:1] == /u", .error("Variable x is not bound in path template.")),
        .init("path('/u/{x}/{y}').bind({'x': 'q'})[1] == 'q'", .holds), .init("path('/u/{x}/{y=**}').bind({'x': 'q'})[2] == 'q'", .error("size: [2]")),
        .init("path('/u/{x}').bind({'x': 'q'})['x'] == 'q'", .holds), .init("path('/u/{x}')['x'] == 'q'", .error("not bound")), .init("(/a/b).size() == 2", .error("Name: [size]")),
        .init("'a' in /a/b", .error("Name: [in]")),
        .init("string(/databases/(default)/documents/a/1) == '/databases/(default)/documents/a/1'", .holds), .init("request.path == /databases/$(db)/documents/a/$(x)", .holds),
        .init("resource.__name__ == request.path && resource.id == '1'", .holds),
    ]

    static let namespaces: [ConditionRow] = [
        .init("math.abs(-5) == 5 && math.abs(-5) is int && math.abs(-1.5) == 1.5", .holds), .init("math.abs(-9223372036854775808) == -9223372036854775808", .holds),
        .init("math.ceil(1.2) == 2.0 && math.floor(-1.2) == -2.0 && math.ceil(1) is float", .holds),
        .init("math.sqrt(9) == 3.0 && math.pow(2, 3) == 8.0 && math.pow(2, 3) is float", .holds),
        .init("math.round(-1.5) == -1 && math.round(2.5) == 3 && math.round(2.4) == 2 && math.round(1.5) is int", .holds), .init("math.round(0.49999999999999994) == 0", .holds),
        .init("math.round(1.0 / 0) == 9223372036854775807", .holds), .init("math.isNaN(0.0 / 0) && !math.isNaN(1)", .holds), .init("math.isInfinite(1.0 / 0) && !math.isInfinite(1)", .holds),
        .init("math.max(1, 2) == 2", .error("Function not found error: Name: [max].")), .init("math.abs('a') == 1", .error("math.abs(string)")),
        .init("hashing.crc32('123456789').toHexString() == '2639F4CB'", .holds), .init("hashing.crc32c('123456789').toHexString() == '839206E3'", .holds),
        .init("hashing.md5('abc').toHexString() == '900150983CD24FB0D6963F7D28E17F72'", .holds),
        .init("hashing.sha256('abc').toHexString() == 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD'", .holds),
        .init("hashing.sha256('').toHexString() == 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'", .holds),
        .init("hashing.sha256(b'abc') == hashing.sha256('abc')", .holds), .init("hashing.sha1('a') == b''", .error("Function not found")), .init("hashing.md5(1) == b''", .error("hashing.md5(int)")),
        .init("debug(1) == 1 && debug(2, 3) == 2", .holds), .init("debug() == 1", .error("Incorrect number of arguments")),
    ]

    @Test(arguments: [conversions, strings, bytes, lists, sets, maps, times, places, paths, namespaces].flatMap { $0 })
    func `methods and functions answer as documented`(row: ConditionRow) throws {
        try row.check()
    }

    /// Lengths around the ends of blocks, against the values of FIPS 180-4's examples and of `sha256sum`.
    static let hashes: [(Int, String)] = [
        (55, "9F4390F8D30C2DD92EC9F095B65E2B9AE9B0A925A5258E241C9F1E910F734318"), (56, "B35439A4AC6F0948B6D6F9E3C6AF0F5F590CE20F1BDE7090EF7970686EC6738A"),
        (64, "FFE054FE7AE0CB6DC65C3AF9B61D5209F439851DB43D0BA5997337DF154668EB"), (119, "31EBA51C313A5C08226ADF18D4A359CFDFD8D2E816B13F4AF952F7EA6584DCFB"),
    ]

    @Test(arguments: hashes)
    func `hashes of long texts`(length: Int, hash: String) throws {
        let text = String(repeating: "a", count: length)
        #expect(try ConditionRow.evaluate("hashing.sha256('\(text)').toHexString() == '\(hash)'") == .holds)
    }
}
