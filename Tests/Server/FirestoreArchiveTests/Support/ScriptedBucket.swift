// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore

extension ScriptedServer {
    /// An archive in a bucket of this server. Waits between attempts are noted and not waited for.
    func archive(
        prefix: String = "", credentials: S3CredentialSource? = nil, waits: Waits = Waits(), change: (inout S3Settings) -> Void = { _ in }
    ) throws -> S3Archive {
        let endpoint = try S3Endpoint("http://127.0.0.1:\(port)", bucket: "box")
        let source = credentials ?? S3CredentialSource(S3Credentials(accessKeyID: "AKID", secretAccessKey: "secret"))
        var settings = S3Settings(bucket: try S3Bucket("box", prefix: prefix), endpoint: endpoint, region: "eu-test-1", credentials: source)
        settings.clock = ManualClock(microseconds: 1_787_740_200_000_000)
        settings.backoff = Backoff(
            first: .milliseconds(200), factor: 3, longest: .seconds(10), jitter: 0, random: { 0.5 }, sleep: { waits.add($0) })
        change(&settings)
        return S3Archive(settings)
    }
}

/// The waits between attempts.
final class Waits: Sendable {
    private let waits = Mutex<[Duration]>([])

    func add(_ wait: Duration) { waits.withLock { $0.append(wait) } }
    var all: [Duration] { waits.withLock { $0 } }
}
