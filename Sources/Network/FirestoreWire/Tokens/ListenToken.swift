// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The resume token of this server's Listen streams: a listener passes it to receive only the changes since then (LS-4). It
/// contains a time, and a checksum to detect bytes that are not such a token.
///
///     01  version
///     8   microseconds since 1970, big-endian
///     4   checksum of the nine bytes before
///
/// Clients use the token of a snapshot for every target of the stream (LS-10). That would be wrong for a target that has not
/// received everything up to then, so the token lists such targets and their times, and the history in which the times are:
///
///     03  version
///     8   microseconds since 1970, big-endian
///     4   the mark of the database's history, big-endian
///     …   for each such target two varints: its id, less that of the one before; and 0 for nothing, or one more than the
///         microseconds by which it is behind the token's time
///     4   checksum of all bytes before
///
/// Where the history has runs (`DatabaseRuns`), the token names its run too: together with the time it names one commit.
///
///     04  version
///     8   microseconds since 1970, big-endian
///     4   the mark of the database's history, big-endian
///     4   the mark of the run, big-endian
///     …   the targets and the checksum, as in version 3
///
/// Tokens of version 1 and 2 name no history: a server without one issues them, and so did earlier servers. Version 1 ends behind the time,
/// version 2 has the list there.
package struct ListenToken: Sendable, Hashable {
    package var time: DocumentVersion
    /// Targets that have not received everything up to `time`, by their ids in the stream: the time up to which they have, nil for
    /// those that must start from the beginning.
    package var laggards: [Int32: DocumentVersion?]
    /// The history that the times belong to (`DatabaseHistory.mark`); nil in tokens without one.
    package var history: UInt32?
    /// The run of the history in which the token was issued; nil in tokens without one.
    package var run: UInt32?

    private static let timeEnd = 9
    private static let historyEnd = 13
    private static let runEnd = 17
    private static let checksumLength = 4

    package init(time: DocumentVersion, laggards: [Int32: DocumentVersion?] = [:], history: UInt32? = nil, run: UInt32? = nil) {
        self.time = time
        self.laggards = laggards
        self.history = history
        self.run = history == nil ? nil : run
    }

    /// nil for anything else.
    package init?(_ token: ByteSlice) {
        let bytes = token.array
        guard bytes.count >= Self.timeEnd + Self.checksumLength else { return nil }
        let body = bytes.dropLast(Self.checksumLength)
        let checksum = bytes[body.endIndex...].reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum == Self.checksum(body) else { return nil }
        let microseconds = bytes[1..<Self.timeEnd].reduce(0) { $0 << 8 | UInt64($1) }
        time = DocumentVersion(microseconds: Int64(bitPattern: microseconds))
        // The checksum can be forged: a time before 1970 is never issued, and differences from one would overflow.
        guard time >= .none else { return nil }
        laggards = [:]
        switch bytes[0] {
        case 1: guard body.count == Self.timeEnd else { return nil }
        case 2:
            guard let laggards = Self.laggards(body[Self.timeEnd...], before: time), !laggards.isEmpty else { return nil }
            self.laggards = laggards
        case 3, 4:
            let end = bytes[0] == 3 ? Self.historyEnd : Self.runEnd
            guard body.count >= end, let laggards = Self.laggards(body[end...], before: time) else { return nil }
            self.laggards = laggards
            history = bytes[Self.timeEnd..<Self.historyEnd].reduce(0) { $0 << 8 | UInt32($1) }
            if end > Self.historyEnd { run = bytes[Self.historyEnd..<end].reduce(0) { $0 << 8 | UInt32($1) } }
        default: return nil
        }
    }

    private static func laggards(_ bytes: ArraySlice<UInt8>, before time: DocumentVersion) -> [Int32: DocumentVersion?]? {
        bytes.withUnsafeBytes { bytes in
            var laggards: [Int32: DocumentVersion?] = [:]
            guard let start = bytes.baseAddress else { return laggards }
            var reader = WireReader(position: start, end: start + bytes.count)
            var last: Int32 = 0
            while !reader.isAtEnd {
                guard let step = reader.varint(), let step = Int32(exactly: step), let distance = reader.varint() else { return nil }
                let (id, overflow) = last.addingReportingOverflow(step)
                guard !overflow, step > 0 else { return nil }
                last = id
                if distance == 0 {
                    laggards.updateValue(nil, forKey: id)
                } else {
                    guard distance - 1 <= UInt64(time.microseconds) else { return nil }
                    laggards[id] = DocumentVersion(microseconds: time.microseconds - Int64(distance - 1))
                }
            }
            return laggards
        }
    }

    package var bytes: ByteSlice {
        var bytes: [UInt8] = [history != nil ? run != nil ? 4 : 3 : laggards.isEmpty ? 1 : 2]
        withUnsafeBytes(of: time.microseconds.bigEndian) { bytes.append(contentsOf: $0) }
        if let history {
            withUnsafeBytes(of: history.bigEndian) { bytes.append(contentsOf: $0) }
            if let run { withUnsafeBytes(of: run.bigEndian) { bytes.append(contentsOf: $0) } }
        }
        var last: Int32 = 0
        for (id, stand) in laggards.sorted(by: { $0.key < $1.key }) {
            bytes.appendVarint(UInt64(id - last))
            bytes.appendVarint(stand.map { UInt64(time.microseconds - $0.microseconds) + 1 } ?? 0)
            last = id
        }
        let checksum = Self.checksum(bytes[...])
        withUnsafeBytes(of: checksum.bigEndian) { bytes.append(contentsOf: $0) }
        return ByteSlice(bytes)
    }

    /// FNV-1a.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
