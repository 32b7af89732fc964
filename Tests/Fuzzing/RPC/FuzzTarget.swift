// SPDX-License-Identifier: Apache-2.0
import FuzzFrame

@main
enum FuzzTarget: String, CaseIterable, Fuzzer {
    case deframer, connection, session, webchannel

    private static let target = chosen()

    static func run(_ input: [UInt8]) { target.run(input) }

    private func run(_ input: [UInt8]) {
        switch self {
        case .deframer: DeframerTarget.run(input)
        case .connection: ConnectionTarget.run(input)
        case .session: SessionTarget.run(input)
        case .webchannel: WebChannelTarget.run(input)
        }
    }
}

/// Takes an input apart, byte by byte; zeros after its end.
struct InputReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index >= bytes.count }

    mutating func byte() -> UInt8 {
        guard index < bytes.count else { return 0 }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, index + count)
        defer { index = end }
        return Array(bytes[min(index, end)..<end])
    }
}
