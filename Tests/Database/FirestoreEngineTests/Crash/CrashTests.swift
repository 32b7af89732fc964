// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite(.serialized, .waitingForProcesses) struct CrashTests {
    private static let rounds = 100

    @Test("acknowledged commits survive kill -9, and every commit is there as a whole or not at all")
    func kill() async throws {
        let directory = try ScratchFolder()
        let file = directory.file()
        var generator = SeededGenerator(seed: 9)
        var acknowledged: Set<String> = []
        var seen = 0
        var interruptedBuilds = 0
        for round in 0..<Self.rounds {
            let child = try ChildProcess("write", file, "\(round)")
            let delay = UInt32.random(in: 5_000...120_000, using: &generator)
            usleep(delay)
            child.kill()
            for line in child.lines() where line.hasPrefix("ack ") {
                acknowledged.insert(String(line.split(separator: " ")[1]))
            }
            if try hasHalfAnIndex(file) { interruptedBuilds += 1 }
            seen = try await verify(file, acknowledged)
        }
        print("killed \(Self.rounds) times, \(interruptedBuilds) times during the build of an index; \(seen) commits")
        #expect(interruptedBuilds > 0)
        #expect(!acknowledged.isEmpty)
        #expect(seen >= acknowledged.count)
    }

    private func hasHalfAnIndex(_ file: String) throws -> Bool {
        let inspector: StoreInspector
        do {
            inspector = try StoreInspector(file)
        } catch {
            // Killed before there was a database.
            #expect(error.code == .notFound || error.code == .failedPrecondition, "\(error)")
            return false
        }
        defer { inspector.close() }
        return try inspector.read { (view: ReadTransaction) throws(FirestoreError) in
            try view.catalog().indexes.contains { !$0.isReady }
        }
    }

    /// Returns the number of commits in the database.
    private func verify(_ file: String, _ acknowledged: Set<String>) async throws -> Int {
        let engine = try Engine.file(file)
        var sizes: [String: (size: Int, found: Int)] = [:]
        for document in try await engine.run(.collection("crash"), context: .embedded).documents {
            let fields = try document.fields.map
            guard case .string(let commit)? = fields["commit"], case .integer(let size)? = fields["size"],
                case .string(let payload)? = fields["payload"], let index = document.key.id.split(separator: "-").last,
                let number = Int(index)
            else {
                Issue.record("\(document.key) is not what was written")
                continue
            }
            #expect(document.key.id == "\(commit)-\(number)")
            #expect(payload == String(repeating: commit, count: 50 + number))
            sizes[commit, default: (Int(size), 0)].found += 1
        }
        for (commit, state) in sizes { #expect(state.size == state.found, "\(commit) is torn") }
        for commit in acknowledged where sizes[commit] == nil { Issue.record("\(commit) was acknowledged and is gone") }
        // Commits of one task are applied in order, and each says so in the task's counter.
        var last: [String: Int] = [:]
        for commit in sizes.keys {
            let parts = commit.split(separator: "-")
            last[parts.dropLast().joined(separator: "-"), default: -1].formMax(Int(parts[2]) ?? -1)
        }
        let counters = try await engine.run(.collection("counters"), context: .embedded).documents
        #expect(counters.count == last.count)
        for counter in counters {
            let number = last[counter.key.id].map { Int64($0) }
            #expect(counter.fields == FieldBytes(FieldMap([("number", .integer(number ?? -1))])), "\(counter.key)")
        }
        // While a build continues from where the kill has left it, and when it is done.
        #expect(try engine.check() == [])
        try await engine.indexesSettled()
        try await engine.checkAndShutDown()
        return sizes.count
    }

    @Test("a second process is rejected, learns who has the file, and is let in afterwards")
    func secondProcess() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file())
        try await engine.commit(.set("c/a"))
        let rejected = try ChildProcess("open", directory.file()).lines()
        #expect(rejected.count == 1)
        #expect(rejected[0].hasPrefix("refused failedPrecondition"))
        #expect(rejected[0].contains("pid \(getpid())"))
        try await engine.checkAndShutDown()
        #expect(try ChildProcess("open", directory.file()).lines() == ["opened"])

        let child = try ChildProcess("write", directory.file("other.db"), "0")
        await eventually("child has the file") {
            (try? String(contentsOfFile: directory.file("other.db.lock"), encoding: .utf8))?.hasPrefix("\(child.pid)\n") == true
        }
        await expectError(.failedPrecondition, mentioning: "pid \(child.pid)") {
            try Engine.file(directory.file("other.db"))
        }
        child.kill()
        _ = child.lines()
        let after = try Engine.file(directory.file("other.db"))
        try await after.checkAndShutDown()
    }

    @Test("when COMMIT itself fails, every commit of the group fails and nothing of it remains")
    func failingCommit() throws {
        let directory = try ScratchFolder()
        let lines = try ChildProcess("limited", directory.file()).lines()
        #expect(lines.first == "before acknowledged")
        #expect(lines.filter { $0.hasPrefix("during") && $0.contains("failed") }.count == 3, "\(lines)")
        #expect(lines.suffix(7).first == "after acknowledged")
        #expect(
            lines.suffix(6) == [
                "before there", "during-1 missing", "during-2 missing", "during-3 missing", "after there", "findings []",
            ])
    }

    @Test("on a full disk the process lives, nothing acknowledged is lost, and writing continues when there is space")
    func fullDisk() async throws {
        let directory = try ScratchFolder()
        guard mount("hearth-test", directory.path, "tmpfs", 0, "size=3m") == 0 else {
            print("skipped: a small file system cannot be mounted here (\(String(cString: strerror(errno))))")
            return
        }
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        let ballast = directory.file("ballast")
        try Data(repeating: 0, count: 1_500_000).write(to: URL(fileURLWithPath: ballast))
        let engine = try Engine.file(directory.file(), durability: .full)
        let payload = Value.bytes([UInt8](repeating: 1, count: 100_000))
        var acknowledged: [String] = []
        var rejection: FirestoreError?
        for number in 0..<100 where rejection == nil {
            do {
                try await engine.commit(.set("c/\(number)", ("b", payload)))
                acknowledged.append("c/\(number)")
            } catch { rejection = error }
        }
        #expect(rejection?.code == .resourceExhausted)
        #expect(rejection?.description.contains("free some space") == true)
        #expect(Set(try await engine.paths(.collection("c"))) == Set(acknowledged))
        try FileManager.default.removeItem(atPath: ballast)
        try await engine.commit(.set("c/after", ("b", payload)))
        #expect(try await engine.get("c/after") != nil)
        try await engine.checkAndShutDown()
    }
}

extension Int {
    fileprivate mutating func formMax(_ other: Int) { self = Swift.max(self, other) }
}
