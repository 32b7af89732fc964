// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// One of the four requests that an archive makes.
struct S3Request: Sendable {
    enum Method: String { case get = "GET", put = "PUT", delete = "DELETE" }

    let method: Method
    /// The name of an object, with the prefix of the archive; nil for the bucket.
    let key: String?
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    var maximumBytes = 4 << 20
    /// The hash of the body: computed once for all attempts.
    let bodyHash: String

    init(_ method: Method, _ key: String?, body: [UInt8]? = nil) {
        self.method = method
        self.key = key
        self.body = body
        bodyHash = S3Signature.hash(body ?? [])
    }

    /// The request as it is sent, signed for this moment.
    func question(_ settings: S3Settings, _ credentials: S3Credentials) -> HTTPQuestion {
        let endpoint = settings.endpoint
        let path = key.map { "\(endpoint.bucketPath)/\(S3Signature.path(of: $0))" } ?? endpoint.bucketPath + "/"
        let query = query.isEmpty ? "" : "?" + S3Signature.query(query)
        // An answer that comes compressed would not have the bytes that were stored.
        var question = HTTPQuestion(
            usesTLS: endpoint.usesTLS, host: endpoint.host, port: endpoint.port, target: path + query,
            header: ("Accept-Encoding", "identity"))
        question.method = method.rawValue
        question.bytes = body
        question.maximumBytes = maximumBytes
        question.refusesCloudAddresses = true
        question.idlePatience = settings.idlePatience
        question.trust = settings.trust
        var signed = S3Signature.Request(method.rawValue, host: question.authority, path: path, bodyHash: bodyHash)
        signed.query = self.query
        signed.headers = headers
        let signature = S3Signature(credentials, region: settings.region)
        question.otherHeaders = headers + signature.headers(for: signed, at: settings.clock.now())
        return question
    }
}
