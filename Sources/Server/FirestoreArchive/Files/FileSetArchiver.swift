// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import Foundation
import Logging

/// Keeps the archive of a file set up to date: a copy of all of it when something has changed.
actor FileSetArchiver {
    /// Between two copies.
    static let interval: Int64 = 60_000_000
    /// Between two copies of many bytes.
    static let intervalOfLarge: Int64 = 3_600_000_000
    static let largeBytes: Int64 = 64 << 20

    private let source: FileSetSource
    private let store: any ArchiveStore
    private let directory: String
    private let policy: ArchivePolicy
    private let traffic: ArchiveTraffic
    private let holder: String
    private let clock: any WallClock
    private let log: Logger

    /// nil until the lease is taken.
    private var lease: Int?
    private var isEnded = false
    private var isFailing = false
    /// What the last copy has.
    private var changes: Int?
    private var newest: FileSetManifest?
    private var lastTry: Int64?
    private var lastTidy: Int64 = 0

    private var set: ArchivedFileSet { source.set }

    init(
        _ source: FileSetSource, in store: any ArchiveStore, directory: String, policy: ArchivePolicy, traffic: ArchiveTraffic,
        holder: String, clock: any WallClock, log: Logger
    ) {
        self.source = source
        self.store = store
        self.directory = directory
        self.policy = policy
        self.traffic = traffic
        self.holder = holder
        self.clock = clock
        self.log = log
    }

    /// Archives what has changed, if it is time for it. Failures are logged.
    ///
    /// - Parameters:
    ///   - folder: A folder that does not exist, for the copy.
    ///   - isLast: The server stops: it is time for it.
    func step(_ folder: String, isLast: Bool = false) async {
        guard !isEnded, isLast || isDue else { return }
        lastTry = clock.now()
        do throws(FirestoreError) {
            try await archive(folder)
            isFailing = false
        } catch {
            guard !isFailing, !Task.isCancelled else { return }
            isFailing = true
            log.warning("the \(set.description) cannot be archived; it is tried again every minute", metadata: ["error": "\(error)"])
        }
    }

    private var isDue: Bool {
        guard let lastTry else { return true }
        // The clock may have been set back.
        let elapsed = (clock.now() - lastTry).magnitude
        return elapsed >= (newest?.bytes ?? 0 >= Self.largeBytes ? Self.intervalOfLarge : Self.interval).magnitude
    }

    private func archive(_ folder: String) async throws(FirestoreError) {
        guard var lease = try await currentLease() else { return }
        if let copy = newest?.name, try await !isThere(copy, lease) {
            log.error(
                "the archive has lost the newest copy of the \(set.description), which is stored again; find out who empties it",
                metadata: ["copy": "\(copy.time.timestamp.text)"])
            (self.lease, self.changes) = (nil, nil)
            guard let again = try await begin() else { return }
            (lease, newest) = (again, nil)
        }
        let changes = await source.changes()
        if newest != nil, let changes, changes == self.changes { return try await tidyIfDue() }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Self.create(folder)
        try await source.copy(folder)
        if try await store(folder, lease) { log.debug("the archive has a new copy", metadata: ["of": "\(set.description)"]) }
        self.changes = changes
        try await tidyIfDue()
    }

    private static func create(_ folder: String) throws(FirestoreError) {
        guard mkdir(folder, 0o700) == 0 else {
            throw FirestoreError(.unavailable, "a folder for a copy cannot be created (\(String(cString: strerror(errno))))", at: folder)
        }
    }

    // MARK: Lease

    /// Whether the archive still has the newest copy, and the lease. Of a copy under an earlier lease that was this server's, too.
    private func isThere(_ copy: BaseName, _ lease: Int) async throws(FirestoreError) -> Bool {
        for name in [set.manifest(of: copy), set.lease(lease)] {
            guard try await store.list(name, after: nil, limit: 1).first?.name == name else { return false }
        }
        return true
    }

    /// nil if another server has taken over.
    private func currentLease() async throws(FirestoreError) -> Int? {
        guard let lease else { return try await begin() }
        guard let later = try await store.list(set.leases, after: set.lease(lease), limit: 1).first else { return lease }
        let number = Int(later.name.dropFirst(set.leases.count)) ?? lease + 1
        end(try await FileSetLease.load(number, of: set, from: store))
        return nil
    }

    private func begin() async throws(FirestoreError) -> Int? {
        let catalog = try await FileSetCatalog.load(set, from: store)
        let folder = set.folder(in: directory)
        let isContinued = FileSetRecord.read(in: folder)?.place == store.description
        let taking = FileSetLeaseTaking(set: set, store: store, folder: folder, holder: holder, now: clock.now())
        switch try await taking.run(catalog) {
        case .lost(let lease):
            end(lease)
            return nil
        case .taken(let number):
            lease = number
            // Who takes over stores a copy under its lease: what the other server still stores is then older than that.
            if isContinued, catalog.missing(at: nil) == nil, let copy = catalog.copies.last {
                newest = try? await FileSetManifest.load(copy, of: set, from: store)
            }
            return number
        }
    }

    private func end(_ lease: FileSetLease) {
        isEnded = true
        log.error(
            """
            the \(set.description) is not archived any more: another server has archived it since \(lease.taken), under lease \
            \(lease.number); one of the two should not run
            """)
    }

    // MARK: Copies

    /// Returns whether there was something to store.
    private func store(_ folder: String, _ lease: Int) async throws(FirestoreError) -> Bool {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        var hashes: [String: String] = [:]
        for name in names {
            hashes[name] = try await Blocking.run { () throws(FirestoreError) in try Self.sha256(of: folder + "/" + name) }
        }
        let known = Dictionary(uniqueKeysWithValues: (newest?.files ?? []).map { ($0.name, $0.sha256) })
        guard newest == nil || known != hashes else { return false }
        let copy = BaseName(time: DocumentVersion(microseconds: clock.now()), lease: lease)
        let upload = PartsUpload(store: store, traffic: traffic, partBytes: policy.partBytes)
        var files: [FileSetManifest.File] = []
        for name in names {
            let (set, number) = (set, files.count + 1)
            let (bytes, parts) = try await upload.run(folder + "/" + name) { set.part($0, ofFile: number, of: copy) }
            files.append(FileSetManifest.File(name: name, bytes: bytes, sha256: hashes[name] ?? "", parts: parts))
        }
        let manifest = FileSetManifest(of: set, copy, files: files)
        try await upload.put(set.manifest(of: copy), ArchiveJSON.bytes(manifest))
        newest = manifest
        try await noteReach(copy)
        return true
    }

    /// Notes in the archive which copy is the newest one, so that it is missed.
    private func noteReach(_ copy: BaseName) async throws(FirestoreError) {
        await traffic.turn()
        _ = try await store.put(set.reach(copy), ArchiveReach(copy, in: set.root).bytes)
        for old in try await FileSetCatalog.load(set, from: store).reaches where old.isOlder(than: copy) {
            try await store.delete(set.reach(old))
        }
    }

    static func sha256(of file: String) throws(FirestoreError) -> String {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            var hash = SHA256()
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(data: piece) }
            return hash.finalize().hexadecimal
        } catch {
            throw FirestoreError(.unavailable, "the file cannot be read", at: file, cause: error)
        }
    }

    /// Removes what is too old, about every hour.
    private func tidyIfDue() async throws(FirestoreError) {
        let now = clock.now()
        guard now - lastTidy >= ArchiveTidying.interval else { return }
        lastTidy = now
        let catalog = try await FileSetCatalog.load(set, from: store)
        for copy in catalog.superfluous(now: now, keep: policy.keep) {
            // Delete `done` first: without it, the remaining objects are not taken for a copy.
            try await store.delete(set.manifest(of: copy))
            for object in try await store.list(set.folder(of: copy), after: nil, limit: .max) { try await store.delete(object.name) }
        }
        for lease in catalog.leases.dropLast() { try await store.delete(set.lease(lease)) }
    }
}
