// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import Foundation
import TestSupport
import Testing

/// Signatures compared with botocore's, the library of AWS. // OT-16; `Tests/Clients/archive` compares a thousand.
struct S3SignatureTests {
    /// A row of the fixture, which `python -m archive.vectors` writes.
    private struct Row: Decodable {
        struct Request: Decodable {
            let method, host, key: String
            let query, headers: [[String]]
            let body, accessKey, secretKey: String
            let token: String?
            let region: String
            let time: Int64
        }
        struct Signed: Decodable {
            let target: String
            let headers: [String: String]
        }
        let request: Request
        let signed: Signed
    }

    @Test func `requests are signed as botocore signs them`() throws {
        let file = repositoryRoot.appendingPathComponent("Tests/Server/FirestoreArchiveTests/Fixtures/signatures.json")
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
        #expect(rows.count >= 50)
        for row in rows {
            let given = row.request
            let path = S3Signature.path(of: given.key)
            var request = S3Signature.Request(given.method, host: given.host, path: path, bodyHash: S3Signature.hash(Array(given.body.utf8)))
            request.query = given.query.map { ($0[0], $0[1]) }
            request.headers = given.headers.map { ($0[0], $0[1]) }
            let credentials = S3Credentials(accessKeyID: given.accessKey, secretAccessKey: given.secretKey, sessionToken: given.token)
            let headers = S3Signature(credentials, region: given.region).headers(for: request, at: given.time * 1_000_000)
            #expect(Dictionary(uniqueKeysWithValues: headers.map { ($0.name.lowercased(), $0.value) }) == row.signed.headers)
            #expect(path + (request.query.isEmpty ? "" : "?" + S3Signature.query(request.query)) == row.signed.target)
        }
    }

    /// The example of AWS's own documentation: GET of an object with a range.
    @Test func `the example of the documentation has its signature`() {
        let credentials = S3Credentials(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        var request = S3Signature.Request("GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt", bodyHash: S3Signature.hash([]))
        request.headers = [("Range", "bytes=0-9")]
        let headers = S3Signature(credentials, region: "us-east-1").headers(for: request, at: 1_369_353_600_000_000)
        let authorization = headers.first { $0.name == "Authorization" }?.value
        #expect(authorization?.hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
    }
}
