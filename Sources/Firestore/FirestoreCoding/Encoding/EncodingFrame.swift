// SPDX-License-Identifier: Apache-2.0

/// Identifies an open frame: its position in the stack, and a number that no other frame has.
struct FrameToken: Equatable {
    private let raw: Int

    init(index: Int, serial: Int) { raw = serial << 24 | index }
    private init(raw: Int) { self.raw = raw }

    /// The token without a frame; every write through it fails.
    static let none = FrameToken(raw: 0xFF_FFFF)

    var index: Int { raw & 0xFF_FFFF }

    @inline(__always)
    static func == (left: FrameToken, right: FrameToken) -> Bool { left.raw == right.raw }
}

/// One value that is being encoded.
struct EncodingFrame {
    enum Kind: UInt8 {
        /// Nothing written yet.
        case pending
        case keyed, unkeyed
        /// A single value has been written.
        case scalar
        /// Contains the single value of a state with `Root.value`.
        case holder
    }

    var kind: Kind
    /// Whether the keys are those of a `[String: T]`, to which the key strategy does not apply (R67).
    var isExemptFromKeyStrategy = false
    /// Whether there are bytes between the entries that do not belong to them, so that the body must be assembled entry
    /// by entry.
    var hasGaps = false
    /// The number of maps and arrays from the document to here.
    var depth: Int
    var token = FrameToken.none
    var headerStart = 0
    var bodyStart = 0
    var entryStart = 0
    var sentinelStart = 0
    /// The number of elements written to an unkeyed frame.
    var elementCount = 0
    /// The field name, if the enclosing frame is keyed.
    var name: String?
    /// The index, if the enclosing frame is unkeyed; otherwise negative.
    var index = -1
    var key: (any CodingKey)?

    init(kind: Kind, depth: Int) {
        self.kind = kind
        self.depth = depth
    }
}

/// One written entry of a keyed frame (or a detached element of an unkeyed one). Offsets into the state's buffer.
struct EncodedEntry {
    enum Content: Equatable {
        /// The entry is in the buffer in its final form.
        case bytes
        /// A detached child contains the value; only the name is in the buffer.
        case child(Int32)
        /// The value is a sentinel without bytes; only the name is in the buffer.
        case sentinel
    }

    /// The name's first eight bytes as a big-endian number, which is enough for most comparisons.
    var prefix: UInt64
    var start: Int
    var length: Int
    var nameStart: Int
    var nameCount: Int
    /// The number of sentinels when this entry was complete.
    var sentinelEnd: Int
    var content: Content
}
