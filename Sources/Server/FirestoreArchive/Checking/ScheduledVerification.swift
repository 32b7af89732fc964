// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import Logging

/// Reads each archive as a whole once a week: a backup that was never restored is a hope.
struct ScheduledVerification: Sendable {
    static let fact = "hearth/archive-verified"
    private static let week: Int64 = 7 * 86_400_000_000

    let store: any ArchiveStore
    let folder: String
    let clock: any WallClock
    let log: Logger

    enum Outcome: Sendable {
        case sound(at: DocumentVersion)
        case damaged([String])
    }

    /// Checks the archive of a database if that is due; nil if it was not checked.
    func run(_ database: DatabaseID, _ engine: Engine) async -> Outcome? {
        do throws(FirestoreError) {
            let now = clock.now()
            guard now - (try await engine.lastVerified?.microseconds ?? 0) >= Self.week else { return nil }
            var verification = ArchiveVerification(database, in: store, folder: folder)
            // Little of the machine and of the network.
            verification.pace = { try? await Task.sleep(for: .milliseconds(50)) }
            let report = try await verification.run()
            guard report.findings.isEmpty else {
                log.error(
                    "the archive is damaged; a new copy of the database begins a sound one",
                    metadata: ["database": "\(database.databaseID)", "findings": "\(report.findings.prefix(5).joined(separator: "; "))"])
                return .damaged(report.findings)
            }
            guard report.copies > 0 else { return nil }
            try await engine.setFact(Self.fact, ByteSlice(Array("\(now)".utf8)))
            log.info("the archive is sound", metadata: ["database": "\(database.databaseID)", "copies": "\(report.copies)"])
            return .sound(at: DocumentVersion(microseconds: now))
        } catch {
            log.warning("the archive could not be checked", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

extension Engine {
    /// When the archive of the database was last found sound; nil if never.
    var lastVerified: DocumentVersion? {
        get async throws(FirestoreError) {
            try await fact(ScheduledVerification.fact).flatMap { Int64(String(decoding: $0.array, as: UTF8.self)) }
                .map { DocumentVersion(microseconds: $0) }
        }
    }
}
