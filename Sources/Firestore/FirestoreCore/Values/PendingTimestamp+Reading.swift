// SPDX-License-Identifier: Apache-2.0

extension PendingTimestamp {
    /// The value that a reader gets in place of a pending timestamp (SY-39).
    package enum Reading: Sendable {
        case null
        /// The time of the local write.
        case estimate
        /// The value before the write; null if the field was missing.
        case previous
    }

    fileprivate func bytes(as reading: Reading) -> [UInt8] {
        switch (reading, previous) {
        case (.estimate, _): Self.encoded(.timestamp(localWriteTime))
        case (.previous, let previous?): [UInt8](previous.buffer)
        case (.null, _), (.previous, nil): Self.encoded(.null)
        }
    }
}

extension FieldBytes {
    /// The fields with a plain value in place of every pending timestamp, so that decoders and other readers never meet one.
    ///
    /// Returns the same bytes without a copy if there is none. Needed only for documents with pending writes.
    package func reading(pendingTimestampsAs reading: PendingTimestamp.Reading) -> FieldBytes {
        defer { withExtendedLifetime(bytes) {} }
        return PendingTimestampReplacement(reading: reading).entries(view, tag: WireTag.documentEntry, depth: 0)
            .map { FieldBytes(canonical: ByteSlice($0)) } ?? self
    }

    /// Whether a pending timestamp is anywhere in the fields. Walks all of them.
    package var containsPendingTimestamp: Bool {
        defer { withExtendedLifetime(bytes) {} }
        return PendingTimestampReplacement(reading: .null).entries(view, tag: WireTag.documentEntry, depth: 0) != nil
    }
}

extension FirestoreError {
    /// The error of writers of files, which must never see a pending timestamp: it exists only in the view of one client.
    package static let pendingTimestamp = FirestoreError(
        .internal, "a server timestamp that is not known yet has reached a place that only takes stored documents")
}

private struct PendingTimestampReplacement {
    let reading: PendingTimestamp.Reading
    /// Valid values nest far less; damaged bytes must not exhaust the stack.
    private let deepest = 4 * Limits.nestingLevels

    /// The entries with replaced values; nil if they contain no pending timestamp. Copied from the first replaced one on.
    func entries(_ fields: FieldsView, tag: UInt8, depth: Int) -> [UInt8]? {
        guard depth < deepest, let start = fields.bytes.baseAddress else { return nil }
        var result: [UInt8]?
        var position = start
        for (name, value) in fields {
            if let replaced = self.value(value, depth: depth) {
                if result == nil { result = [UInt8](UnsafeRawBufferPointer(start: start, count: position - start)) }
                result?.appendEntry(tag: tag, name: name, value: replaced)
            } else {
                result?.append(contentsOf: UnsafeRawBufferPointer(start: position, count: value.end - position))
            }
            position = value.end
        }
        // Bytes that damage leaves unread.
        result?.append(contentsOf: UnsafeRawBufferPointer(start: position, count: start + fields.bytes.count - position))
        return result
    }

    /// nil for a value without a pending timestamp.
    private func value(_ value: ValueView, depth: Int) -> [UInt8]? {
        switch value.kind {
        case .map:
            if let pending = PendingTimestamp(value) { return pending.bytes(as: reading) }
            return value.fields.flatMap { entries($0, tag: WireTag.mapEntry, depth: depth + 1) }
                .map { Self.container(WireTag.map, $0) }
        case .array: return value.elements.flatMap { elements($0, depth: depth + 1) }.map { Self.container(WireTag.array, $0) }
        default: return nil
        }
    }

    private func elements(_ elements: ArrayView, depth: Int) -> [UInt8]? {
        guard depth < deepest, let start = elements.bytes.baseAddress else { return nil }
        var result: [UInt8]?
        var position = start
        for element in elements {
            if let replaced = value(element, depth: depth) {
                if result == nil { result = [UInt8](UnsafeRawBufferPointer(start: start, count: position - start)) }
                result?.append(WireTag.arrayElement)
                result?.appendLengthDelimited(replaced)
            } else {
                result?.append(contentsOf: UnsafeRawBufferPointer(start: position, count: element.end - position))
            }
            position = element.end
        }
        result?.append(contentsOf: UnsafeRawBufferPointer(start: position, count: start + elements.bytes.count - position))
        return result
    }

    private static func container(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [tag]
        bytes.appendLengthDelimited(body)
        return bytes
    }
}
