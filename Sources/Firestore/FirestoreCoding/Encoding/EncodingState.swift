// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The state of one encoding call: one growing byte buffer, a stack of open frames, an index of written entries.
///
/// A frame is one value that is being encoded. It starts as `pending`; its `encode(to:)` then opens a container in it
/// or writes a single value. Entries of scalars are appended immediately in their final form:
///
///     title: "Hi"   ⇒   12 0D · 0A 05 t i t l e · 12 04 · 8A 01 02 H i
///
/// When a map or an array is opened, space for the longest possible header is reserved before its body; when its
/// `encode(to:)` returns, the header is written, its entries are sorted, and the body is moved to follow the header.
/// Coding paths are computed from the frames only on request.
///
/// Containers that are requested explicitly (`nestedContainer`, `superEncoder`) may be written later and in any order
/// (R51, R55): each gets a separate state, a *detached child*, which is merged when its owner's frame closes.
final class EncodingState {
    enum Root {
        /// The value is a document: its entries carry the document's tag, and it must be a map (R7).
        case document
        /// Any value; `finishValue` gives its bytes.
        case value
    }

    let options: EncodingOptions
    let usesDefaultKeys: Bool
    let followsFirestoreRules: Bool
    let origin: EncodingOrigin
    let root: Root

    // The initial sizes fit into the allocator's per-thread cache (about a kilobyte each).
    @exclusivity(unchecked) var bytes: UnsafeMutableRawPointer
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) var capacity = 1000

    @exclusivity(unchecked) var entries: UnsafeMutablePointer<EncodedEntry>
    @exclusivity(unchecked) var entryCount = 0
    @exclusivity(unchecked) var entryCapacity = 14

    @exclusivity(unchecked) var frames: UnsafeMutablePointer<EncodingFrame>
    @exclusivity(unchecked) var frameCount = 0
    @exclusivity(unchecked) var frameCapacity = 5

    /// The innermost frame's token, which a container compares with its own before writing.
    @exclusivity(unchecked) var currentToken: FrameToken = .none
    @exclusivity(unchecked) var serial = 0

    /// nil if a later value with the same name replaced the sentinel.
    @exclusivity(unchecked) var sentinels: [PlacedSentinel?] = []
    @exclusivity(unchecked) var children: [EncodingState] = []
    @exclusivity(unchecked) var late: [LateChild] = []
    /// A misuse that could not be thrown where it happened; thrown when its frame ends.
    @exclusivity(unchecked) var failure: (any Error)? {
        didSet { failureFrameCount = frameCount }
    }
    /// The number of frames that were open when it happened.
    private var failureFrameCount = 0

    init(options: EncodingOptions, root: Root, origin: EncodingOrigin = EncodingOrigin()) {
        self.options = options
        self.root = root
        self.origin = origin
        if case .useDefaultKeys = options.keys { usesDefaultKeys = true } else { usesDefaultKeys = false }
        followsFirestoreRules = options.destination != .structure
        bytes = .allocate(byteCount: capacity, alignment: 8)
        entries = .allocate(capacity: entryCapacity)
        frames = .allocate(capacity: frameCapacity)
        if root == .value {
            push(.holder, depth: origin.depth)
        }
        push(.pending, depth: origin.depth)
    }

    deinit {
        bytes.deallocate()
        entries.deallocate()
        frames.deinitialize(count: frameCount)
        frames.deallocate()
    }

    var placedSentinels: [PlacedSentinel] { sentinels.compactMap { $0 } }

    // MARK: Frames

    @inline(__always) var top: UnsafeMutablePointer<EncodingFrame> { frames + (frameCount - 1) }

    func push(_ kind: EncodingFrame.Kind, depth: Int) {
        if frameCount == frameCapacity { growFrames() }
        serial &+= 1
        let token = FrameToken(index: frameCount, serial: serial)
        let frame = frames + frameCount
        frame.initialize(to: EncodingFrame(kind: kind, depth: depth))
        frame.pointee.token = token
        frame.pointee.headerStart = count
        frame.pointee.entryStart = entryCount
        frame.pointee.sentinelStart = sentinels.count
        frameCount += 1
        currentToken = token
    }

    func pop() {
        frameCount -= 1
        (frames + frameCount).deinitialize(count: 1)
        currentToken = frameCount > 0 ? top.pointee.token : .none
    }

    /// Discards everything written since frame `index` was pushed, including that frame, so that a caller that catches
    /// the error can continue (R96).
    func unwind(toFrame index: Int) {
        guard frameCount > index else { return }
        let frame = frames + index
        count = frame.pointee.headerStart
        entryCount = frame.pointee.entryStart
        sentinels.removeSubrange(frame.pointee.sentinelStart...)
        while frameCount > index { pop() }
        if failureFrameCount > index { failure = nil }
    }

    private func growFrames() {
        let grown = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: frameCapacity * 2)
        grown.moveInitialize(from: frames, count: frameCount)
        frames.deallocate()
        frames = grown
        frameCapacity *= 2
    }

    /// The frame of a token; nil if it is closed.
    func frame(_ token: FrameToken) -> UnsafeMutablePointer<EncodingFrame>? {
        guard token.index < frameCount, frames[token.index].token == token else { return nil }
        return frames + token.index
    }

    // MARK: Buffer

    /// Makes room for `needed` more bytes, and eight after them so that keys can be read one word at a time.
    @inline(__always)
    func ensure(_ needed: Int) {
        if capacity - count < needed + 8 { grow(needed + 8) }
    }

    @inline(never)
    private func grow(_ needed: Int) {
        capacity = max(capacity * 2, count + needed)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        grown.copyMemory(from: bytes, byteCount: count)
        bytes.deallocate()
        bytes = grown
    }

    @inline(__always)
    func append(_ entry: EncodedEntry) {
        if entryCount == entryCapacity { growEntries() }
        (entries + entryCount).initialize(to: entry)
        entryCount += 1
    }

    @inline(never)
    private func growEntries() {
        let grown = UnsafeMutablePointer<EncodedEntry>.allocate(capacity: entryCapacity * 2)
        grown.moveInitialize(from: entries, count: entryCount)
        entries.deallocate()
        entries = grown
        entryCapacity *= 2
    }

    // MARK: Paths

    /// The coding path of a frame, with Swift names (R58).
    func codingPath(of token: FrameToken) -> [any CodingKey] {
        guard frame(token) != nil else { return origin.codingPath }
        var path = origin.codingPath
        for index in 0...token.index {
            if let key = frames[index].key {
                path.append(key)
            } else if frames[index].index >= 0 {
                path.append(IndexKey(frames[index].index))
            }
        }
        return path
    }

    /// The field names from the document down to a frame.
    func fieldNames(of token: FrameToken) -> [String] {
        var names = origin.fieldNames
        for index in 0..<min(token.index + 1, frameCount) where frames[index].name != nil {
            names.append(frames[index].name ?? "")
        }
        return names
    }

    /// Whether there is an array between the document and the inside of a frame.
    func isInsideArray(_ token: FrameToken) -> Bool {
        guard !origin.isInsideArray else { return true }
        return (0..<min(token.index + 1, frameCount)).contains { frames[$0].kind == .unkeyed }
    }
}

/// The position of a state's first value, for a detached child.
struct EncodingOrigin {
    var codingPath: [any CodingKey] = []
    var fieldNames: [String] = []
    var depth = 0
    var isInsideArray = false
    /// Whether the value is itself an element of an array.
    var isArrayElement = false
}

/// A detached child that was made while its frame was not the innermost one; its name is entered once it is.
struct LateChild {
    let frame: FrameToken
    let name: String?
    let child: Int32
}
