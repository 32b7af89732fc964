// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A builder of canonical bytes: containers are closed after their content, when their length is known.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []
    /// The entries of the open containers, those of the innermost last.
    private var entries: [Entry] = []

    private struct Entry {
        /// The beginning of the whole entry, including its tag.
        var start: Int
        var end: Int
        var nameStart: Int
        var nameCount: Int
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ value: Value) { value.append(to: &bytes) }

    mutating func append(integer: Int64) {
        bytes.append(WireTag.integer)
        appendVarint(UInt64(bitPattern: integer))
    }

    mutating func append(double: Double) {
        bytes.append(WireTag.double)
        // There is only one NaN (VAL-7).
        var rest = double.isNaN ? Double.nan.bitPattern : double.bitPattern
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func append(string: UnsafeRawBufferPointer) {
        bytes.append(WireTag.string)
        bytes.append(WireTag.longTagSuffix)
        appendVarint(UInt64(string.count))
        bytes.append(contentsOf: string)
    }

    private mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    // MARK: Lengths

    /// Begins a part that is preceded by its length; pass the returned mark to `end`.
    mutating func begin(_ tag: UInt8) -> Int {
        bytes.append(tag)
        bytes.append(0)
        return bytes.count - 1
    }

    /// Writes the length, for which one byte is reserved; for a longer one the content is moved.
    mutating func end(_ mark: Int) {
        let count = bytes.count - mark - 1
        let length = varintLength(UInt64(count))
        if length > 1 { bytes.insert(contentsOf: repeatElement(0, count: length - 1), at: mark + 1) }
        var rest = count
        for index in mark..<(mark + length) {
            bytes[index] = UInt8(truncatingIfNeeded: rest & 0x7F) | (index == mark + length - 1 ? 0 : 0x80)
            rest >>= 7
        }
    }

    // MARK: Entries

    /// An entry whose value comes next.
    struct OpenEntry {
        fileprivate let mark: Int
        fileprivate let nameCount: Int
        fileprivate let valueMark: Int
    }

    mutating func beginEntry(_ tag: UInt8, name: UnsafeRawBufferPointer) -> OpenEntry {
        let mark = begin(tag)
        bytes.append(WireTag.entryKey)
        appendVarint(UInt64(name.count))
        bytes.append(contentsOf: name)
        return OpenEntry(mark: mark, nameCount: name.count, valueMark: begin(WireTag.entryValue))
    }

    mutating func end(_ entry: OpenEntry) {
        end(entry.valueMark)
        let length = varintLength(UInt64(bytes.count - entry.mark - 1))
        end(entry.mark)
        let nameStart = entry.mark + length + 1 + varintLength(UInt64(entry.nameCount))
        entries.append(Entry(start: entry.mark - 1, end: bytes.count, nameStart: nameStart, nameCount: entry.nameCount))
    }

    /// The number of entries in the open containers: the mark for `sortEntries`.
    var entryMark: Int { entries.count }

    /// Sorts the entries since the mark by the bytes of their names and removes them from the list. Returns a name that
    /// occurs twice, if there is one.
    mutating func sortEntries(since mark: Int) -> String? {
        defer { entries.removeSubrange(mark...) }
        if areSorted(since: mark) { return nil }
        let own = Array(entries[mark...])
        let sorted = bytes.withUnsafeBytes { bytes in own.sorted { Self.compare($0, $1, in: bytes) < 0 } }
        let twice = bytes.withUnsafeBytes { bytes in
            zip(sorted, sorted.dropFirst()).first { Self.compare($0, $1, in: bytes) == 0 }?.0
        }
        if let twice { return String(decoding: bytes[twice.nameStart..<(twice.nameStart + twice.nameCount)], as: UTF8.self) }
        let (start, end) = (own[0].start, own[own.count - 1].end)
        var moved: [UInt8] = []
        moved.reserveCapacity(end - start)
        for entry in sorted { moved.append(contentsOf: bytes[entry.start..<entry.end]) }
        bytes.replaceSubrange(start..<end, with: moved)
        return nil
    }

    /// Strictly sorted: no name occurs twice. Always true for fewer than two.
    private func areSorted(since mark: Int) -> Bool {
        guard entries.count - mark > 1 else { return true }
        return bytes.withUnsafeBytes { bytes in
            for index in (mark + 1)..<entries.count where Self.compare(entries[index - 1], entries[index], in: bytes) >= 0 { return false }
            return true
        }
    }

    private static func compare(_ left: Entry, _ right: Entry, in bytes: UnsafeRawBufferPointer) -> Int {
        compareBytes(
            UnsafeRawBufferPointer(rebasing: bytes[left.nameStart..<(left.nameStart + left.nameCount)]),
            UnsafeRawBufferPointer(rebasing: bytes[right.nameStart..<(right.nameStart + right.nameCount)]))
    }
}
