#if Remote
import Glibc

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

enum FuzzTarget: String, CaseIterable {
    case deframer, connection, session

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
#endif
