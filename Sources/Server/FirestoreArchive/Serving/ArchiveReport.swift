// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The archive of one database, as an operator sees it.
package struct ArchiveReport: Sendable {
    /// nil while the database is closed: then everything is archived.
    package let status: ArchiveStatus?
    /// When the archive was last found sound, by this process or by one before.
    package let lastVerified: DocumentVersion?
    package let windows: [ArchiveWindow]
    /// Why the archive cannot be read, or does not proceed; nil if neither is so.
    package let problem: String?

    /// For the console.
    package func json(now: Int64) -> JSON {
        var members: [(name: String, value: JSON)] = [
            ("windows", .array(windows.map { .object([("start", Self.time($0.start)), ("end", Self.time($0.end))]) }))
        ]
        if let status {
            members += [("lag", .number(String(status.lag(now: now)))), ("ended", .boolean(status.isEnded))]
            if status.isLost { members.append(("lost", .boolean(true))) }
            if let seen = status.lastSeen { members.append(("lastSeen", Self.time(DocumentVersion(microseconds: seen)))) }
            if let base = status.lastBase { members.append(("lastBase", Self.time(base))) }
            if !status.damage.isEmpty { members.append(("damage", .array(status.damage.map { .string($0) }))) }
        }
        if let lastVerified { members.append(("lastVerified", Self.time(lastVerified))) }
        if let problem { members.append(("problem", .string(problem))) }
        return .object(members)
    }

    private static func time(_ time: DocumentVersion) -> JSON { .string(time.timestamp.text) }
}

extension ArchiveCompanion {
    /// Asks the place of the archive what there is.
    package func report(on database: DatabaseID) async -> ArchiveReport {
        let archiver = archiver(of: database)
        let status = await archiver?.status
        let verified = try? await archiver?.engine.lastVerified
        do throws(FirestoreError) {
            let layout = ArchiveLayout(database)
            let catalog = try await ArchiveCatalog.load(layout, from: store)
            let lost = status?.isLost == true ? FirestoreError.lostArchive(layout).message : nil
            return ArchiveReport(
                status: status, lastVerified: verified, windows: catalog.windows,
                problem: lost ?? status?.problem ?? catalog.newestGap?.description)
        } catch {
            return ArchiveReport(status: status, lastVerified: verified, windows: [], problem: status?.problem ?? error.description)
        }
    }
}
