// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive

/// A request to sign, as `vectors.py` of the tests in Python makes them.
struct SigningCall: Decodable {
    var method: String
    var host: String
    var key: String
    var query: [[String]]
    var headers: [[String]]
    var body: String
    var accessKey: String
    var secretKey: String
    var token: String?
    var region: String
    /// Seconds since 1970.
    var time: Int64

    var answer: ArchiveCaller.Answer {
        let path = S3Signature.path(of: key)
        let query = query.map { (name: $0[0], value: $0[1]) }
        var request = S3Signature.Request(method, host: host, path: path, bodyHash: S3Signature.hash(Array(body.utf8)))
        request.query = query
        request.headers = headers.map { (name: $0[0], value: $0[1]) }
        let credentials = S3Credentials(accessKeyID: accessKey, secretAccessKey: secretKey, sessionToken: token)
        let headers = S3Signature(credentials, region: region).headers(for: request, at: time * 1_000_000)
        return ArchiveCaller.Answer(
            headers: Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            target: path + (query.isEmpty ? "" : "?" + S3Signature.query(query)))
    }
}
