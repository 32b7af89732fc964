// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What a database notes about the clock while it trusts it, for its next process: a clock that is set while no process runs would delete
/// as much as one that is set while one does.
///
/// Stored in one fact, as text: the session of the machine, the time since it was started, the time of the clock, and until when nothing
/// expires; times in microseconds, `-` for what is not known.
struct ClockNote: Equatable {
    static let fact = "hearth/clock"

    /// The clocks of a machine at one moment.
    struct Reading: Equatable {
        /// The time in microseconds since 1970.
        var wall: Int64
        /// The time in microseconds since the machine was started.
        var boot: Int64
        /// What distinguishes this start of the machine from others; nil if the system does not say.
        var session: String?
    }

    var reading: Reading
    /// Until when nothing expires, by the clock; nil if it was trusted.
    var until: Int64?

    /// What a process may do that has opened the database.
    enum Verdict: Equatable {
        case trusted
        /// Nothing expires for this many microseconds. `jump`: by how much the clock was set, as far as that is known; nil if an earlier
        /// process has seen and reported it.
        case suspended(Int64, jump: Int64?)
    }

    /// Compares the clocks with the note of the last process. Without one, with the last commit, which a clock cannot precede by much.
    ///
    /// On the same start of the machine, the time that has passed is known. On another one or another machine it is not: then a clock that
    /// is far ahead of the last note is one that was set, or one of a machine that was off for so long; a deletion that is an hour late
    /// does no harm.
    static func verdict(_ note: ClockNote?, lastCommit: Int64, now: Reading) -> Verdict {
        guard let note else {
            guard lastCommit > 0 else { return .trusted }
            let ahead = now.wall.subtractingReportingOverflow(lastCommit).partialValue
            return ahead > ExpiryClock.tolerance ? .suspended(ExpiryClock.pause, jump: ahead) : .trusted
        }
        let passed = now.wall.subtractingReportingOverflow(note.reading.wall).partialValue
        let known = now.boot - note.reading.boot
        let isSame = note.reading.session != nil && note.reading.session == now.session && known >= 0
        let jump = isSame ? passed - known : passed
        if let until = note.until {
            // A machine that was off meanwhile has had its hour: the note was made when the clock was doubted.
            let isNew = isSame && jump.magnitude > ExpiryClock.tolerance.magnitude
            if isNew { return .suspended(ExpiryClock.pause, jump: jump) }
            let left = until.subtractingReportingOverflow(now.wall).partialValue
            return left > 0 ? .suspended(min(left, ExpiryClock.pause), jump: nil) : .trusted
        }
        return jump.magnitude > ExpiryClock.tolerance.magnitude ? .suspended(ExpiryClock.pause, jump: jump) : .trusted
    }

    // MARK: Storing

    /// nil for other bytes.
    init?(_ bytes: ByteSlice?) {
        guard let bytes else { return nil }
        let words = String(decoding: bytes.array, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 4, let boot = Int64(words[1]), let wall = Int64(words[2]) else { return nil }
        until = Int64(words[3])
        guard until != nil || words[3] == "-" else { return nil }
        // Of a damaged file: differences must not overflow.
        guard [boot, wall, until ?? 0].allSatisfy({ (0..<1 << 60).contains($0) }) else { return nil }
        reading = Reading(wall: wall, boot: boot, session: words[0] == "-" ? nil : words[0])
    }

    init(_ reading: Reading, until: Int64? = nil) { (self.reading, self.until) = (reading, until) }

    var bytes: ByteSlice {
        let session = reading.session.map { String($0.map { $0 == " " ? "_" : $0 }) } ?? "-"
        return ByteSlice([UInt8]("\(session) \(reading.boot) \(reading.wall) \(until.map { "\($0)" } ?? "-")".utf8))
    }
}
