// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Sends requests to a bucket, and sends them again while that may help.
struct S3Caller: Sendable {
    let settings: S3Settings

    var diagnosis: S3Diagnosis { S3Diagnosis(settings: settings) }

    struct Result {
        let answer: S3Answer
        /// An earlier attempt may have been carried out, too.
        let mayBeRepeated: Bool
    }

    func run(_ request: S3Request) async throws(FirestoreError) -> Result {
        var mayBeRepeated = false
        var failures = 0
        var renewals = 0
        while true {
            let credentials = settings.credentials.credentials
            switch try await attempt(request, credentials) {
            case .answered(let answer): return Result(answer: answer, mayBeRepeated: mayBeRepeated)
            case .failed(let error): throw error
            case .refused(let error):
                guard renewals < Self.maximumRenewals, settings.credentials.renew(after: credentials) else { throw error }
                renewals += 1
            case .transient(let reason, let wasRefused):
                mayBeRepeated = mayBeRepeated || !wasRefused
                failures += 1
                guard failures < settings.attempts else { throw diagnosis.exhausted(reason, attempts: failures) }
                await settings.backoff.sleep(settings.backoff.delay(afterFailures: failures))
                if Task.isCancelled { throw cancelled }
            }
        }
    }

    private static let maximumRenewals = 2

    private var cancelled: FirestoreError { FirestoreError(.cancelled, "the request to the archive was cancelled") }

    private func attempt(_ request: S3Request, _ credentials: S3Credentials) async throws(FirestoreError) -> S3Outcome {
        let question = request.question(settings, credentials)
        do throws(HTTPFetchError) {
            return request.outcome(of: try await HTTPFetch.run(question, patience: settings.patience), diagnosis)
        } catch {
            switch error {
            case .cancelled: throw cancelled
            case .tooLong: throw diagnosis.tooLong(request.key)
            case .tooLate, .failed: return .transient(reason: error.description, wasRefused: false)
            }
        }
    }
}
