// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreWebhooks
import Glibc

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.run([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer's own `main`, under another name.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM begins an executable at the symbol of this name, so that libFuzzer's `main` is never linked.
@_cdecl("FuzzEvents_main")
public func begin(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runFuzzer(&count, &arguments, fuzz)
}

/// The first byte chooses: a file of triggers, or a pattern and a path with a newline between.
enum FuzzTarget {
    static func run(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let rest = Array(input.dropFirst())
        if choice % 2 == 0 { file(rest) } else { pattern(rest) }
    }

    private static func file(_ text: [UInt8]) {
        do throws(TriggerFile.Mistake) {
            let file = try TriggerFile(text, path: "/nowhere/events.json", project: "p")
            precondition(file.triggers.allSatisfy { !$0.trigger.kinds.isEmpty && (1...1_000).contains($0.trigger.concurrency) })
        } catch {
            let lines = 1 + text.count { $0 == UInt8(ascii: "\n") }
            precondition((1...lines).contains(error.line) && !error.message.isEmpty)
        }
    }

    private static func pattern(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let pattern = try? DocumentPattern(String(decoding: parts[0], as: UTF8.self)) else { return }
        let path = String(decoding: parts[1], as: UTF8.self)
        guard let key = try? PathCheck.documentKey(path), let params = pattern.match(key) else { return }
        precondition(params.values.allSatisfy { $0.isEmpty || key.path.contains($0) })
    }
}
