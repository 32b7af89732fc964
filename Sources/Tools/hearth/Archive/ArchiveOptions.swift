// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive

/// The settings of a server's archive, which `ServedArchive` carries out.
struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Archive every commit to a folder, or to a bucket as in s3://bucket/prefix, from which any moment can be restored.",
            valueName: "place"))
    var archive: String?

    @Option(help: ArgumentHelp("How long commits are gathered before they are archived: what a lost machine loses.", valueName: "time"))
    var archiveInterval = "1s"

    @Option(help: ArgumentHelp("How far back moments can be restored.", valueName: "time"))
    var archiveKeep = "7d"

    @Option(help: ArgumentHelp("How often a database that is written is copied as a whole.", valueName: "time"))
    var archiveBaseInterval = "1d"

    @Option(
        help: ArgumentHelp(
            "Copy a database after so many bytes of commits, too. (default: its size, and at least 64 MiB)", valueName: "bytes"))
    var archiveBaseBytes: Int?

    @Flag(help: "Once a week, read the archive of each database as a whole, and check that it restores what it claims.")
    var archiveVerify = false

    @Flag(help: "Accept no writes to a database once another server has taken over its archive. Without it only archiving ends.")
    var archiveRequired = false

    @Flag(help: "Begin databases anew that the archive has and the data directory does not. Without it they are refused.")
    var archiveBeginAnew = false
}

extension ArchiveOptions {
    /// nil without an archive.
    func policy() throws -> ArchivePolicy? {
        guard archive != nil else { return nil }
        var policy = ArchivePolicy()
        policy.interval = try DurationText.duration(archiveInterval, of: "archive-interval", in: DurationText.pause)
        policy.keep = try DurationText.duration(
            archiveKeep, of: "archive-keep", in: Duration.seconds(60)...Duration.seconds(3_660 * 86_400))
        policy.baseInterval = try DurationText.duration(
            archiveBaseInterval, of: "archive-base-interval", in: Duration.seconds(60)...Duration.seconds(366 * 86_400))
        if let archiveBaseBytes, archiveBaseBytes < 1 {
            throw ValidationError("--archive-base-bytes must be positive, not \(archiveBaseBytes)")
        }
        policy.baseBytes = archiveBaseBytes
        policy.isVerified = archiveVerify
        policy.isRequired = archiveRequired
        policy.beginsAnew = archiveBeginAnew
        return policy
    }
}
