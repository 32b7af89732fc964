// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The commits of a segment as bytes.
///
///     commit  microseconds since the one before, number of changes, changes
///     change  path, 1 if there was a document + 2 if there is one, states
///     state   time of creation, time of update, fields
enum SegmentRecords {
    static func encode(_ commits: [CommittedChanges], after: DocumentVersion) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = after
        for commit in commits {
            bytes.appendVarint(UInt64(bitPattern: commit.time.microseconds &- last.microseconds))
            bytes.appendVarint(UInt64(commit.changes.count))
            for change in commit.changes { append(change, to: &bytes) }
            last = commit.time
        }
        return bytes
    }

    private static func append(_ change: CommittedChange, to bytes: inout [UInt8]) {
        bytes.appendLengthDelimited(change.key.path.utf8)
        bytes.append((change.old == nil ? 0 : 1) + (change.new == nil ? 0 : 2))
        for state in [change.old, change.new] {
            guard let state else { continue }
            bytes.appendVarint(UInt64(bitPattern: state.createTime.microseconds))
            bytes.appendVarint(UInt64(bitPattern: state.updateTime.microseconds))
            state.fields.bytes.withUnsafeBytes { bytes.appendLengthDelimited($0) }
        }
    }

    /// nil if the bytes are damaged. The states share the bytes.
    static func decode(_ bytes: ByteSlice, after: DocumentVersion) -> [CommittedChanges]? {
        var reader = RecordReader(bytes)
        var commits: [CommittedChanges] = []
        var last = after
        while !reader.wire.isAtEnd {
            guard let commit = reader.commit(after: last) else { return nil }
            commits.append(commit)
            last = commit.time
        }
        return commits
    }
}

private struct RecordReader {
    let bytes: ByteSlice
    var wire: WireReader

    init(_ bytes: ByteSlice) {
        self.bytes = bytes
        wire = WireReader(position: bytes.start, end: bytes.end)
    }

    mutating func commit(after last: DocumentVersion) -> CommittedChanges? {
        guard let step = wire.varint(), let count = wire.varint(), count > 0 else { return nil }
        let time = last.microseconds.addingReportingOverflow(Int64(bitPattern: step))
        guard !time.overflow, time.partialValue > last.microseconds else { return nil }
        var changes: [CommittedChange] = []
        for _ in 0..<count {
            guard let change = change() else { return nil }
            changes.append(change)
        }
        return CommittedChanges(time: DocumentVersion(microseconds: time.partialValue), changes: changes)
    }

    private mutating func change() -> CommittedChange? {
        guard let path = wire.lengthDelimited().flatMap({ String(validating: $0, as: UTF8.self) }), Self.isDocument(path),
            let kind = wire.byte(), (1...3).contains(kind)
        else { return nil }
        let key = DocumentKey(trusted: path)
        let old = kind & 1 == 0 ? nil : state(of: key)
        let new = kind & 2 == 0 ? nil : state(of: key)
        guard (old != nil) == (kind & 1 != 0), (new != nil) == (kind & 2 != 0) else { return nil }
        return CommittedChange(key: key, old: old, new: new)
    }

    /// Whether a path has the form of one of a document. Every name that a database contains is possible.
    private static func isDocument(_ path: String) -> Bool {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return segments.count % 2 == 0 && segments.allSatisfy { !$0.isEmpty }
    }

    private mutating func state(of key: DocumentKey) -> Document? {
        guard let created = wire.varint(), let updated = wire.varint(), let fields = wire.lengthDelimited(), FieldsView.isWellFormed(fields)
        else { return nil }
        let slice = fields.baseAddress.map { ByteSlice(owner: bytes.owner, start: $0, count: fields.count) } ?? .empty
        return Document(
            key: key, createTime: DocumentVersion(microseconds: Int64(bitPattern: created)),
            updateTime: DocumentVersion(microseconds: Int64(bitPattern: updated)), fields: FieldBytes(canonical: slice))
    }
}
