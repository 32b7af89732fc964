// SPDX-License-Identifier: Apache-2.0

/// The body of an answer that reports an error.
package struct S3ErrorAnswer: Sendable {
    package let code: String
    package let message: String
    /// Where the bucket is, if the request was signed for another region.
    package let region: String?

    /// nil if the body is not such an answer. The texts are one printable line each.
    package init?(_ body: [UInt8]) {
        guard let root = XMLReader.read(body), root.name == "Error", let code = root["Code"], Self.isCode(code) else { return nil }
        self.code = code
        message = ArchiveName.printable(root["Message"] ?? "")
        region = root["Region"].flatMap { S3Region.isValid($0) ? $0 : nil }
    }

    private static func isCode(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || ".-_0123456789".unicodeScalars.contains($0)) }
    }
}
