// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// A client that sends again what was not answered, while the disk fails or the process dies: every increment is applied once
/// (decision 28).
struct SequenceFaultTests {
    private static let batches: Int64 = 8
    /// Fails whenever it is looked at first: the document is there afterwards.
    private static let rejected: Int64 = 4

    @Test(arguments: Fault.Kind.allCases)
    func `whatever fails at whichever call, every batch is applied once`(kind: Fault.Kind) async throws {
        let step = TestScale.pick(quick: 7, full: 1)
        var (call, runs) = (1, 0)
        while try await play(Fault(kind, at: call)) {
            call += step
            runs += 1
        }
        print("\(kind.rawValue): \(runs) runs")
        #expect(runs > 0)
    }

    private static func write(_ number: Int64) -> Write {
        number == rejected ? .set("c/refused", precondition: .exists(true)) : .increment("c/n")
    }

    /// Returns whether the fault came before everything was done.
    private func play(_ fault: Fault) async throws -> Bool {
        let folder = try ScratchFolder()
        let file = folder.file(AutoID.make())
        let disk = FaultyDisk(under: file)
        defer { disk.remove() }
        disk.arm(fault)
        var hasStruck = false
        func open() throws -> Engine {
            do { return try Engine.file(file, durability: .full) } catch {
                hasStruck = hasStruck || disk.hasStruck
                if disk.isDead { try disk.restart() } else { disk.lift() }
                return try Engine.file(file, durability: .full)
            }
        }
        var engine = try open()
        func recover() async throws {
            // The next start of the disk forgets it.
            hasStruck = hasStruck || disk.hasStruck
            if disk.isDead {
                await engine.shutdown()
                try disk.restart()
                engine = try open()
            } else if fault.kind.isLasting {
                disk.lift()
            }
        }
        var isBegun = false
        while !isBegun {
            do throws(FirestoreError) {
                try await SequenceConnection(engine).begin()
                isBegun = true
            } catch {
                #expect(disk.hasStruck, "\(fault): \(error)")
                try await recover()
            }
        }
        var times: [Int64: DocumentVersion] = [:]
        var finished: Int64 = 0
        while finished < Self.batches {
            let connection = SequenceConnection(engine)
            do throws(FirestoreError) {
                try await connection.resume(after: finished)
                // Two ahead, so that a group has several, and every answered batch once more.
                for number in max(finished, 1)...min(finished + 2, Self.batches) {
                    do throws(FirestoreError) {
                        let answer = try await SequenceConnection(engine).commit(number, Self.write(number), confirmed: max(finished - 1, 0))
                        #expect(times[number] == nil || times[number] == answer.commitTime, "\(fault): batch \(number)")
                        times[number] = answer.commitTime
                    } catch {
                        guard number == Self.rejected, error.code == .notFound else { throw error }
                        _ = try? await engine.commit(.set("c/refused"))
                    }
                    finished = max(finished, number)
                }
            } catch {
                #expect(disk.hasStruck, "\(fault): \(error)")
                #expect(!error.isSequenceLost, "\(fault): \(error)")
                try await recover()
            }
        }
        hasStruck = hasStruck || disk.hasStruck
        disk.lift()
        if disk.isDead { try await recover() }
        #expect(try await engine.get("c/n")?.fields == FieldBytes(FieldMap([("n", .integer(Self.batches - 1))])), "\(fault)")
        try await engine.checkAndShutDown()
        return hasStruck
    }
}
