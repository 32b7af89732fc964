// SPDX-License-Identifier: Apache-2.0
package import HearthBase

/// What a database counts about itself while it is open. Counts begin with its opening.
package struct StoreFigures: Sendable {
    /// Commits that were applied or rejected.
    package var commits = 0
    /// Commits in line, without those being written.
    package var waitingCommits = 0
    /// The commits of each group, which share one transaction and one sync.
    package var groupSizes = Distribution(bounds: Distribution.sizes)
    /// For how many seconds a group waited for the disk, or for the server that stores the database.
    package var syncTimes = Distribution(bounds: Distribution.seconds)
    /// For how many seconds the first commit of each group was in line.
    package var queueWaits = Distribution(bounds: Distribution.seconds)
    package var listeners = 0
    /// What is listened to; any number of listeners may have the same target.
    package var targets = 0
    /// Commits of transactions that failed because something that they had read was changed.
    package var conflicts = 0
    package var indexBuilds = 0
    package var indexesBeingBuilt = 0
    /// About the size of the states in the change log that were added since the database was opened.
    package var logBytes = 0
    /// For how many seconds the change log reaches back; nil while it has never been cut.
    package var logAge: Double?

    package init() {}
}
