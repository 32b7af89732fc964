// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Ending a frame: sorting entries, writing the header, moving the body.
extension EncodingState {
    /// Ends the innermost frame after its value's `encode(to:)` has returned.
    func endFrame() throws {
        if let failure {
            self.failure = nil
            unwind(toFrame: frameCount - 1)
            throw failure
        }
        switch top.pointee.kind {
        case .pending: try endPending()
        case .scalar, .holder: break
        case .keyed: try endMap()
        case .unkeyed: try endArray()
        }
        pop()
    }

    /// R9: a value that wrote nothing is an empty map, except at top level.
    private func endPending() throws {
        do {
            let target = try reserveSingle(2)
            target.storeBytes(of: WireTag.map, as: UInt8.self)
            target.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
        } catch {
            throw error.error(value: (), path: codingPath(of: currentToken))
        }
    }

    private func endMap() throws {
        let frame = top
        try enterLateChildren(of: frame)
        let isSorted = try arrangeEntries(of: frame)
        let bodyStart = frame.pointee.bodyStart
        if !frame.pointee.hasGaps {
            let length = isSorted ? count - bodyStart : arrangeBody(of: frame)
            closeBody(tag: WireTag.map, length: length) { target, source in memmoveBytes(target, source, length) }
        } else {
            let body = try assembleEntries(of: frame)
            closeBody(tag: WireTag.map, length: body.count) { target, _ in
                body.withUnsafeBytes { memmoveBytes(target, $0.baseAddress, body.count) }
            }
        }
    }

    private func endArray() throws {
        let frame = top
        try enterLateChildren(of: frame)
        let bodyStart = frame.pointee.bodyStart
        if !frame.pointee.hasGaps {
            closeBody(tag: WireTag.array, length: count - bodyStart) { target, source in
                memmoveBytes(target, source, count - bodyStart)
            }
        } else {
            let body = try assembleElements(of: frame)
            closeBody(tag: WireTag.array, length: body.count) { target, _ in
                body.withUnsafeBytes { memmoveBytes(target, $0.baseAddress, body.count) }
            }
        }
    }

