// SPDX-License-Identifier: Apache-2.0
@testable import FirestoreArchive
import TestSupport
import Testing

/// Answers in XML, from S3 and from strangers. // OT-57
struct S3AnswerTests {
    private static let listing = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a page -->
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/" note='a > b'>
          <Name>box</Name><Prefix/><IsTruncated>true</IsTruncated>
          <Contents><Key>a &lt;&amp;&gt; &quot;b&#39;&#x20;&apos;</Key><Size>12</Size><Owner><ID>o</ID></Owner></Contents>
          <s3:Contents><s3:Key><![CDATA[c & <d>]]></s3:Key><s3:Size> 3</s3:Size></s3:Contents>
          <NextContinuationToken>t==</NextContinuationToken>
        </ListBucketResult>

        """

    @Test func `a listing is read`() throws {
        let read = try #require(S3Listing(Array(Self.listing.replacing(" 3<", with: "3<").utf8)))
        #expect(read.objects == [ArchiveObject(name: "a <&> \"b' '", size: 12), ArchiveObject(name: "c & <d>", size: 3)])
        #expect(read.continuation == "t==")
    }

    @Test func `an error is read, in one printable line`() throws {
        let text = "\u{FEFF}<Error><Code>AccessDenied</Code><Message>not\nyou\u{1B}</Message><Region>eu-test-1</Region><RequestId>1</RequestId></Error>"
        let read = try #require(S3ErrorAnswer(Array(text.utf8)))
        #expect(read.code == "AccessDenied" && read.message == "not you " && read.region == "eu-test-1")
    }

    @Test(arguments: [
        "", " ", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a>&nbsp;</a>", "<a>&", "<a>&#xD800;</a>", "<a>&#99999999999;</a>", "<a", "<>", "<a><",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<!-- ", "<![CDATA[a]]>", "<a><![CDATA[b]]</a>", "<a/>b", "<a b='>", "<a <b>></a>", "<1/>",
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17), "<a>" + String(repeating: "<b/>", count: 50_000) + "</a>",
    ])
    func `what is not XML of this kind is refused`(text: String) {
        #expect(XMLReader.read(Array(text.utf8)) == nil, "\(text.prefix(80))")
    }

    @Test(arguments: [
        "<a/>", "<ListBucketResult/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<ListBucketResult><IsTruncated>maybe</IsTruncated></ListBucketResult>",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
    ])
    func `what is not a whole listing is refused`(text: String) { #expect(S3Listing(Array(text.utf8)) == nil) }

    @Test(arguments: ["<Error/>", "<Error><Code></Code></Error>", "<Error><Code>a b</Code></Error>", "<Wrong><Code>A</Code></Wrong>"])
    func `what is not an error is refused`(text: String) { #expect(S3ErrorAnswer(Array(text.utf8)) == nil) }

    @Test func `every beginning of a listing is refused, and no change of bytes ends the process`() {
        let whole = Array(Self.listing.replacing(" 3<", with: "3<").utf8)
        let end = whole.lastIndex(of: UInt8(ascii: ">")) ?? 0
        for count in 0..<end { #expect(S3Listing(Array(whole[..<count])) == nil) }
        var generator = SeededGenerator(seed: 57)
        for _ in 0..<TestScale.pick(quick: 2_000, full: 100_000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: at)
                default: bytes.insert("<>&;/\"'!-[]".utf8.randomElement(using: &generator) ?? 0, at: at)
                }
            }
            if let read = S3Listing(bytes) { #expect(read.objects.allSatisfy { $0.size >= 0 } && read.continuation != "") }
            if let read = S3ErrorAnswer(bytes) { #expect(!read.code.isEmpty) }
        }
    }
}
