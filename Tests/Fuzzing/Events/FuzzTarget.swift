// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreWebhooks
import FuzzFrame

/// The first byte chooses: a file of triggers, or a pattern and a path with a newline between.
@main
enum FuzzTarget: Fuzzer {
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
