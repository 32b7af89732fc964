// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import FirestoreTransfer
import Foundation

/// The export folders of a server's admin API: those below the folders of `--bucket`, in the format of `hearth export`.
struct BucketFolders: DocumentFolders {
    private let buckets: [MappedBucket]
    /// The data directory, below which tools of the emulator may export; nil without one.
    private let data: String?

    init(_ buckets: [MappedBucket], data: String?) {
        self.buckets = buckets
        self.data = data
    }

    func folder(of uri: String) throws(FirestoreError) -> String {
        let prefix = "gs://"
        guard uri.hasPrefix(prefix), uri.utf8.count > prefix.utf8.count else {
            throw .invalidArgument("gs://BUCKET/FOLDER is expected", at: uri)
        }
        var parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        let name = parts.removeFirst()
        guard let bucket = buckets.first(where: { equalUTF8($0.name, name) }) else {
            throw FirestoreError(
                .notFound, "the bucket \(name) is no folder of this server; start it with --bucket \(name)=DIR", at: uri)
        }
        return try Self.path(parts, below: bucket.folder, uri)
    }

    func folder(atPath path: String) throws(FirestoreError) -> String {
        let wanted = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
        for root in buckets.map(\.folder) + [data].compactMap(\.self) {
            let parts = URL(fileURLWithPath: root).standardizedFileURL.pathComponents
            guard wanted.count > parts.count, wanted.starts(with: parts) else { continue }
            return try Self.path(Array(wanted[parts.count...]), below: root, path)
        }
        throw FirestoreError(
            .permissionDenied, "exports go below the data directory or a folder of --bucket; choose such a folder", at: path)
    }

    /// A folder below another one, which no link leads out of.
    private static func path(_ parts: [String], below root: String, _ place: String) throws(FirestoreError) -> String {
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }) else {
            throw .invalidArgument("the folder has an empty name, or one of dots", at: place)
        }
        do {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(.failedPrecondition, "the folder of the bucket cannot be created", at: root, cause: error)
        }
        guard let real = resolved(root) else {
            throw FirestoreError(.failedPrecondition, "the folder of the bucket cannot be read", at: root)
        }
        var path = real
        for part in parts {
            path += "/" + part
            guard let target = resolved(path) else { continue }
            guard target == path else {
                throw FirestoreError(.permissionDenied, "a link leads out of the folder of the bucket; choose another folder", at: place)
            }
        }
        return path
    }

    /// The path without links; nil if nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else {
            // A link to nothing is a link.
            var status = stat()
            return lstat(path, &status) == 0 ? "" : nil
        }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: Transfers

    func export(
        _ export: FolderExport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError) {
        var plan = DocumentExport(of: export.service, database: export.database, context: export.context) { report($0.documents, $0.bytes) }
        plan.moment = export.moment
        let selections: [ExportSelection] = export.collectionIDs.isEmpty ? [.everything] : export.collectionIDs.map { .group($0) }
        try makeParent(of: export.folder)
        let output = try ExportFolderOutput(export.folder, replacing: false, database: export.database)
        let progress = try await plan.run(selections, into: output)
        report(progress.documents, progress.bytes)
    }

    private func makeParent(of folder: String) throws(FirestoreError) {
        let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(.failedPrecondition, "the folder cannot be created", at: parent, cause: error)
        }
    }

    func importDocuments(
        _ plan: FolderImport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError) {
        let transfer = DocumentImport(into: plan.service, context: plan.context, onProgress: { report($0.documents, $0.bytes) })
        let summary = await transfer.run { () throws(FirestoreError) in
            let input = try ExportFolderInput(plan.folder, database: plan.database)
            return plan.collectionIDs.isEmpty ? input : CollectionInput(input, only: plan.collectionIDs)
        }
        report(summary.progress.documents, summary.progress.bytes)
        if let failure = summary.failure { throw failure }
    }
}
