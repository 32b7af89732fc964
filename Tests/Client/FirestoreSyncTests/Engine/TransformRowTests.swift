// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// Transforms: estimated immediately, computed by the server later.
@Suite struct TransformRowTests {
    private let serverTime = Value.timestamp(TimestampValue(microsecondsSince1970: 1_000_000_777))

    /// A listener M of the collection, synchronized with a.
    private func synced(_ fields: (String, Value)...) throws -> EngineFixture {
        let world = try EngineFixture()
        world.listen("M")
        world.server { $0.complete(2, .found("c/a", 1, FieldMap(fields)), at: 10) }
        #expect(world.takeEvents() == ["M: [a] +a"])
        return world
    }

    private func stamp(_ path: String = "c/a") -> Write {
        var write = Write.transform(path, "t", .serverTimestamp)
        write.precondition = .exists(true)
        return write
    }

    // T45, T46, T47
    @Test func `a server timestamp is pending until the server's own report of it`() throws {
        let world = try synced(("t", .string("before")))
        world.write("w", stamp())
        #expect(world.takeEvents() == ["M: [a] ~a pw"])
        #expect(try world.readings("a", "t") == ["{: null}", "1000000000", "{: before}"])
        world.server { $0.acknowledge(at: 12, results: [[serverTime]]) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        #expect(try world.readings("a", "t") == ["{: null}", "1000000000", "{: before}"])
        world.server {
            $0.tell(.found("c/a", 12, ("t", serverTime)), to: 2)
            $0.snapshot(at: 12)
        }
        #expect(world.takeEvents() == ["M: [a] ~a"])
        #expect(try world.readings("a", "t") == ["1000000777", "1000000777", "1000000777"])
    }

    // T47
    @Test func `the report of a server timestamp is a change of data for every listener`() throws {
        let world = try synced()
        world.listen("L", metadata: false)
        _ = world.takeEvents()
        world.write("w", stamp())
        world.server { $0.acknowledge(at: 12, results: [[serverTime]]) }
        #expect(world.takeEvents() == ["M: [a] ~a pw", "L: [a] ~a pw", "w: acknowledged"])
        world.server {
            $0.tell(.found("c/a", 12, ("t", serverTime)), to: 2)
            $0.snapshot(at: 12)
        }
        #expect(world.takeEvents() == ["M: [a] ~a", "L: [a] ~a"])
    }

    // T48
    @Test func `a server timestamp in a new document has no value before`() throws {
        let world = try synced()
        var write = Write.set("c/b", ("x", .integer(1)))
        write.transforms = [FieldTransform(path: FieldPathSegments("t"), kind: .serverTimestamp)]
        world.write("w", write)
        #expect(world.takeEvents() == ["M: [a b] +b pw"])
        #expect(try world.readings("b", "t") == ["{: null}", "1000000000", "{: null}"])
    }

    // T49
    @Test func `the value before several pending server timestamps is the one before the first`() throws {
        let world = try synced(("t", .integer(5)))
        world.write("v", stamp())
        world.clock.advance(microseconds: 1_000)
        world.write("w", stamp())
        #expect(try world.readings("a", "t") == ["{: null}", "1000001000", "{: 5}"])
        // The answer to the first changes nothing in what the second shows.
        world.server { $0.acknowledge(at: 12, results: [[serverTime]]) }
        #expect(try world.readings("a", "t")[1] == "1000001000")
    }

    // T50
    @Test func `a pending server timestamp sorts after all real ones`() throws {
        let world = try EngineFixture()
        world.listen("M", .query(.collection("c").ordered(by: "t")))
        let far = Value.timestamp(TimestampValue(seconds: 200_000_000_000, nanoseconds: 0))
        world.server {
            $0.complete(2, .found("c/a", 1, ("t", far)), .found("c/b", 1, ("t", .integer(1))), .found("c/s", 1, ("t", .string("x"))), at: 10)
        }
        #expect(world.takeEvents() == ["M: [b a s] +b +a +s"])
        world.write("w", stamp("c/b"))
        #expect(world.takeEvents() == ["M: [a b s] ~b pw"])
        world.clock.advance(microseconds: 1)
        world.write("v", stamp("c/a"))
        #expect(world.takeEvents() == ["M: [b a s] ~a pw"])
    }

    // T51, T52, T53
    @Test func `an increment shows the sum that the user saw until the server's own report`() throws {
        let world = try synced(("n", .integer(1)))
        world.write("w", .increment("c/a", by: 2))
        #expect(world.takeEvents() == ["M: [a] ~a pw"])
        #expect(try world.fields("a") == "{n: 3}")
        // Another client sets the field before the answer.
        world.server {
            $0.tell(.found("c/a", 11, ("n", .integer(10))), to: 2)
            $0.snapshot(at: 11)
        }
        #expect(world.takeEvents() == [])
        #expect(try world.fields("a") == "{n: 3}")
        world.server { $0.acknowledge(at: 12, results: [[.integer(12)]]) }
        #expect(world.takeEvents() == ["w: acknowledged"])
        world.server {
            $0.tell(.found("c/a", 12, ("n", .integer(12))), to: 2)
            $0.snapshot(at: 12)
        }
        #expect(world.takeEvents() == ["M: [a] ~a"])
        #expect(try world.fields("a") == "{n: 12}")
    }

    // T54
    @Test func `an increment of what is no number shows the operand`() throws {
        let world = try synced(("text", .string("x")), ("top", .integer(.max)))
        world.write("w", .increment("c/a", "missing", by: 2))
        world.write("w", .increment("c/a", "text", by: 3))
        world.write("w", .increment("c/a", "top", by: 4))
        world.write("w", .transform("c/a", "top", .increment(.double(0.5))))
        #expect(try world.fields("a") == "{missing: 2, text: 3, top: \(Double(Int64.max))}")
    }

    // T55
    @Test func `an element that is united twice offline occurs once`() throws {
        let world = try synced(("list", .array([.string("x")])))
        world.engine.setNetworkEnabled(false)
        let union = Write.transform("c/a", "list", .appendMissingElements([.string("y"), .string("x")]))
        world.write("w", union)
        world.write("w", union)
        #expect(try world.fields("a") == "{list: [x, y]}")
        world.engine.setNetworkEnabled(true)
        world.drain()
        // Its results are computed here, over the server's state.
        world.server { $0.acknowledge(at: 12, results: [[.null]]) }
        world.server { $0.acknowledge(at: 13, results: [[.null]]) }
        #expect(try CacheFixture.short(try world.store.documents([DocumentKey(trusted: "c/a")])[0]) == "{list: [x, y]}+")
    }

    // T59
    @Test func `a merge into a document that is not cached shows the merged fields`() throws {
        let world = try synced()
        world.write("w", .patch("c/b", "n", .integer(7)))
        #expect(world.takeEvents() == ["M: [a b] +b pw"])
        #expect(try world.fields("b") == "{n: 7}")
        world.server { $0.acknowledge(at: 12) }
        world.server {
            $0.tell(.found("c/b", 12, ("m", .integer(1)), ("n", .integer(7))), to: 2)
            $0.snapshot(at: 12)
        }
        #expect(world.takeEvents() == ["w: acknowledged", "M: [a b] ~b"])
        #expect(try world.fields("b") == "{m: 1, n: 7}")
    }

    // T73
    @Test func `when an increment is rejected, the one behind it counts from the newest state of the server`() throws {
        let world = try synced(("n", .integer(1)))
        world.write("v", .increment("c/a", by: 2))
        world.write("w", .increment("c/a", by: 10))
        #expect(try world.fields("a") == "{n: 13}")
        _ = world.takeEvents()
        world.server { $0.endWrite(.permissionDenied) }
        #expect(world.takeEvents().first == "v: rejected permissionDenied")
        // What it was computed from is the sum that the user saw.
        #expect(try world.fields("a") == "{n: 13}")
        world.server { $0.acknowledge(at: 12, results: [[.integer(11)]]) }
        world.server {
            $0.tell(.found("c/a", 12, ("n", .integer(11))), to: 2)
            $0.snapshot(at: 12)
        }
        #expect(try world.fields("a") == "{n: 11}")
    }

    @Test func `every transform of one write has its own result`() throws {
        let world = try synced(("list", .array([.integer(1)])), ("max", .integer(5)), ("n", .integer(1)))
        var write = Write.patch("c/a", "x", .integer(1))
        write.transforms = [
            FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1))),
            FieldTransform(path: FieldPathSegments("list"), kind: .removeAllFromArray([.integer(1)])),
            FieldTransform(path: FieldPathSegments("max"), kind: .maximum(.integer(9))),
            FieldTransform(path: FieldPathSegments("t"), kind: .serverTimestamp),
        ]
        world.write("w", write)
        #expect(try world.readings("a", "max") == ["{: 9}", "{: 9}", "{: 9}"])
        world.server { $0.acknowledge(at: 12, results: [[.integer(42), .null, .integer(11), serverTime]]) }
        #expect(
            try CacheFixture.short(try world.store.documents([DocumentKey(trusted: "c/a")])[0])
                == "{list: [], max: 11, n: 42, t: t1000, x: 1}+")
    }
}
