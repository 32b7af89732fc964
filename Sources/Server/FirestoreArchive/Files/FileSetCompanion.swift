// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreServer
package import Logging

/// Archives the file sets of a server while it runs, and once more when it stops.
package final class FileSetCompanion: DatabaseCompanion {
    private struct State {
        var archivers: [ArchivedFileSet: FileSetArchiver] = [:]
        var databases: DatabaseRegistry?
        /// What runs while the server does.
        var task: Task<Void, Never>?
    }

    /// Between two looks for changes.
    private static let pause = Duration.seconds(10)

    private let store: any ArchiveStore
    private let directory: String
    private let policy: ArchivePolicy
    private let traffic: ArchiveTraffic
    private let sources: @Sendable () -> [FileSetSource]
    private let patience: Duration
    private let clock: any WallClock
    private let log: Logger
    private let holder = DatabaseArchiver.makeHolder()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - directory: The data directory.
    ///   - patience: How long the server's end waits for the archive.
    ///   - sources: The file sets that there are.
    package init(
        _ store: any ArchiveStore, directory: String, policy: ArchivePolicy, patience: Duration, clock: any WallClock = SystemClock(),
        log: Logger, sources: @escaping @Sendable () -> [FileSetSource]
    ) {
        self.store = store
        self.directory = directory
        self.policy = policy
        self.patience = patience
        self.clock = clock
        self.log = log
        self.sources = sources
        traffic = ArchiveTraffic(objectsPerSecond: policy.objectsPerSecond)
    }

    package func started(_ databases: DatabaseRegistry) {
        state.withLock { state in
            state.databases = databases
            state.task = Task {
                while !Task.isCancelled {
                    await self.round(databases)
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    package func closing(_ database: DatabaseID) async {}

    package func stopping() async {
        let (task, databases) = state.withLock { state in
            defer { (state.task, state.databases) = (nil, nil) }
            return (state.task, state.databases)
        }
        guard let task, let databases else { return }
        task.cancel()
        let last = Task {
            // Not beside the round that is cancelled.
            await task.value
            await self.round(databases, isLast: true)
        }
        let limit = Task {
            try? await Task.sleep(for: patience)
            last.cancel()
        }
        await last.value
        limit.cancel()
    }

    private func round(_ databases: DatabaseRegistry, isLast: Bool = false) async {
        for source in sources() {
            guard let folder = try? databases.pathForCopy() else { continue }
            await archiver(source).step(folder, isLast: isLast)
        }
    }

    private func archiver(_ source: FileSetSource) -> FileSetArchiver {
        state.withLock { state in
            if let known = state.archivers[source.set] { return known }
            let archiver = FileSetArchiver(
                source, in: store, directory: directory, policy: policy, traffic: traffic, holder: holder, clock: clock, log: log)
            state.archivers[source.set] = archiver
            return archiver
        }
    }
}

/// A file set of a running server.
package struct FileSetSource: Sendable {
    package let set: ArchivedFileSet
    /// A number that is another one after each change; nil if changes are only seen in the files.
    package let changes: @Sendable () async -> Int?
    /// Puts copies of the files into a folder, under their names, each as it was at one moment.
    package let copy: @Sendable (_ folder: String) async throws(FirestoreError) -> Void

    package init(
        _ set: ArchivedFileSet, changes: @escaping @Sendable () async -> Int?,
        copy: @escaping @Sendable (_ folder: String) async throws(FirestoreError) -> Void
    ) {
        self.set = set
        self.changes = changes
        self.copy = copy
    }
}
