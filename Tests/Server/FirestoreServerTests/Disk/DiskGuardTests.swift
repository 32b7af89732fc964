// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import Logging
import TestSupport
import Testing

@testable import FirestoreServer

/// OT-53
@Suite struct DiskGuardTests {
    /// A disk of 1,000 MiB.
    private final class Disk: Sendable {
        private let megabytes = Mutex<Int64>(500)
        var free: Int64 {
            get { megabytes.withLock { $0 } }
            set { megabytes.withLock { $0 = newValue } }
        }

        func diskGuard(_ folder: ScratchFolder, least: Int64? = 100 << 20, reserve: Int64 = 0) -> DiskGuard {
            DiskGuard(
                directory: folder.path, least: least, reserveBytes: reserve, look: { _ in (self.free << 20, 1_000 << 20) },
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
    }

    private static let user = RequestContext.Caller.user(id: "u", claims: FieldMap())

    @Test("below the bound only deletes and administrators are admitted, until there is room again")
    func bound() throws {
        let (disk, folder) = (Disk(), try ScratchFolder())
        let diskGuard = disk.diskGuard(folder)
        func refuses(_ writes: [Write], _ caller: RequestContext.Caller) -> FirestoreError.Code? {
            do throws(FirestoreError) {
                try diskGuard.admit(writes, for: caller)
                return nil
            } catch {
                return error.code
            }
        }
        for (free, isLow) in [(500, false), (100, false), (99, true), (0, true), (100, false)] as [(Int64, Bool)] {
            disk.free = free
            diskGuard.check()
            #expect(diskGuard.isLow == isLow && diskGuard.free == free << 20)
            for caller in [Self.user, .anonymous] {
                #expect(refuses([.set("c/1")], caller) == (isLow ? .resourceExhausted : nil))
                #expect(refuses([.delete("c/1"), .increment("c/2")], caller) == (isLow ? .resourceExhausted : nil))
                #expect(refuses([.delete("c/1")], caller) == nil)
            }
            #expect(refuses([.set("c/1")], .administrator) == nil)
        }
    }

    @Test("without a bound of its own it is 1 GiB, or a fiftieth of the disk")
    func usual() throws {
        let (disk, folder) = (Disk(), try ScratchFolder())
        let diskGuard = disk.diskGuard(folder, least: nil)
        for (free, isLow) in [(20, false), (19, true)] as [(Int64, Bool)] {
            disk.free = free
            diskGuard.check()
            #expect(diskGuard.isLow == isLow)
        }
    }

    @Test("the reserve is made while there is room, given back when the disk is full, and made again")
    func reserve() throws {
        let (disk, folder) = (Disk(), try ScratchFolder())
        let diskGuard = disk.diskGuard(folder, reserve: 1 << 20)
        for (free, exists) in [(150, false), (500, true), (50, true), (10, false), (150, false), (500, true)] as [(Int64, Bool)] {
            disk.free = free
            diskGuard.check()
            #expect(folder.names.contains(DiskGuard.reserveName) == exists, "\(free)")
        }
        #expect(try folder.bytes(of: DiskGuard.reserveName).count == 1 << 20)
    }

    @Test("an engine asks before a commit, and a refused one can be tried again")
    func engine() async throws {
        let (disk, folder) = (Disk(), try ScratchFolder())
        let diskGuard = disk.diskGuard(folder)
        var configuration = EngineConfiguration(location: .memory, databaseID: DatabaseID(projectID: "test"))
        configuration.writeAdmission = diskGuard
        let engine = try Engine.open(configuration)
        let context = RequestContext(caller: Self.user)
        _ = try await engine.commit([.set("c/1")], context: context)
        disk.free = 1
        diskGuard.check()
        await #expect(throws: FirestoreError.self) { _ = try await engine.commit([.set("c/2")], context: context) }
        _ = try await engine.commit([.delete("c/1")], context: context)
        disk.free = 500
        diskGuard.check()
        _ = try await engine.commit([.set("c/2")], context: context)
        #expect(try await engine.paths(StructuredQuery(scope: .collection(CollectionPath(trusted: "c")))) == ["c/2"])
        await engine.shutdown()
    }

    @Test("what the system says of a disk is plausible")
    func system() throws {
        let folder = try ScratchFolder()
        let (free, total) = try #require(DiskGuard.system(folder.path))
        #expect(free > 0 && free <= total)
        #expect(DiskGuard.system("/nonexistent/folder") == nil)
    }
}
