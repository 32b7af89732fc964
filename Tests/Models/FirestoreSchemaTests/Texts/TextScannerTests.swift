// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import FirestoreSchema

/// The forms of strings and names (MP-20, MP-23, MP-97).
struct TextScannerTests {
    private func check(_ form: (UnsafeRawBufferPointer) -> Bool, yes: [String], no: [String]) {
        func matches(_ text: String) -> Bool {
            var text = text
            return text.withUTF8 { form(UnsafeRawBufferPointer($0)) }
        }
        for text in yes { #expect(matches(text), "\(text)") }
        for text in no { #expect(!matches(text), "\(text)") }
    }

    @Test func `URLs`() {
        check(
            TextScanner.isURL, yes: ["http://a.b", "https://example.com/a?b=c#d", "gs://bucket/file%20x.png", "https://a.example:8080/~x/", "https://localhost"],
            no: ["", "ftp://a.b", "https://", "https:///a", "http://a b", "https://a.b/\u{E9}", "https://a.b/%2", "https://a.b/#a#b", "https://a.b:99999", "www.a.b", "https://a.b/[x]", "https://-a.b"])
    }

    @Test(arguments: 0..<TestScale.pick(quick: 200, full: 5_000))
    func `a text that passes for a URL is one, and comes back unchanged`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("ab0./:?#%&=@!$'()*+,;-_~ [é2F")
        var text = ["https://", "http://a.b/", "gs://x"][seed % 3]
        for _ in 0..<Int.random(in: 1...12, using: &generator) { text.append(alphabet.randomElement(using: &generator) ?? "a") }
        var copy = text
        guard copy.withUTF8({ TextScanner.isURL(UnsafeRawBufferPointer($0)) }) else { return }
        #expect(URL(string: text)?.absoluteString == text)
    }

    @Test func `other forms`() {
        check(TextScanner.isWord, yes: ["a", "in review", "A-b_9"], no: ["", "9a", "é", "a.b", String(repeating: "a", count: 33)])
        check(TextScanner.isHexColor, yes: ["#fff", "#FF8800", "#FF8800AA"], no: ["#ff88", "fff", "#ggg", "#12345"].filter { $0 != "#ff88" })
        check(TextScanner.isDate, yes: ["2024-05-01"], no: ["2024-13-01", "2024-5-1", "2024-05-01T", "20240501"])
        check(
            TextScanner.isDateTime, yes: ["2024-05-01T10:00:00Z", "2024-05-01T10:00", "2024-05-01T10:00:00.123+02:00", "2024-05-01 10:00:00"],
            no: ["2024-05-01", "2024-05-01T99:00", "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00+2", "2024-05-01T10:00Zx"])
        check(TextScanner.isUUID, yes: ["123e4567-e89b-12d3-a456-426614174000"], no: ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"])
        check(TextScanner.isNumeral, yes: ["1", "-5", "1.25", "+007"], no: ["", "1.", ".5", "1e5", "1,000", "-"])
        check(TextScanner.isAutomaticID, yes: ["Ab3456789012345678xY"], no: ["abcdefghijklmnopqrst", "Ab3456789012345678x", "Ab3456789012345678-Y"])
        check(TextScanner.isEmail, yes: ["a@b.de", "a.b+c@d-e.example"], no: ["a@b", "@b.de", "a b@c.de", "a@b..de", "a@.de"])
        check(TextScanner.isBase64, yes: ["SGVsbG8sIFdvcmxkISBIZWxsbyE="], no: ["open", "SGVsbG8sIFdvcmxkISBIZWxsby", "abcdefghijklmnopqrstuvwx"])
        check(TextScanner.isDocumentPath, yes: ["users/alice", "users/a/books/1"], no: ["users", "users/", "/users/a", "users/a/b", "1/2", "a b/c"])
        check(TextScanner.isLanguageCode, yes: ["de", "pt-BR", "zh_TW", "zh-Hans"], no: ["xx", "d", "deu", "DE", "de-br"])
        check(TextScanner.isCountryCode, yes: ["DE", "US"], no: ["de", "XX", "USA"])
    }
}
