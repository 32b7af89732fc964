// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

/// Random operations of the local store while its disk fails: each is done as a whole or not at all, in the tables and in memory, also
/// when the process or the machine ends.
@Suite struct LocalStoreFaultTests {
    /// How many calls to go on from one run to the next.
    private static let step = TestScale.pick(quick: 47, full: 3)

    @Test(arguments: Fault.Kind.allCases)
    func `whatever fails at whichever call, an operation is done or has changed nothing`(kind: Fault.Kind) throws {
        var (call, runs) = (1, 0)
        while try play(Fault(kind, at: call), seed: UInt64(call)) {
            call += Self.step
            runs += 1
        }
        print("\(kind.rawValue): \(runs) runs")
        #expect(runs > 0)
    }

    /// Before the file has its write-ahead log, SQLite keeps a journal beside it, which only a connection that writes can take back.
    @Test(arguments: [Fault.Kind.outage, .crash])
    func `a cache can be opened wherever its creation was interrupted`(kind: Fault.Kind) throws {
        for call in 1... {
            let folder = try ScratchFolder()
            let disk = FaultyDisk(under: folder.file())
            disk.arm(Fault(kind, at: call))
            try? CacheFixture(file: folder.file(), durability: .full).store.close()
            let hasStruck = disk.hasStruck
            if disk.isDead { try disk.restart() } else { disk.lift() }
            let cache = try CacheFixture(file: folder.file(), durability: .full)
            try cache.write(.set("c/a"))
            #expect(try cache.store.check() == [])
            try cache.store.close()
            disk.remove()
            if !hasStruck { return #expect(call > 1) }
        }
    }

    /// The disk may have taken the commit whose sync it reported as failed.
    @Test func `a write that was refused does not come back, not even if the process is killed then`() throws {
        for call in 1... {
            let folder = try ScratchFolder()
            let disk = FaultyDisk(under: folder.file())
            let cache = try CacheFixture(file: folder.file(), durability: .full)
            try cache.write(.set("c/a"))
            disk.arm(Fault(.error, at: call))
            let isSaved = (try? cache.write(.set("c/b"))) != nil
            let hasStruck = disk.hasStruck
            disk.lift()
            // What the process would leave behind.
            for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: folder.file() + end, toPath: folder.file("copy") + end) }
            let copy = try CacheFixture(file: folder.file("copy"))
            #expect(try copy.store.pendingBatches().count == (isSaved ? 2 : 1), "error at call \(call)")
            try copy.store.close()
            try cache.store.close()
            disk.remove()
            if !hasStruck { return #expect(call > 1) }
        }
    }

    /// Returns whether the fault came before the end.
    private func play(_ fault: Fault, seed: UInt64) throws -> Bool {
        var run = try Run(fault, seed: seed)
        for _ in 0..<40 {
            guard try run.isOpen() else { break }
            try run.step()
        }
        let hasStruck = run.hasStruck
        try run.finish()
        return hasStruck
    }

    private struct Run {
        private static let keys = ["c/a", "c/b", "c/c"].map { DocumentKey(trusted: $0) }

        private let fault: Fault
        private let folder: ScratchFolder
        private let file: String
        private let disk: FaultyDisk
        private var random: SeededGenerator
        private var cache: CacheFixture?
        private var model = CacheModel()
        /// What the last operation would have led to, if it failed.
        private var other: CacheModel?
        /// A batch that the last operation did not store.
        private var unsavedWrites: [Write]?
        private var version: Int64 = 10
        private var target: TargetID?
        private var patience = 2
        private(set) var hasStruck = false

        init(_ fault: Fault, seed: UInt64) throws {
            self.fault = fault
            folder = try ScratchFolder()
            file = folder.file(AutoID.make())
            disk = FaultyDisk(under: file)
            random = SeededGenerator(seed: seed)
            disk.arm(fault)
        }

        /// Opens the cache if it is not; false if the fault leaves nothing to do.
        mutating func isOpen() throws -> Bool {
            if disk.isDead { try restart() }
            hasStruck = hasStruck || disk.hasStruck
            guard cache == nil else { return true }
            do {
                cache = try CacheFixture(file: file, user: model.user, durability: .full)
            } catch {
                #expect(disk.hasStruck, "\(fault): \(error)")
                #expect(disk.openFiles == 0, "\(fault)")
                hasStruck = true
                if disk.isDead { try disk.restart() } else { disk.lift() }
                cache = try CacheFixture(file: file, user: model.user, durability: .full)
            }
            return true
        }

