// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer's own `main`, under another name.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM begins an executable at the symbol of this name, so that libFuzzer's `main` is never linked.
@_cdecl("FuzzRPC_main")
public func begin(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, fuzz)
}

enum FuzzTarget: String, CaseIterable {
    case deframer, connection, session, webchannel

    static let chosen: FuzzTarget = {
        let name = getenv("HEARTH_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("HEARTH_FUZZ_TARGET is one of \(allCases.map(\.rawValue).joined(separator: ", "))")
            exit(2)
        }
        return target
    }()

    func run(_ input: [UInt8]) {
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
