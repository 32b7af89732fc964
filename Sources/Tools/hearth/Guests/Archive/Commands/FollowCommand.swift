// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import FirestoreServer
import Foundation

/// `hearth follow ARCHIVE --data DIR`: a standby.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Repeat every commit of an archive in another data directory, seconds behind: a standby.",
        discussion: """
            Runs until a signal comes, and continues where it was when it is started again. It serves no clients. When the first \
            machine is lost, end it and run `hearth serve --data DIR`, which takes over: it puts the copies in their places, begins a \
            new history of each database, and with --archive takes over the archive, too, so that the first machine can no longer \
            write there. Clients reach the new server by DNS or a proxy, which is up to you.

            If commits are missing in the archive, that is said, and the standby stays before them until the server makes a new copy.

            Databases that appear later are followed, too; those that were deleted are not. Accounts, keys and rules come with them.

            EXIT CODES
              0    ended by a signal, or with --once complete
              2    it could not begin, or with --once: something of the archive is missing, or cannot be read

            EXAMPLES
              hearth follow /backup --data /var/lib/hearth
              hearth follow s3://bucket/prefix --data data --project app
            """)

    @Argument(help: "A folder, or a bucket as in s3://bucket/prefix.", completion: .directory)
    var archive: String

    @Option(help: ArgumentHelp("The data directory of the standby.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: ArgumentHelp("How often to look for commits.", valueName: "time"))
    var interval = "1s"

    @Flag(help: "Repeat what there is, and end.")
    var once = false

    @OptionGroup var databases: ArchivedDatabaseOptions
    @OptionGroup var access: ArchiveAccessOptions

    func run() async throws {
        let interval = try DurationText.duration(interval, of: "interval", in: DurationText.pause)
        let store = try await access.openExisting(archive, CommandEnvironment.current)
        let held = try ArchiveRestoring.hold(data)
        defer { withExtendedLifetime(held) {} }
        let run = FollowRun(store: store, directory: data, options: databases, interval: interval, isOnce: once)
        var failure: (any Error)?
        do {
            try await Interruption.watch { try await run.run() }
        } catch let code as ExitCode where code != Outcome.failure {
            // A signal is how it ends.
        } catch {
            failure = error
        }
        await run.close()
        if let failure { throw failure }
    }
}
