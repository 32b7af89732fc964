// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The parameters of SETTINGS (RFC 9113, section 6.5.2).
struct HTTP2Settings: Equatable {
    enum Name {
        static let headerTableSize: UInt16 = 1
        static let enablePush: UInt16 = 2
        static let concurrentStreams: UInt16 = 3
        static let initialWindow: UInt16 = 4
        static let framePayload: UInt16 = 5
        static let headerListSize: UInt16 = 6
    }

    static let largestWindow = Int(Int32.max)

    var headerTableSize = 4096
    var concurrentStreams = Int.max
    var initialWindow = 65_535
    var framePayload = HTTP2FrameHead.usualPayload

    /// What is wrong with the value of a parameter; unknown parameters are ignored.
    mutating func set(_ name: UInt16, _ value: Int) -> HTTP2ConnectionError? {
        switch name {
        case Name.headerTableSize: headerTableSize = value
        case Name.enablePush:
            guard value <= 1 else { return HTTP2ConnectionError(code: .protocolError, reason: "ENABLE_PUSH is \(value)") }
        case Name.concurrentStreams: concurrentStreams = value
        case Name.initialWindow:
            guard value <= Self.largestWindow else {
                return HTTP2ConnectionError(code: .flowControlError, reason: "INITIAL_WINDOW_SIZE is \(value)")
            }
            initialWindow = value
        case Name.framePayload:
            guard (HTTP2FrameHead.usualPayload ... 16_777_215).contains(value) else {
                return HTTP2ConnectionError(code: .protocolError, reason: "MAX_FRAME_SIZE is \(value)")
            }
            framePayload = value
        default: break
        }
        return nil
    }
}
