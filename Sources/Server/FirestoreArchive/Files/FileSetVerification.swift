// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// Reads everything that an archive has of a file set, and checks that each copy is what was stored.
package struct FileSetVerification: Sendable {
    private let set: ArchivedFileSet
    private let store: any ArchiveStore
    /// A folder for copies while they are checked.
    private let folder: String

    package init(_ set: ArchivedFileSet, in store: any ArchiveStore, folder: String) {
        self.set = set
        self.store = store
        self.folder = folder
    }

    package struct Report: Sendable {
        package var copies = 0
        /// What is wrong; empty for a sound archive.
        package var findings: [String] = []
        package var first: DocumentVersion?
        package var last: DocumentVersion?
    }

    /// Throws if the archive cannot be reached. Whatever is wrong with its content is in the report.
    package func run() async throws(FirestoreError) -> Report {
        let catalog = try await FileSetCatalog.load(set, from: store)
        var report = Report()
        report.findings = catalog.foreign.map { "\($0): this is not an object of an archive" }
        (report.first, report.last) = (catalog.copies.first?.time, catalog.copies.last?.time)
        for lease in catalog.leases {
            try await note(in: &report, if: { $0.leases.contains(lease) }) { () async throws(FirestoreError) in
                _ = try await FileSetLease.load(lease, of: set, from: store)
            }
        }
        try await checkEnd(catalog, &report)
        for copy in catalog.copies {
            try await note(in: &report, if: { $0.copies.contains(copy) }) { () async throws(FirestoreError) in try await check(copy) }
            report.copies += 1
        }
        return report
    }

    /// What names show: that the newest copy is there, with its lease.
    private func checkEnd(_ catalog: FileSetCatalog, _ report: inout Report) async throws(FirestoreError) {
        for reach in catalog.reaches {
            let name = set.reach(reach)
            try await note(in: &report, if: { _ in false }) { () async throws(FirestoreError) in
                try ArchiveReach.check(try await store.existing(name), reach, in: set.root, name: name)
            }
        }
        if let missing = catalog.missing(at: nil) {
            report.findings.append("\(FirestoreError.missingCopy(missing, of: set))")
        } else if catalog.copies.isEmpty {
            report.findings.append("\(set.root): there is no complete copy, so nothing can be restored")
        }
        if let last = catalog.copies.last, last.lease > catalog.leases.last ?? 0 {
            report.findings.append("\(set.lease(last.lease)): the lease is missing, under which the newest copy was stored")
        }
    }

    /// Notes an error that is about content; others are thrown.
    ///
    /// - Parameter isListed: Whether the archive still has what is checked. What its server has removed meanwhile is not missing.
    private func note(
        in report: inout Report, if isListed: (FileSetCatalog) -> Bool, _ body: () async throws(FirestoreError) -> Void
    ) async throws(FirestoreError) {
        do throws(FirestoreError) {
            try await body()
        } catch {
            guard error.code == .dataLoss || error.isOfOtherKey else { throw error }
            if error.missingObject != nil, !isListed(try await FileSetCatalog.load(set, from: store)) { return }
            report.findings.append("\(error)")
        }
    }

    private func check(_ copy: BaseName) async throws(FirestoreError) {
        let manifest = try await FileSetManifest.load(copy, of: set, from: store)
        let download = FileSetDownload(store: store, set: set, copy: copy)
        for (index, file) in manifest.files.enumerated() {
            let path = "\(folder)/\(AutoID.make()).verify"
            defer { unlink(path) }
            try await download.fetch(file, number: index + 1, to: path)
        }
    }
}
