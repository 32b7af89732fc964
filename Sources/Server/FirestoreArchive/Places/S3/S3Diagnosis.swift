// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Words errors of S3: what is wrong, of which bucket at which endpoint, and the way out. No text contains secrets.
struct S3Diagnosis {
    let settings: S3Settings

    private var bucket: String { settings.bucket.name }
    private var location: String { "s3://\(bucket) at \(settings.endpoint.name)" }

    private func error(_ code: FirestoreError.Code, _ message: String) -> FirestoreError { FirestoreError(code, message, at: location) }

    /// S3's words, for an answer that may be sent again.
    func reason(_ answer: HTTPAnswer, _ error: S3ErrorAnswer?) -> String {
        "it answers with HTTP status \(answer.status)\(error.map { " (\($0.code))" } ?? "")"
    }

    func exhausted(_ reason: String, attempts: Int) -> FirestoreError {
        error(.unavailable, "the bucket could not be used in \(attempts) attempts: \(reason); check the endpoint and the network")
    }

    func notS3(_ answer: HTTPAnswer) -> FirestoreError {
        let kind = answer.isPage ? "an HTML page" : "something that is not an answer of S3"
        return error(
            .failedPrecondition,
            "the endpoint answers with \(kind) (HTTP status \(answer.status)); check its host and port, and proxies in between")
    }

    func unsupported(_ answer: S3ErrorAnswer?) -> FirestoreError {
        error(
            .failedPrecondition,
            "the endpoint does not offer conditional writes (\(answer?.code ?? "HTTP status 501")), without which two servers could "
                + "overwrite each other's objects; use a storage that does")
    }

    func tooLong(_ key: String?) -> FirestoreError {
        error(.failedPrecondition, "an answer is longer than an object of an archive can be\(key.map { ": \($0)" } ?? "")")
    }

    /// For a redirect, whose body is not read.
    func redirect(_ answer: HTTPAnswer) -> FirestoreError? {
        guard (300..<400).contains(answer.status) else { return nil }
        guard let region = answer.header("x-amz-bucket-region"), S3Region.isValid(region), region != settings.region else {
            return error(
                .failedPrecondition,
                "the endpoint redirects requests (HTTP status \(answer.status)), which are not sent elsewhere; configure the endpoint and "
                    + "the region of the bucket")
        }
        return wrongRegion(region)
    }

    private func wrongRegion(_ region: String) -> FirestoreError {
        error(.failedPrecondition, "the bucket is in the region \(region), not in \(settings.region); set the region to \(region)")
    }

    /// For an error that S3 itself reports.
    func failure(_ answer: HTTPAnswer, _ said: S3ErrorAnswer) -> FirestoreError {
        let place = settings.credentials.place
        switch said.code {
        case "NoSuchBucket":
            return error(.notFound, "there is no such bucket (NoSuchBucket); create it, or correct the name or the endpoint")
        case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken":
            return error(.unauthenticated, "the credentials have expired (\(said.code)); renew those \(place)")
        case "InvalidAccessKeyId":
            return error(.unauthenticated, "the access key is not known (InvalidAccessKeyId); correct the credentials \(place)")
        case "SignatureDoesNotMatch":
            return error(
                .unauthenticated, "the secret key does not fit the access key (SignatureDoesNotMatch); correct the credentials \(place)")
        case "RequestTimeTooSkewed":
            return error(.failedPrecondition, "the clock of this machine is wrong (RequestTimeTooSkewed); synchronize it")
        case "AccessDenied":
            return error(
                .permissionDenied,
                "the credentials do not permit this (AccessDenied); the archive needs s3:GetObject, s3:PutObject, s3:DeleteObject and "
                    + "s3:ListBucket")
        default: break
        }
        if let region = said.region ?? answer.header("x-amz-bucket-region"), S3Region.isValid(region), region != settings.region {
            return wrongRegion(region)
        }
        let words = said.message.isEmpty ? said.code : "\(said.code): \(said.message)"
        return error(.failedPrecondition, "the request was rejected with HTTP status \(answer.status) (\(words)); check the settings")
    }

    /// For a listing that S3 answers, and that is not as S3 defines it.
    func badListing(_ what: String) -> FirestoreError {
        error(.failedPrecondition, "the endpoint's listing \(what), as no bucket of S3 does; use another storage")
    }
}
