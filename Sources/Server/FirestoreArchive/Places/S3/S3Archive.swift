// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC

/// An archive in a bucket of S3, or of a storage that is compatible with it.
///
/// Objects are written on the condition that there is none of their name (`If-None-Match: *`). A storage that ignores the condition cannot
/// be an archive; `checkContract` finds that out.
package struct S3Archive: ArchiveStore {
    /// An object of an archive is at most 64 MiB; this leaves room.
    static let maximumBytes = 256 << 20

    private let settings: S3Settings
    private let caller: S3Caller

    package init(_ settings: S3Settings) {
        self.settings = settings
        caller = S3Caller(settings: settings)
    }

    package var description: String { "s3://\(settings.bucket.name)/\(settings.bucket.prefix)" }

    private func key(_ name: String) throws(FirestoreError) -> String {
        try ArchiveName.segments(of: name)
        return settings.bucket.prefix + name
    }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        var request = S3Request(.put, try key(name), body: bytes)
        request.headers = [
            ("Content-Type", "application/octet-stream"), ("If-None-Match", "*"), (S3Checksum.header, S3Checksum.value(of: bytes)),
        ]
        let result = try await caller.run(request)
        switch result.answer {
        case .success: return true
        case .absent: throw caller.diagnosis.badListing("lacks an object that was written")
        case .exists:
            // The answer to the attempt that stored the object may have been lost.
            guard result.mayBeRepeated else { return false }
            return try await get(name) == bytes
        }
    }

    package func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        var request = S3Request(.get, try key(name))
        request.maximumBytes = Self.maximumBytes
        request.headers = [("x-amz-checksum-mode", "ENABLED")]
        guard case .success(let answer) = try await caller.run(request).answer else { return nil }
        return answer.body
    }

    package func delete(_ name: String) async throws(FirestoreError) { _ = try await caller.run(S3Request(.delete, try key(name))) }

    package func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        guard limit > 0 else { return [] }
        var pages = S3ListingPages(prefix: settings.bucket.prefix, narrowed: prefix, after: after, limit: limit)
        while let query = pages.nextQuery {
            let listing = try await page(query)
            if let problem = pages.add(listing) { throw caller.diagnosis.badListing(problem) }
        }
        return pages.objects
    }

    /// A page that cannot be read is asked for again: it may have been cut off.
    private func page(_ query: [(name: String, value: String)]) async throws(FirestoreError) -> S3Listing {
        var request = S3Request(.get, nil)
        request.query = query
        for failures in 1...max(1, settings.attempts) {
            guard case .success(let answer) = try await caller.run(request).answer else { break }
            if let listing = S3Listing(answer.body) { return listing }
            await settings.backoff.sleep(settings.backoff.delay(afterFailures: failures))
        }
        throw caller.diagnosis.badListing("cannot be read")
    }
}