    /// Writes the header before the finished body and registers the entry with the enclosing frame.
    private func closeBody(
        tag: UInt8, length: Int, copyBody: (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    ) {
        let frame = top
        let start = frame.pointee.headerStart
        let valueLength = 1 + varintLength(UInt64(length)) + length
        ensureTotal(start + EncodingState.headerReserve(frame.pointee.name?.utf8.count ?? 0) + length)
        let outer = frame - 1
        var cursor = bytes + start
        var nameStart = 0
        var nameCount = 0
        if outer.pointee.kind == .keyed {
            // The name follows the space for the longest header; nothing before it is longer than that space.
            nameCount = frame.pointee.name?.utf8.count ?? 0
            let stash = bytes + (start + EncodingState.longestEntryPrefix)
            let inner = 2 + varintLength(UInt64(nameCount)) + nameCount + varintLength(UInt64(valueLength)) + valueLength
            cursor.put(outerTag(outer))
            cursor.putVarint(UInt64(inner))
            cursor.put(WireTag.entryKey)
            cursor.putVarint(UInt64(nameCount))
            memmoveBytes(cursor, stash, nameCount)
            nameStart = cursor - bytes
            cursor += nameCount
            cursor.put(WireTag.entryValue)
        } else {
            cursor.put(WireTag.arrayElement)
        }
        cursor.putVarint(UInt64(valueLength))
        cursor.put(tag)
        cursor.putVarint(UInt64(length))
        copyBody(cursor, UnsafeRawPointer(bytes + frame.pointee.bodyStart))
        count = (cursor - bytes) + length
        entryCount = frame.pointee.entryStart
        if outer.pointee.kind == .keyed {
            append(
                EncodedEntry(
                    prefix: keyPrefix(at: nameStart, count: nameCount), start: start, length: count - start,
                    nameStart: nameStart, nameCount: nameCount, sentinelEnd: sentinels.count, content: .bytes))
        } else {
            outer.pointee.elementCount += 1
        }
    }

    private func ensureTotal(_ total: Int) {
        if total > count { ensure(total - count) } else { ensure(0) }
    }

    /// Tag, two lengths and the key's tag before the name …
    static let longestEntryPrefix = 1 + 5 + 1 + 5
    /// … and value tag, length, map tag, length after it.
    static func headerReserve(_ nameCount: Int) -> Int { longestEntryPrefix + nameCount + 1 + 5 + 1 + 5 }

    func outerTag(_ frame: UnsafeMutablePointer<EncodingFrame>) -> UInt8 {
        frame == frames && root == .document ? WireTag.documentEntry : WireTag.mapEntry
    }

    // MARK: Order

    /// Sorts the frame's entries by name and drops all but the last one of each name. Returns true if they were in
    /// order already.
    private func arrangeEntries(of frame: UnsafeMutablePointer<EncodingFrame>) throws -> Bool {
        let start = frame.pointee.entryStart
        let number = entryCount - start
        guard number > 1 else { return true }
        let list = UnsafeMutableBufferPointer(start: entries + start, count: number)
        var isAscending = true
        for index in 1..<number where !(compareNames(list[index - 1], list[index]) < 0) {
            isAscending = false
            break
        }
        if isAscending { return true }

        let original = frame.pointee.sentinelStart < sentinels.count ? Array(list) : []
        sort(list)
        var kept = 0
        for index in 1..<number {
            if compareNames(list[kept], list[index]) == 0 {
                retireSentinels(of: list[kept], in: original, frame: frame)
                list[kept] = list[index]
            } else {
                kept += 1
                list[kept] = list[index]
            }
        }
        entryCount = start + kept + 1
        return false
    }

    /// Removes the sentinels of an entry that a later one with the same name replaced.
    private func retireSentinels(
        of loser: EncodedEntry, in original: [EncodedEntry], frame: UnsafeMutablePointer<EncodingFrame>
    ) {
        guard let place = original.firstIndex(where: { $0.start == loser.start && $0.nameStart == loser.nameStart })
        else { return }
        let from = place == 0 ? frame.pointee.sentinelStart : original[place - 1].sentinelEnd
        for index in from..<original[place].sentinelEnd { sentinels[index] = nil }
    }

    /// An entry that is being sorted: its prefix, and its index before.
    private typealias SortedEntry = (prefix: UInt64, index: Int)

    /// By name, then by age: merges ascending runs of small proxies, as types declare their fields in few runs, and moves each entry
    /// once.
    private func sortMany(_ list: UnsafeMutableBufferPointer<EncodedEntry>) {
        var order: [SortedEntry] = list.indices.map { (list[$0].prefix, $0) }
        var merged = order
        func isBefore(_ left: SortedEntry, _ right: SortedEntry) -> Bool {
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = compareNames(list[left.index], list[right.index])
            return order != 0 ? order < 0 : left.index < right.index
        }
        while mergeRuns(order, into: &merged, isBefore) > 1 { swap(&order, &merged) }
        let entries = Array(list)
        for (place, entry) in merged.enumerated() { list[place] = entries[entry.index] }
    }

    /// Merges the first and the second ascending run, the third and the fourth, and so on. Returns the number of runs that result.
    @inline(__always)
    private func mergeRuns(
        _ source: [SortedEntry], into target: inout [SortedEntry], _ isBefore: (SortedEntry, SortedEntry) -> Bool
    ) -> Int {
        func endOfRun(_ start: Int) -> Int {
            var end = start
            while end < source.count, end == start || isBefore(source[end - 1], source[end]) { end += 1 }
            return end
        }
        var start = 0
        var count = 0
        while start < source.count {
            let middle = endOfRun(start)
            let end = endOfRun(middle)
            var (left, right) = (start, middle)
            for place in start..<end {
                if right == end || left < middle && isBefore(source[left], source[right]) {
                    target[place] = source[left]
                    left += 1
                } else {
                    target[place] = source[right]
                    right += 1
                }
            }
            start = end
            count += 1
        }
        return count
    }

    /// By name, then by age. Insertion sort for the few entries of most maps.
    private func sort(_ list: UnsafeMutableBufferPointer<EncodedEntry>) {
        if list.count > 24 { return sortMany(list) }
        for index in 1..<list.count {
            let entry = list[index]
            var place = index
            while place > 0, compareNames(list[place - 1], entry) > 0 {
                list[place] = list[place - 1]
                place -= 1
            }
            list[place] = entry
        }
    }

    @inline(__always)
    func compareNames(_ left: EncodedEntry, _ right: EncodedEntry) -> Int {
        if left.prefix != right.prefix { return left.prefix < right.prefix ? -1 : 1 }
        if left.nameCount <= 8, right.nameCount <= 8 { return left.nameCount - right.nameCount }
        return compareBytes(
            UnsafeRawBufferPointer(start: bytes + left.nameStart, count: left.nameCount),
            UnsafeRawBufferPointer(start: bytes + right.nameStart, count: right.nameCount))
    }

    /// The first eight bytes of a name in the buffer, zero-padded, as a number with the same order.
    @inline(__always)
    func keyPrefix(at start: Int, count: Int) -> UInt64 {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        if count >= 8 { return word }
        return count == 0 ? 0 : word & (~0 << UInt64(64 - 8 * count))
    }

    // MARK: Assembling

    /// Moves the entries of a keyed frame into their order, at the start of its body, and returns the length of the body.
    private func arrangeBody(of frame: UnsafeMutablePointer<EncodingFrame>) -> Int {
        ensure(count - frame.pointee.bodyStart)
        let copy = bytes + count
        var cursor = copy
        for index in frame.pointee.entryStart..<entryCount {
            cursor.copyMemory(from: bytes + entries[index].start, byteCount: entries[index].length)
            cursor += entries[index].length
        }
        memmoveBytes(bytes + frame.pointee.bodyStart, copy, cursor - copy)
        return cursor - copy
    }

    /// The body of a keyed frame, entry by entry.
    private func assembleEntries(of frame: UnsafeMutablePointer<EncodingFrame>) throws -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(count - frame.pointee.bodyStart)
        let tag = outerTag(frame)
        for index in frame.pointee.entryStart..<entryCount {
            let entry = entries[index]
            switch entry.content {
            case .bytes:
                body.append(contentsOf: UnsafeRawBufferPointer(start: bytes + entry.start, count: entry.length))
            case .child(let child):
                let value = try finishChild(Int(child))
                body.appendEntry(
                    tag: tag, name: UnsafeRawBufferPointer(start: bytes + entry.nameStart, count: entry.nameCount),
                    value: value)
            case .sentinel: break
            }
        }
        return body
    }

