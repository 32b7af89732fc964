// SPDX-License-Identifier: Apache-2.0
import HearthBase
import Testing

struct PercentEncodingTests {
    @Test(arguments: [("", ""), ("aZ09-._~", "aZ09-._~"), ("a b/c+%", "a%20b%2Fc%2B%25"), ("é😀", "%C3%A9%F0%9F%98%80"), ("\n", "%0A")])
    func `encoded text decodes to itself`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded[...]) == text)
        #expect(PercentEncoding.decodeLeniently(encoded[...]) == text)
    }

    @Test(arguments: [("%", "%"), ("a%4", "a%4"), ("%zz%41", "%zzA"), ("%4g", "%4g"), ("%%41", "%A"), ("%C3", "\u{FFFD}")])
    func `a malformed escape is rejected, or left as it is`(text: String, lenient: String) {
        #expect(PercentEncoding.decode(text[...]) == nil)
        #expect(PercentEncoding.decodeLeniently(text[...]) == lenient)
    }

    @Test func `a plus sign is a blank in queries only`() {
        #expect(PercentEncoding.decodeLeniently("a+b") == "a+b")
        #expect(PercentEncoding.decodeLeniently("a+b%2B", isQuery: true) == "a b+")
    }

    @Test func `a query is taken apart before it is decoded`() {
        let parameters = PercentEncoding.parameters(of: "mask=x&mask=y%20z&empty=&flag&&a=b=c&n%26m=%3D+")
        #expect(parameters.map(\.name) == ["mask", "mask", "empty", "flag", "a", "n&m"])
        #expect(parameters.map(\.value) == ["x", "y z", "", "", "b=c", "= "])
        #expect(PercentEncoding.parameters(of: "").isEmpty)
    }
}
