// SPDX-License-Identifier: Apache-2.0

/// Decides call by call whether the disk works; performs nothing.
struct FaultSchedule {
    enum Verdict: Equatable {
        case pass
        case fail(Int32)
        /// Write half of it, then fail.
        case tear(Int32)
        /// Take back what was not synced, then fail.
        case lose(Int32)
    }

    private(set) var fault: Fault?
    /// The fault has happened.
    private(set) var hasStruck = false
    /// The process is treated as crashed, so nothing it does may reach the disk.
    private(set) var isDead = false
    private(set) var counts: [DiskCall: Int] = [:]
    private var seen = 0

    mutating func arm(_ fault: Fault?) {
        self = FaultSchedule()
        self.fault = fault
    }

    /// The disk works again; the dead stay dead.
    mutating func lift() { if !isDead { fault = nil } }

    mutating func decide(_ call: DiskCall) -> Verdict {
        counts[call, default: 0] += 1
        if isDead { return .fail(call.failure) }
        guard let fault, fault.kind.strikes(at: call) || (hasStruck && fault.kind == .outage) else { return .pass }
        if hasStruck {
            switch fault.kind {
            case .outage: return .fail(call.failure)
            case .full: return .fail(call.noRoom)
            default: return .pass
            }
        }
        seen += 1
        guard seen == fault.call else { return .pass }
        hasStruck = true
        isDead = fault.kind.isDeath
        switch fault.kind {
        case .full: return .fail(call.noRoom)
        case .tornWrite: return .tear(call.failure)
        case .lostSync: return .lose(call.failure)
        case .error, .outage, .crash, .powerLoss, .scatteredPowerLoss: return .fail(call.failure)
        }
    }
}
