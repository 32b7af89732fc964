// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// A copy while a disk fails, that of the database or that of the copy, at every call (OT-7): the database is unharmed, and there is no
/// half file under the final name.
@Suite struct CopyFaultTests {
    private static let step = TestScale.pick(quick: 7, full: 1)

    /// One copy with a fault at one call; returns whether it has struck.
    private func run(_ fault: Fault, onCopy: Bool) async throws -> Bool {
        let folder = try ScratchFolder()
        let (file, target) = (folder.file(), folder.file("copy.sqlite"))
        let text = Value.string(String(repeating: "x", count: 30_000))
        let result: Result<DatabaseCopy, FirestoreError>
        let disk: FaultyDisk
        do {
            let copy = try UnfinishedCopy(of: target)
            disk = FaultyDisk(under: onCopy ? copy.temporary : file)
            let engine = try Engine.file(file, durability: .full)
            for number in 0..<10 { _ = try await engine.commit([.set("c/\(number)", ("text", text))], context: .embedded) }
            disk.arm(fault)
            // Some commits come in between.
            async let commits: Void = {
                for number in 0..<3 { _ = try? await engine.commit([.set("c/\(number)", ("n", .integer(1)))], context: .embedded) }
            }()
            result = await Self.copy(engine, copy)
            await commits
            await engine.shutdown()
        }
        let hasStruck = disk.hasStruck
        disk.lift()
        if disk.isDead, !onCopy { try disk.restart() }
        try await verify(file, text, "\(fault)")
        disk.remove()
        switch result {
        case .success(let copy):
            let inspection = try DatabaseInspection.check(target)
            #expect(inspection.report.isSound && inspection.report.documents == copy.documents, "\(fault)")
        case .failure(let error):
            #expect(hasStruck && error.code != .internal, "\(fault): \(error)")
            #expect(!FileManager.default.fileExists(atPath: target), "\(fault)")
        }
        #expect(!folder.names.contains { $0.hasSuffix(".partial") }, "\(fault): \(folder.names)")
        return hasStruck
    }

    private static func copy(_ engine: Engine, _ copy: UnfinishedCopy) async -> Result<DatabaseCopy, FirestoreError> {
        do throws(FirestoreError) {
            try await engine.writeCopy(to: copy.temporary)
            return .success(try copy.finish())
        } catch {
            return .failure(error)
        }
    }

    /// The database has what was acknowledged before the fault, and works.
    private func verify(_ file: String, _ text: Value, _ fault: String) async throws {
        let engine = try Engine.file(file, durability: .full)
        #expect(try await engine.get("c/9")?.fields == FieldBytes(FieldMap([("text", text)])), "\(fault)")
        _ = try await engine.commit([.set("c/last")], context: .embedded)
        try await engine.checkAndShutDown()
    }

    @Test(arguments: Fault.Kind.allCases, [false, true])
    func `whichever call fails, the database is unharmed and no half copy has the final name`(kind: Fault.Kind, onCopy: Bool) async throws {
        var (call, runs) = (1, 0)
        while try await run(Fault(kind, at: call), onCopy: onCopy) {
            call += Self.step
            runs += 1
        }
        // Nothing syncs the copy through SQLite.
        if kind == .lostSync, onCopy { return }
        print("copy, \(kind.rawValue)\(onCopy ? " of the copy's disk" : ""): \(runs) runs")
        #expect(runs > 0)
    }
}
