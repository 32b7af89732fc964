// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// What became clear from one attempt of a request.
enum S3Outcome {
    /// The request was carried out, or S3 said that its condition does not hold or its object does not exist.
    case answered(S3Answer)
    /// Trying again may help. Unless the server itself refused it, the request may have been carried out.
    case transient(reason: String, wasRefused: Bool)
    /// The credentials are not accepted: other ones may be.
    case refused(FirestoreError)
    case failed(FirestoreError)
}

enum S3Answer {
    case success(HTTPAnswer)
    /// There is no object of this name.
    case absent
    /// There is an object of this name.
    case exists
}

extension S3Request {
    /// Judges an answer.
    func outcome(of answer: HTTPAnswer, _ place: S3Diagnosis) -> S3Outcome {
        // A proxy or another kind of server. Its status must not be taken for one of S3: "absent" would be believed.
        if answer.isPage, answer.status < 500 { return .failed(place.notS3(answer)) }
        let error = S3ErrorAnswer(answer.body)
        switch answer.status {
        case 200..<300: return success(answer, place)
        case 404 where error?.code == "NoSuchKey": return .answered(.absent)
        case 412 where method == .put: return .answered(.exists)
        case 408, 429: return .transient(reason: place.reason(answer, error), wasRefused: true)
        case 501: return .failed(place.unsupported(error))
        case 500...: return .transient(reason: place.reason(answer, error), wasRefused: answer.status == 503)
        default: break
        }
        guard let error else { return .failed(place.redirect(answer) ?? place.notS3(answer)) }
        if Self.transientCodes.contains(error.code) { return .transient(reason: place.reason(answer, error), wasRefused: true) }
        let failure = place.failure(answer, error)
        return Self.credentialCodes.contains(error.code) ? .refused(failure) : .failed(failure)
    }

    private static let transientCodes: Set<String> = [
        "RequestTimeout", "SlowDown", "ConditionalRequestConflict", "OperationAborted", "InternalError", "ServiceUnavailable", "BadDigest",
        "IncompleteBody", "XAmzContentSHA256Mismatch", "Throttling", "ThrottlingException", "TooManyRequests",
    ]

    private static let credentialCodes: Set<String> = [
        "ExpiredToken", "ExpiredTokenException", "InvalidToken", "TokenRefreshRequired", "InvalidAccessKeyId", "SignatureDoesNotMatch",
        "AccessDenied",
    ]

    private func success(_ answer: HTTPAnswer, _ place: S3Diagnosis) -> S3Outcome {
        switch method {
        case .delete: return .answered(.success(answer))
        case .put:
            // A server that knows nothing of objects may answer every request with 200.
            return answer.header("etag") == nil ? .failed(place.notS3(answer)) : .answered(.success(answer))
        case .get:
            if let reason = damage(of: answer) { return .transient(reason: reason, wasRefused: false) }
            return .answered(.success(answer))
        }
    }

    /// Why an answer is not what the server has sent; nil if it is, as far as can be known.
    private func damage(of answer: HTTPAnswer) -> String? {
        if let length = answer.header("content-length").flatMap({ Int($0) }), length != answer.body.count {
            return "its answer has \(answer.body.count) bytes instead of \(length)"
        }
        guard let expected = answer.header(S3Checksum.header), !S3Checksum.isOfParts(expected) else { return nil }
        return expected == S3Checksum.value(of: answer.body) ? nil : "its answer does not have the checksum that it names"
    }
}

extension HTTPAnswer {
    /// Whether this is a page for people. The type alone does not show it: a server may name this one for answers without a body.
    var isPage: Bool {
        let isTyped = header("content-type")?.lowercased().hasPrefix("text/html") ?? false
        let beginning = String(decoding: body.prefix(200), as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html") { return isTyped || status != 200 }
        return isTyped && header("etag") == nil && !body.isEmpty && XMLReader.read(body) == nil
    }
}
