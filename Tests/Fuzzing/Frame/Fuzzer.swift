// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The program of a fuzzer: libFuzzer calls `run` with every input.
package protocol Fuzzer {
    static func run(_ input: [UInt8])
}

extension Fuzzer {
    package static func main() {
        body = run
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        exit(runFuzzer(&count, &arguments, fuzz))
    }
}

extension Fuzzer where Self: CaseIterable & RawRepresentable, RawValue == String {
    /// The case that `HEARTH_FUZZ_TARGET` names.
    package static func chosen() -> Self {
        let name = getenv("HEARTH_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = Self(rawValue: name) else {
            print("HEARTH_FUZZ_TARGET is one of \(allCases.map(\.rawValue).joined(separator: ", "))")
            exit(2)
        }
        return target
    }
}

/// Set before the first input, and never again.
nonisolated(unsafe) private var body: ([UInt8]) -> Void = { _ in }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    body([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer's own `main`, under another name. SwiftPM begins an executable at the symbol of its `@main`, so that libFuzzer's is never
/// linked.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
