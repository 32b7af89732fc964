// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The destination of one value.
enum WritePlace {
    /// Under a name of the innermost frame, which is keyed.
    case entry(name: String, FrameToken)
    /// At the end of the innermost frame, which is unkeyed.
    case element(FrameToken)
    /// As the single value of the innermost frame.
    case single(FrameToken)
}

/// Space in the buffer for values of known length.
extension EncodingState {
    /// Writes everything before a value of `length` bytes and returns the position of these bytes.
    @inline(__always)
    func reserve(_ length: Int, at place: WritePlace) throws(WriteFailure) -> UnsafeMutableRawPointer {
        switch place {
        case .entry(let name, let token):
            guard token == currentToken else { throw .notCurrent }
            return try reserveEntry(length, name: name, in: top)
        case .element(let token):
            guard token == currentToken else { throw .notCurrent }
            return reserveElement(length, in: top)
        case .single(let token):
            guard token == currentToken else { throw .notCurrent }
            return try reserveSingle(length)
        }
    }

    func reserveSingle(_ length: Int) throws(WriteFailure) -> UnsafeMutableRawPointer {
        try claimSingle()
        let outer = top - 1
        if outer.pointee.kind == .keyed {
            return try reserveEntry(length, name: top.pointee.name ?? "", in: outer)
        }
        return reserveElement(length, in: outer)
    }

    /// Marks the innermost frame as holding a single value.
    func claimSingle() throws(WriteFailure) {
        guard frameCount > 1 else { throw .topLevel }
        guard top.pointee.kind == .pending else { throw .alreadyWritten }
        top.pointee.kind = .scalar
    }

    private func reserveElement(
        _ length: Int, in frame: UnsafeMutablePointer<EncodingFrame>
    ) -> UnsafeMutableRawPointer {
        ensure(length + 6)
        var cursor = bytes + count
        cursor.put(WireTag.arrayElement)
        cursor.putVarint(UInt64(length))
        count = (cursor - bytes) + length
        frame.pointee.elementCount += 1
        return cursor
    }

    private func reserveEntry(
        _ length: Int, name: String, in frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(WriteFailure) -> UnsafeMutableRawPointer {
        var name = name
        let cursor = name.withUTF8 { utf8 -> UnsafeMutableRawPointer? in
            let nameCount = utf8.count
            let inner = 2 + varintLength(UInt64(nameCount)) + nameCount + varintLength(UInt64(length)) + length
            ensure(inner + 6)
            let start = count
            var cursor = bytes + start
            cursor.put(outerTag(frame))
            cursor.putVarint(UInt64(inner))
            cursor.put(WireTag.entryKey)
            cursor.putVarint(UInt64(nameCount))
            let nameStart = cursor - bytes
            if let base = utf8.baseAddress { cursor.copyMemory(from: base, byteCount: nameCount) }
            guard isAllowed(nameAt: nameStart, count: nameCount) else { return nil }
            cursor += nameCount
            cursor.put(WireTag.entryValue)
            cursor.putVarint(UInt64(length))
            count = (cursor - bytes) + length
            append(
                EncodedEntry(
                    prefix: keyPrefix(at: nameStart, count: nameCount), start: start, length: count - start,
                    nameStart: nameStart, nameCount: nameCount, sentinelEnd: sentinels.count, content: .bytes))
            return cursor
        }
        guard let cursor else { throw EncodingState.nameFailure(name) }
        return cursor
    }

    /// Not empty, and not `__…__` (DM-15, R109).
    @inline(__always)
    func isAllowed(nameAt start: Int, count: Int) -> Bool {
        guard count > 0 else { return !followsFirestoreRules }
        let name = bytes + start
        let underscore = UInt8(ascii: "_")
        guard name.load(as: UInt8.self) == underscore, count >= 4 else { return true }
        return
            !(name.load(fromByteOffset: 1, as: UInt8.self) == underscore
            && name.load(fromByteOffset: count - 1, as: UInt8.self) == underscore
            && name.load(fromByteOffset: count - 2, as: UInt8.self) == underscore) || !followsFirestoreRules
    }

    static func nameFailure(_ name: String) -> WriteFailure { name.utf8.isEmpty ? .emptyName : .reservedName(name) }

    /// Appends only a name to a keyed frame, for entries whose bytes follow later or never.
    func appendGap(
        _ content: EncodedEntry.Content, name: String, to frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(WriteFailure) {
        var name = name
        let isAllowed = name.withUTF8 { utf8 -> Bool in
            ensure(utf8.count)
            let start = count
            if let base = utf8.baseAddress { (bytes + start).copyMemory(from: base, byteCount: utf8.count) }
            guard self.isAllowed(nameAt: start, count: utf8.count) else { return false }
            count += utf8.count
            append(
                EncodedEntry(
                    prefix: keyPrefix(at: start, count: utf8.count), start: start, length: 0, nameStart: start,
                    nameCount: utf8.count, sentinelEnd: sentinels.count, content: content))
            frame.pointee.hasGaps = true
            return true
        }
        if !isAllowed { throw EncodingState.nameFailure(name) }
    }

    /// Opens the innermost frame as a container. Throws if it is something else already.
    func open(_ kind: EncodingFrame.Kind) throws(WriteFailure) {
        let frame = top
        if frame.pointee.kind == kind { return }
        guard frame.pointee.kind == .pending else { throw .alreadyWritten }
        if frameCount == 1 {
            guard kind == .keyed else { throw .topLevel }
            frame.pointee.kind = .keyed
            return
        }
        let outer = frame - 1
        if kind == .unkeyed, outer.pointee.kind == .unkeyed || (outer.pointee.kind == .holder && origin.isArrayElement),
            followsFirestoreRules
        {
            throw .nestedArray
        }
        guard frame.pointee.depth < Limits.nestingLevels || !followsFirestoreRules else { throw .tooDeep }
        frame.pointee.depth += 1
        let start = frame.pointee.headerStart
        if outer.pointee.kind == .keyed {
            var name = frame.pointee.name ?? ""
            let isAllowed = name.withUTF8 { utf8 -> Bool in
                ensure(EncodingState.headerReserve(utf8.count))
                let stash = start + EncodingState.longestEntryPrefix
                if let base = utf8.baseAddress { (bytes + stash).copyMemory(from: base, byteCount: utf8.count) }
                count = start + EncodingState.headerReserve(utf8.count)
                return self.isAllowed(nameAt: stash, count: utf8.count)
            }
            if !isAllowed { throw EncodingState.nameFailure(name) }
        } else {
            ensure(EncodingState.headerReserve(0))
            count = start + EncodingState.headerReserve(0)
        }
        frame.pointee.bodyStart = count
        frame.pointee.kind = kind
    }

    /// Writes a sentinel in place of a value (R34, R82).
    func write(_ sentinel: Sentinel, in token: FrameToken) throws(WriteFailure) {
        guard token == currentToken else { throw .notCurrent }
        if isInsideArray(token) { throw .sentinelInArray }  // R86, WR-44
        try claimSingle()
        let outer = top - 1
        sentinels.append(PlacedSentinel(path: FieldPathSegments(fieldNames(of: token)), sentinel: sentinel))
        if outer.pointee.kind == .keyed {
            try appendGap(.sentinel, name: top.pointee.name ?? "", to: outer)
        }
    }
}