    /// The body of an unkeyed frame with detached elements.
    private func assembleElements(of frame: UnsafeMutablePointer<EncodingFrame>) throws -> [UInt8] {
        var body: [UInt8] = []
        var position = frame.pointee.bodyStart
        for index in frame.pointee.entryStart..<entryCount {
            let entry = entries[index]
            body.append(contentsOf: UnsafeRawBufferPointer(start: bytes + position, count: entry.start - position))
            position = entry.start
            if case .child(let child) = entry.content {
                let value = try finishChild(Int(child))
                body.append(WireTag.arrayElement)
                body.appendLengthDelimited(value)
            }
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes + position, count: count - position))
        return body
    }

    /// The bytes of a detached child, which is complete now; its sentinels are moved to this state.
    private func finishChild(_ index: Int) throws -> [UInt8] {
        let child = children[index]
        let value = try child.finishValue().array
        sentinels.append(contentsOf: child.sentinels)
        return value
    }

    // MARK: Results

    /// The bytes of the single value of a `Root.value` state.
    func finishValue() throws -> ByteSlice {
        while frameCount > 1 { try endFrame() }
        var reader = WireReader(position: UnsafeRawPointer(bytes) + 1, end: UnsafeRawPointer(bytes) + count)
        guard count > 0, let value = reader.lengthDelimited() else { return ByteSlice([WireTag.map, 0]) }
        return ByteSlice(copying: value)
    }

    /// The canonical bytes of a document, after `encodeRoot`.
    func finishDocument() throws -> ByteSlice {
        let frame = frames
        try enterLateChildren(of: frame)
        let isSorted = try arrangeEntries(of: frame)
        if frame.pointee.hasGaps { return ByteSlice(try assembleEntries(of: frame)) }
        if isSorted { return ByteSlice(copying: UnsafeRawBufferPointer(start: bytes, count: count)) }
        var length = 0
        for index in 0..<entryCount { length += entries[index].length }
        let storage = ByteStorage.make(count: length) { target in
            var cursor = target
            for index in 0..<entryCount {
                cursor.copyMemory(from: bytes + entries[index].start, byteCount: entries[index].length)
                cursor += entries[index].length
            }
        }
        return ByteSlice(owner: storage, start: storage.start, count: length)
    }
}

@inline(__always)
func memmoveBytes(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer?, _ count: Int) {
    if let source, count > 0 { target.copyMemory(from: source, byteCount: count) }
}

/// Writes at a cursor into reserved space.
extension UnsafeMutableRawPointer {
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        storeBytes(of: byte, as: UInt8.self)
        self += 1
    }

    @inline(__always)
    mutating func putVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func putDouble(_ value: Double) {
        // All NaNs are one value (VAL-7).
        let bits = value.isNaN ? Double.nan.bitPattern : value.bitPattern
        storeBytes(of: bits.littleEndian, as: UInt64.self)
        self += 8
    }
}
