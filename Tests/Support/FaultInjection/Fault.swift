// SPDX-License-Identifier: Apache-2.0

/// One thing that goes wrong on a disk: what, and at which call.
package struct Fault: Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        /// One call fails and the next one works again.
        case error
        /// This call and all that follow fail until the fault is lifted.
        case outage
        /// Nothing can be written until the fault is lifted.
        case full
        /// A sync fails, and what it should have stored is gone; the next one works again.
        case lostSync
        /// The process dies before this call: it and all that follow do nothing.
        case crash
        /// The process dies in the middle of this write: half of the bytes are there.
        case tornWrite
        /// The machine loses power before this call: what was not synced is gone.
        case powerLoss
        /// As before, but every second of the writes that were not synced made it to the disk.
        case scatteredPowerLoss

        /// Whether the process is gone afterwards.
        package var isDeath: Bool {
            switch self {
            case .error, .outage, .full, .lostSync: false
            case .crash, .tornWrite, .powerLoss, .scatteredPowerLoss: true
            }
        }

        /// Whether it lasts until it is lifted.
        package var isLasting: Bool { self == .outage || self == .full }

        var losesUnsynced: Bool { self == .lostSync || self == .powerLoss || self == .scatteredPowerLoss }

        /// The calls at which it can strike. A process that dies before a read has died before the next write too.
        package func strikes(at call: DiskCall) -> Bool {
            switch self {
            case .error: true
            case .outage, .crash: call.changesDisk || call == .open
            case .full: call == .write || call == .shmMap
            case .lostSync: call == .sync
            case .tornWrite: call == .write
            case .powerLoss, .scatteredPowerLoss: call.changesDisk
            }
        }
    }

    package let kind: Kind
    /// Counted from 1, among the calls at which this kind can strike.
    package let call: Int

    package init(_ kind: Kind, at call: Int) {
        self.kind = kind
        self.call = call
    }

    package var description: String { "\(kind.rawValue) at call \(call)" }
}
