// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
import FirestoreRPC
package import FirestoreStorage

/// A piece of the journal: commits in order, with the states before and after. Described in `docs/reference/archive-format.md`.
package struct ArchiveSegment: Sendable {
    static let magic = Array("HRTJ".utf8)
    static let format: UInt8 = 1
    static let hashLength = 32
    /// More is not inflated, whatever an object says.
    private static let maximumPayload = 512 << 20

    package let history: UInt64
    package let lease: Int
    package let after: DocumentVersion
    /// The last commit in it.
    package let through: DocumentVersion
    /// The hash of the segment before it; empty at the beginning and behind a gap.
    package let previous: [UInt8]
    /// The settings of the database when this was written; nil if they are as in the segment before it.
    package let settings: [UInt8]?
    package let commits: [CommittedChanges]

    package init(
        history: UInt64, lease: Int, after: DocumentVersion, previous: [UInt8], settings: [UInt8]?, commits: [CommittedChanges]
    ) {
        self.history = history
        self.lease = lease
        self.after = after
        self.previous = previous
        self.settings = settings
        self.commits = commits
        through = commits.last?.time ?? after
    }

    package var name: SegmentName { SegmentName(after: after, through: through, lease: lease) }

    /// Size, head, compressed commits, and a hash of all before.
    package func encoded() throws(FirestoreError) -> [UInt8] {
        let records = SegmentRecords.encode(commits, after: after)
        guard let payload = GzipDeflater.compress(records) else {
            throw FirestoreError(.resourceExhausted, "there is not enough memory to compress a piece of the journal")
        }
        var head: [UInt8] = []
        withUnsafeBytes(of: history.littleEndian) { head.append(contentsOf: $0) }
        for number in [UInt64(lease), UInt64(bitPattern: after.microseconds), UInt64(bitPattern: through.microseconds)] {
            head.appendVarint(number)
        }
        head.appendVarint(UInt64(commits.count))
        head.appendVarint(UInt64(records.count))
        head.appendLengthDelimited(previous)
        head.append(settings == nil ? 0 : 1)
        head.appendLengthDelimited(settings ?? [])
        var bytes = Self.magic + [Self.format]
        withUnsafeBytes(of: UInt32(head.count + payload.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += head
        bytes += payload
        bytes += Array(SHA256.hash(data: bytes))
        return bytes
    }

    /// The hash that the next segment names as the one before it.
    package static func hash(of encoded: [UInt8]) -> [UInt8] { Array(encoded.suffix(hashLength)) }

    /// Reads one after the other the segments of an object: an hour has many.
    package static func read(
        _ bytes: [UInt8], name: String, _ body: (ArchiveSegment, _ hash: [UInt8]) throws(FirestoreError) -> Void
    ) throws(FirestoreError) {
        var rest = bytes[...]
        guard !rest.isEmpty else { throw .damagedObject(name, "it is empty") }
        try FirestoreError.checkIsPlain(rest, name: name)
        while !rest.isEmpty {
            let whole = try next(&rest, name)
            let content = whole.dropLast(hashLength)
            guard Array(SHA256.hash(data: content)) == Array(whole.suffix(hashLength)) else {
                throw .damagedObject(name, "its checksum is wrong")
            }
            let segment = try ArchiveSegment(content: content.dropFirst(magic.count + 5), name: name)
            try body(segment, Array(whole.suffix(hashLength)))
        }
    }

    /// The bytes of the next segment, without reading them.
    private static func next(_ rest: inout ArraySlice<UInt8>, _ name: String) throws(FirestoreError) -> ArraySlice<UInt8> {
        let head = magic.count + 5
        guard rest.starts(with: magic) else { throw .damagedObject(name, "it is not a piece of a journal") }
        guard rest.count >= head else { throw .damagedObject(name, "it is cut off") }
        let version = rest[rest.startIndex + magic.count]
        guard version == format else {
            throw FirestoreError(
                .failedPrecondition, "the object has format \(version), and this Hearth knows formats up to \(format); use a newer Hearth",
                at: name)
        }
        let size = rest[(rest.startIndex + head - 4)..<(rest.startIndex + head)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let count = head + size + hashLength
        guard rest.count >= count else { throw .damagedObject(name, "it is cut off") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// - Parameter content: Head and compressed commits, whose hash is right.
    private init(content: ArraySlice<UInt8>, name: String) throws(FirestoreError) {
        let damage = FirestoreError.damagedObject(name, "its head cannot be read")
        let bytes = Array(content)
        let head: Head? = bytes.withUnsafeBytes { Head($0) }
        guard let head, head.recordBytes <= Self.maximumPayload else { throw damage }
        let records: ByteSlice
        do {
            records = try GzipInflater.inflate(
                ByteSlice(Array(bytes[head.length...])), limit: head.recordBytes, oversizedCode: .dataLoss)
        } catch {
            throw .damagedObject(name, "its commits cannot be inflated")
        }
        history = head.history
        lease = head.lease
        after = head.after
        through = head.through
        previous = head.previous
        settings = head.settings
        guard records.count == head.recordBytes, let commits = SegmentRecords.decode(records, after: head.after),
            commits.count == head.commits, commits.last?.time == head.through
        else { throw .damagedObject(name, "its commits cannot be read") }
        self.commits = commits
    }

    private struct Head {
        var history: UInt64 = 0
        var lease = 0
        var after = DocumentVersion.none
        var through = DocumentVersion.none
        var commits = 0
        var recordBytes = 0
        var previous: [UInt8] = []
        var settings: [UInt8]?
        var length = 0

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress, bytes.count > 8 else { return nil }
            history = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
            var reader = WireReader(position: start + 8, end: start + bytes.count)
            guard let lease = reader.varint().flatMap({ Int(exactly: $0) }), let after = reader.varint(), let through = reader.varint(),
                let commits = reader.varint().flatMap({ Int(exactly: $0) }),
                let recordBytes = reader.varint().flatMap({ Int(exactly: $0) }), let previous = reader.lengthDelimited(),
                let hasSettings = reader.byte(), let settings = reader.lengthDelimited()
            else { return nil }
            (self.lease, self.commits, self.recordBytes) = (lease, commits, recordBytes)
            self.after = DocumentVersion(microseconds: Int64(bitPattern: after))
            self.through = DocumentVersion(microseconds: Int64(bitPattern: through))
            self.previous = Array(previous)
            self.settings = hasSettings == 1 ? Array(settings) : nil
            length = reader.position - start
        }
    }
}
