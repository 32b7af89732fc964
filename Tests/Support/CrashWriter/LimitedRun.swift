// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation

/// Commits until the write-ahead log may not grow any more, so that it is SQLite's COMMIT that fails; then lifts the
/// limit and continues. Prints a line for every step.
struct LimitedRun {
    let file: String

    func run() async {
        signal(SIGXFSZ, SIG_IGN)
        guard let engine = try? Engine.open(configuration(file)) else { exit(3) }
        let log = file + "-wal"
        await commit(["before"], to: engine)
        let size = (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let unlimited = limit.rlim_cur
        limit.rlim_cur = rlim_t(size + 4_096)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        await commit(["during-1", "during-2", "during-3"], to: engine)
        limit.rlim_cur = unlimited
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        await commit(["after"], to: engine)
        for id in ["before", "during-1", "during-2", "during-3", "after"] {
            let found = try? await engine.documents([DocumentKey(trusted: "c/\(id)")], context: .embedded).documents[0]
            say("\(id) \(found.flatMap { $0 } == nil ? "missing" : "there")")
        }
        let findings = (try? engine.check()) ?? ["cannot be checked"]
        say("findings \(findings)")
        await engine.shutdown()
    }

    private func commit(_ ids: [String], to engine: Engine) async {
        await withTaskGroup(of: Void.self) { group in
            for id in ids {
                let write = Write(
                    key: DocumentKey(trusted: "c/\(id)"),
                    operation: .set(FieldBytes(FieldMap([("text", .string(String(repeating: "x", count: 50_000)))]))))
                group.addTask {
                    do throws(FirestoreError) {
                        _ = try await engine.commit([write], context: .embedded)
                        say("\(id) acknowledged")
                    } catch {
                        say("\(id) failed \(error.code)")
                    }
                }
            }
        }
    }
}
