/// Names a frame for as long as it is open: its place in the stack, and a number no other frame ever had.
struct FrameToken: Equatable {
    private let raw: Int

    init(index: Int, serial: Int) { raw = serial << 24 | index }
    private init(raw: Int) { self.raw = raw }

    /// The token of no frame; every write through it fails.
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
        /// Holds the one value of a state with `Root.value`.
        case holder
    }

    var kind: Kind
    /// Keys of a `[String: T]`: no key strategy (R67).
    var isExemptFromKeyStrategy = false
    /// Something between the entries' bytes does not belong to them: the body has to be put together entry by entry.
    var hasGaps = false
    /// Maps and arrays from the document to here.
    var depth: Int
    var token = FrameToken.none
    var headerStart = 0
    var bodyStart = 0
    var entryStart = 0
    var sentinelStart = 0
    /// Elements written to an unkeyed frame.
    var elementCount = 0
    /// The field name, if the frame around this one is keyed.
    var name: String?
    /// The place, if the frame around this one is unkeyed; else negative.
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
        /// The entry stands in the buffer in final form.
        case bytes
        /// A detached child holds the value; only the name stands in the buffer.
        case child(Int32)
        /// The value is a sentinel and leaves no bytes; only the name stands in the buffer.
        case sentinel
    }

    /// The name's first eight bytes as a big-endian number: most comparisons need no more.
    var prefix: UInt64
    var start: Int
    var length: Int
    var nameStart: Int
    var nameCount: Int
    /// How many sentinels there were once this entry was complete.
    var sentinelEnd: Int
    var content: Content
}
