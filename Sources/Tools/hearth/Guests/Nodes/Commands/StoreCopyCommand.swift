// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestoreEngine
    import FirestorePostgres
    import FirestoreStorage
    import Foundation

    /// `hearth store copy`: all databases of a data directory onto a PostgreSQL server, or back, while the source is served.
    struct StoreCopyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy all databases from a data directory to a PostgreSQL server, or back.",
            discussion: """
                The source may be served meanwhile: reads and writes go on. When everything is copied, the command says so and \
                follows; then stop the server, or all nodes, of the source. The command copies the last changes, says how long \
                that took, and ends; now start what serves the copy. An interrupted copy is continued by the same command.

                Documents keep their times. Clients begin their listeners again, because the copy has a history of its own. Indexes \
                that were configured are built by the first node. Accounts are copied with `hearth accounts export` and `import`.

                EXIT CODES
                  0  copied
                  2  it could not be done, or the command was not understood

                EXAMPLES
                  hearth store copy /var/lib/hearth postgres://hearth@db/hearth
                  hearth store copy postgres://hearth@db/hearth ./data
                """)

        @Argument(help: "A data directory or the URL of a PostgreSQL server.")
        var source: String

        @Argument(help: "The other one of the two. Databases that exist there are not replaced.")
        var target: String

        func validate() throws {
            guard Self.isURL(source) != Self.isURL(target) else {
                throw ValidationError("give a data directory and the URL of a PostgreSQL server, in the direction of the copy")
            }
        }

        private static func isURL(_ text: String) -> Bool { text.contains("://") }

        func run() async throws {
            let address = try StoreAddress(
                Self.isURL(source) ? source : target, isOnCommandLine: true, environment: ProcessInfo.processInfo.environment)
            let cluster = try address.connect()
            defer { cluster.close() }
            let places: (source: any CopyPlace, target: any CopyPlace) =
                Self.isURL(source)
                ? (ClusterPlace(cluster), try DirectoryPlace(target, isTarget: true))
                : (try DirectoryPlace(source, isTarget: false), ClusterPlace(cluster))
            try copy(from: places.source, to: places.target)
        }

        private func copy(from source: any CopyPlace, to target: any CopyPlace) throws {
            guard try target.isUnused() else {
                throw FirestoreError(
                    .failedPrecondition, "nodes serve the place to copy to, and could be asked for half of a copy; stop them first",
                    at: self.target)
            }
            guard try !source.databases().isEmpty else { throw FirestoreError(.notFound, "there are no databases", at: self.source) }
            var copies: [DatabaseID: CrossStoreCopy] = [:]
            var hasCaughtUp = false
            while true {
                let hasEnded = try source.isUnused()
                // Databases may be created meanwhile.
                for database in try source.databases() where copies[database] == nil {
                    copies[database] = try begin(database, from: source, to: target)
                }
                let start = ContinuousClock.now
                let changed = try copies.values.reduce(0) { try $0 + $1.follow() }
                if hasEnded {
                    for copy in copies.values { try copy.finish() }
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    let behind = String(format: "%.2f", seconds)
                    say("copied; the last \(changed) changed documents took \(behind) s. Start what serves \(self.target) now")
                    return
                }
                if !hasCaughtUp, ContinuousClock.now - start < .seconds(1) {
                    hasCaughtUp = true
                    say("everything is copied, and changes are followed; stop what serves \(self.source) now")
                }
                Thread.sleep(forTimeInterval: 0.2)
            }
        }

        /// Copies all documents of a database.
        private func begin(
            _ database: DatabaseID, from source: any CopyPlace, to target: any CopyPlace
        ) throws(FirestoreError) -> CrossStoreCopy {
            let name = "\(database.projectID)/\(database.databaseID)"
            do throws(FirestoreError) {
                let copy = try CrossStoreCopy(from: try source.reading(database), to: try target.writing(database))
                try copy.copyDocuments { count in
                    if count % 50_000 < 250, count >= 50_000 { say("\(name): \(count) documents so far") }
                }
                say("\(name): \(copy.documents) documents")
                return copy
            } catch {
                throw FirestoreError(error.code, error.message, at: "\(self.target), \(name)")
            }
        }

        private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
#endif