        private mutating func restart() throws {
            hasStruck = true
            try? cache?.store.close()
            cache = nil
            #expect(disk.openFiles == 0, "\(fault)")
            try disk.restart()
            let cache = try CacheFixture(file: file, user: model.user, durability: .full)
            self.cache = cache
            target = nil
            // The operation during which the process ended is there as a whole or not at all.
            let known = model.queue.map(\.id)
            let stored = try cache.store.pendingBatches().map(\.id)
            if stored != known {
                if let writes = unsavedWrites, stored.count == known.count + 1, let id = stored.last,
                    let batch = try cache.store.nextBatch(after: id - 1)
                {
                    #expect(batch.writes.map(\.key) == writes.map(\.key), "\(fault)")
                    model.write(batch)
                } else if let other {
                    model = other
                }
            } else if let other, other.user != model.user {
                // What is seen does not show whether the user was changed before the end: now it is.
                _ = try cache.store.changeUser(to: other.user)
                model = other
            } else if try !matches(model), let other {
                model = other
            }
            (other, unsavedWrites) = (nil, nil)
            try verify()
        }

        private func matches(_ model: CacheModel) throws -> Bool {
            guard let cache else { return false }
            for key in Self.keys where try cache.look(key.path) != model.look(key) { return false }
            return true
        }

        private func verify() throws {
            guard let cache else { return }
            for key in Self.keys {
                let (stored, expected) = (try cache.look(key.path), try model.look(key))
                #expect(stored == expected, "\(fault): \(key)")
            }
            #expect(try cache.store.pendingBatches().map(\.id) == model.queue.map(\.id), "\(fault)")
            #expect(try cache.store.check() == [], "\(fault)")
        }

        private mutating func number() -> Value { .integer(.random(in: 0..<9, using: &random)) }

        private mutating func write() -> Write {
            let path = Self.keys.randomElement(using: &random)?.path ?? "c/a"
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return .set(path, ("n", number()), ("text", .string(String(repeating: "x", count: Int.random(in: 0..<3_000, using: &random)))))
            case 1: return .delete(path)
            case 2: return .increment(path)
            case 3: return .update(path, "n", number())
            default: return .patch(path, "m", number())
            }
        }

        /// Makes an operation of the store. `after` is the model once it is done.
        private mutating func perform(_ after: CacheModel, _ body: (CacheFixture) throws -> Void) {
            guard let cache else { return }
            let hadStruck = disk.hasStruck
            do {
                try body(cache)
                (model, other, unsavedWrites) = (after, nil, nil)
            } catch {
                other = after
                #expect(disk.hasStruck, "\(fault): \(error)")
                #expect(!hadStruck || fault.kind.isLasting || disk.isDead, "\(fault) is over: \(error)")
            }
        }

        mutating func step() throws {
            version += Int64.random(in: 0..<2, using: &random)
            var after = model
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let writes = (0..<Int.random(in: 1..<3, using: &random)).map { _ in write() }
                var batch: PendingBatch?
                perform(model) { batch = try $0.store.write([writes])[0].batch }
                if let batch { model.write(batch) } else { unsavedWrites = writes }
            case 4, 5:
                guard let batch = model.queue.first else { return }
                version += 1
                let at = version
                let results = batch.writes.map { write -> Value? in write.transforms.isEmpty ? nil : number() }
                after.acknowledge(at: at, results: results)
                perform(after) { try $0.acknowledge(at: at, results: results.map { $0.map { [$0] } ?? [] }) }
            case 6:
                guard !model.queue.isEmpty else { return }
                after.reject()
                perform(after) { try $0.reject() }
            case 7, 8:
                let key = Self.keys.randomElement(using: &random) ?? Self.keys[0]
                let fields = Bool.random(using: &random) ? FieldMap([("n", number())]) : nil
                let (at, target) = (version, target)
                after.hear(key, fields, at: at)
                perform(after) { try $0.hear(fields.map { .found(key.path, at, $0) } ?? .missing(key.path, at), at: at, target: target) }
            case 9:
                var id: TargetID?
                perform(model) { id = try $0.listen("c") }
                target = id ?? target
            case 10:
                let (writes, last) = (model.queue, ByteSlice([UInt8(truncatingIfNeeded: version)]))
                perform(model) { cache in
                    try cache.store.setStreamToken(last)
                    if let first = writes.first { try cache.store.noteAttempt(first.id, error: FirestoreError(.unavailable, "gone")) }
                }
            default:
                let user = model.user == .unauthenticated ? SyncUser(uid: "bob") : .unauthenticated
                after.changeUser(to: user)
                perform(after) { _ = try $0.store.changeUser(to: user) }
            }
            if disk.isDead { return }
            if fault.kind.isLasting, disk.hasStruck {
                noteFault()
                if patience > 0 { return }
            }
            (other, unsavedWrites) = (nil, nil)
            do { try verify() } catch {
                // The fault has come while looking.
                #expect(disk.hasStruck, "\(fault): \(error)")
                if !disk.isDead, !fault.kind.isLasting { try verify() }
            }
        }

        /// A lasting fault is lifted after some steps.
        private mutating func noteFault() {
            patience -= 1
            if patience <= 0 { disk.lift() }
        }

        mutating func finish() throws {
            disk.lift()
            guard try isOpen() else { return }
            try verify()
            try cache?.store.close()
            #expect(disk.openFiles == 0, "\(fault)")
            cache = try CacheFixture(file: file, user: model.user, durability: .full)
            try verify()
            try cache?.store.close()
            disk.remove()
        }
    }
}
