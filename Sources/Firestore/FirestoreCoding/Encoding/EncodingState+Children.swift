// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Detached children: containers that may be written later and in any order (R51, R55).
extension EncodingState {
    /// A state for one value in a frame that is still open: under a name if the frame is keyed, otherwise as an
    /// element.
    func makeChild(
        in token: FrameToken, name: String?, key: (any CodingKey)?
    ) throws(WriteFailure) -> EncodingState {
        guard let frame = frame(token) else { throw .notCurrent }
        let isElement = frame.pointee.kind == .unkeyed
        var origin = EncodingOrigin()
        origin.codingPath = codingPath(of: token) + [key ?? IndexKey(frame.pointee.elementCount)]
        origin.fieldNames = fieldNames(upTo: token) + (name.map { [$0] } ?? [])
        origin.depth = frame.pointee.depth
        origin.isInsideArray = isInsideArray(token)
        origin.isArrayElement = isElement
        let child = EncodingState(options: options, root: .value, origin: origin)
        children.append(child)
        let number = Int32(children.count - 1)
        if token != currentToken {
            late.append(LateChild(frame: token, name: name, child: number))
            if isElement { frame.pointee.elementCount += 1 }
        } else {
            try enter(child: number, name: name, in: frame)
            if isElement { frame.pointee.elementCount += 1 }
        }
        return child
    }

    private func fieldNames(upTo token: FrameToken) -> [String] { fieldNames(of: token) }

    private func enter(
        child: Int32, name: String?, in frame: UnsafeMutablePointer<EncodingFrame>
    ) throws(WriteFailure) {
        if frame.pointee.kind == .keyed {
            try appendGap(.child(child), name: name ?? "", to: frame)
        } else {
            frame.pointee.hasGaps = true
            append(
                EncodedEntry(
                    prefix: 0, start: count, length: 0, nameStart: count, nameCount: 0, sentinelEnd: sentinels.count,
                    content: .child(child)))
        }
    }

    /// Enters the children that were made while another frame was the innermost one.
    func enterLateChildren(of frame: UnsafeMutablePointer<EncodingFrame>) throws {
        guard !late.isEmpty else { return }
        for entry in late where entry.frame == frame.pointee.token {
            do {
                try enter(child: entry.child, name: entry.name, in: frame)
            } catch {
                throw error.error(value: (), path: codingPath(of: frame.pointee.token))
            }
        }
        late.removeAll { $0.frame == frame.pointee.token }
    }

    /// The container under a name: a new one, or the existing one (R51).
    func container(
        _ kind: EncodingFrame.Kind, in token: FrameToken, name: String?, key: (any CodingKey)?
    ) throws(WriteFailure) -> (state: EncodingState, token: FrameToken) {
        guard let frame = frame(token) else { throw .notCurrent }
        if let name, frame.pointee.kind == .keyed, let existing = entry(named: name, in: frame) {
            switch existing.content {
            case .child(let number):
                let child = children[Int(number)]
                guard child.frames[1].kind == kind else { throw .nameTaken(name) }
                return (child, child.frames[1].token)
            case .sentinel: throw .nameTaken(name)
            case .bytes: return try continuing(existing, kind, in: token, name: name, key: key)
            }
        }
        let child = try makeChild(in: token, name: name, key: key)
        try child.open(kind)
        return (child, child.currentToken)
    }

    /// The newest entry under a name, of the innermost frame or of one further out.
    private func entry(named name: String, in frame: UnsafeMutablePointer<EncodingFrame>) -> EncodedEntry? {
        if let entry = late.last(where: { $0.frame == frame.pointee.token && $0.name.map { compareUTF8($0, name) } == 0 }) {
            return EncodedEntry(
                prefix: 0, start: 0, length: 0, nameStart: 0, nameCount: 0, sentinelEnd: 0, content: .child(entry.child))
        }
        let isInnermost = frame.pointee.token == currentToken
        let end = isInnermost ? entryCount : (frame + 1).pointee.entryStart
        var name = name
        return name.withUTF8 { utf8 in
            (frame.pointee.entryStart..<end).reversed().lazy.map { self.entries[$0] }.first {
                compareBytes(
                    UnsafeRawBufferPointer(start: self.bytes + $0.nameStart, count: $0.nameCount),
                    UnsafeRawBufferPointer(utf8)) == 0
            }
        }
    }

    /// A child that starts with the content of an existing entry with the same name, and replaces it.
    private func continuing(
        _ existing: EncodedEntry, _ kind: EncodingFrame.Kind, in token: FrameToken, name: String,
        key: (any CodingKey)?
    ) throws(WriteFailure) -> (state: EncodingState, token: FrameToken) {
        let copy = [UInt8](UnsafeRawBufferPointer(start: bytes + existing.start, count: existing.length))
        let child = try makeChild(in: token, name: name, key: key)
        try child.open(kind)
        let seeded = copy.withUnsafeBytes { buffer -> Bool in
            guard let value = FieldsView(buffer).makeIterator().first()?.value else { return false }
            return kind == .keyed ? child.seed(value.fields) : child.seed(value.elements)
        }
        guard seeded else { throw .nameTaken(name) }
        return (child, child.currentToken)
    }

    private func seed(_ fields: FieldsView?) -> Bool {
        guard let fields else { return false }
        let start = count
        seed(bytes: fields.bytes)
        var reader = WireReader(position: bytes + start, end: bytes + count)
        while !reader.isAtEnd {
            let entryStart = reader.position - UnsafeRawPointer(bytes)
            guard let name = reader.entry()?.name, let base = name.baseAddress else { return false }
            let nameStart = base - UnsafeRawPointer(bytes)
            append(
                EncodedEntry(
                    prefix: keyPrefix(at: nameStart, count: name.count), start: entryStart,
                    length: reader.position - UnsafeRawPointer(bytes) - entryStart, nameStart: nameStart,
                    nameCount: name.count, sentinelEnd: sentinels.count, content: .bytes))
        }
        return true
    }

    private func seed(_ elements: ArrayView?) -> Bool {
        guard let elements else { return false }
        seed(bytes: elements.bytes)
        top.pointee.elementCount = elements.count
        return true
    }

    private func seed(bytes source: UnsafeRawBufferPointer) {
        ensure(source.count)
        memmoveBytes(bytes + count, source.baseAddress, source.count)
        count += source.count
    }
}

extension FieldsView.Iterator {
    fileprivate func first() -> (name: UnsafeRawBufferPointer, value: ValueView)? {
        var copy = self
        return copy.next()
    }
}
