// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

/// SY-38, SY-39.
@Suite struct PendingTimestampTests {
    private static let time = TimestampValue(seconds: 7, nanoseconds: 8_000)

    private static func bytes(replacing value: Value? = nil, at time: TimestampValue = time) -> ValueBytes {
        let value = value.map { ValueBytes($0) }
        return withExtendedLifetime(value) { PendingTimestamp.bytes(localWriteTime: time, replacing: value?.view) }
    }

    private static func pending(replacing value: Value? = nil) throws -> Value { try bytes(replacing: value).value }

    private static func fields(_ entries: (String, Value)...) -> FieldBytes { FieldBytes(FieldMap(entries)) }

    @Test func `a pending timestamp is read back unchanged`() throws {
        let bytes = Self.bytes(replacing: .string("old"))
        let pending = try #require(PendingTimestamp(bytes.view))
        #expect(pending.localWriteTime == Self.time)
        #expect(pending.previous?.string == "old")
        #expect(PendingTimestamp(Self.bytes().view)?.previous == nil)
        withExtendedLifetime(bytes) {}
    }

    @Test func `a pending timestamp that replaces another has the value before the first`() throws {
        let first = Self.bytes(replacing: .integer(4))
        let second = PendingTimestamp.bytes(localWriteTime: TimestampValue(seconds: 9, nanoseconds: 0), replacing: first.view)
        #expect(PendingTimestamp(second.view)?.previous?.integer == 4)
        let third = PendingTimestamp.bytes(localWriteTime: Self.time, replacing: Self.bytes().view)
        #expect(PendingTimestamp(third.view)?.previous == nil)
        withExtendedLifetime((first, second, third)) {}
    }

    static let others: [Value] = [
        .null, .string("server_timestamp"), .timestamp(time), .map(FieldMap()), .vector([1]),
        .map(FieldMap([("__type__", .string("server_timestamp"))])),
        .map(FieldMap([("__local_write_time__", .timestamp(time))])),
        .map(FieldMap([("__local_write_time__", .integer(1)), ("__type__", .string("server_timestamp"))])),
        .map(FieldMap([("__local_write_time__", .timestamp(time)), ("__type__", .string("other"))])),
        .map(FieldMap([("__local_write_time__", .timestamp(time)), ("a", .null), ("__type__", .string("server_timestamp"))])),
    ]

    @Test(arguments: others.indices)
    func `no other value is taken for one`(index: Int) {
        let bytes = ValueBytes(Self.others[index])
        #expect(PendingTimestamp(bytes.view) == nil)
        withExtendedLifetime(bytes) {}
    }

    static let readings: [(PendingTimestamp.Reading, Value, Value)] = [
        (.null, .null, .null), (.estimate, .timestamp(time), .timestamp(time)), (.previous, .null, .string("old")),
    ]

    @Test(arguments: readings.indices)
    func `readers get a plain value at every depth`(index: Int) throws {
        let (reading, fresh, replaced) = Self.readings[index]
        let pending = try Self.pending()
        let replacing = try Self.pending(replacing: .string("old"))
        let deep = Value.map(FieldMap([("a", .integer(1)), ("p", replacing), ("z", .string(String(repeating: "z", count: 200)))]))
        let plainDeep = Value.map(FieldMap([("a", .integer(1)), ("p", replaced), ("z", .string(String(repeating: "z", count: 200)))]))
        let fields = Self.fields(
            ("a", .string("kept")), ("b", pending), ("c", .array([.integer(1), deep, .integer(2)])), ("d", deep), ("e", .null), ("f", replacing))
        let expected = Self.fields(
            ("a", .string("kept")), ("b", fresh), ("c", .array([.integer(1), plainDeep, .integer(2)])), ("d", plainDeep), ("e", .null),
            ("f", replaced))
        #expect(fields.containsPendingTimestamp)
        let read = fields.reading(pendingTimestampsAs: reading)
        #expect(read == expected)
        #expect(!read.containsPendingTimestamp)
        // What readers get could have been stored.
        try DocumentCheck.check(read, of: DocumentKey(trusted: "c/1"))
    }

    @Test func `fields without one are not copied`() throws {
        let fields = Self.fields(("a", .map(FieldMap([("b", .array([.vector([1]), .null]))]))), ("c", .integer(1)))
        #expect(fields.reading(pendingTimestampsAs: .estimate).bytes.start == fields.bytes.start)
        #expect(!fields.containsPendingTimestamp && !FieldBytes.empty.containsPendingTimestamp)
    }

    @Test func `damaged bytes never trap and stay damaged`() throws {
        let whole = Self.fields(("a", .integer(1)), ("m", .map(FieldMap([("p", try Self.pending(replacing: .array([.null])))]))), ("z", .null))
        let bytes = whole.bytes.array
        for count in 0..<bytes.count {
            let damaged = FieldBytes(canonical: ByteSlice(Array(bytes[..<count])))
            _ = damaged.reading(pendingTimestampsAs: .previous)
            _ = damaged.containsPendingTimestamp
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x55
            _ = FieldBytes(canonical: ByteSlice(changed)).reading(pendingTimestampsAs: .estimate)
        }
    }

    @Test func `users cannot write one`() throws {  // SY-D9
        let fields = Self.fields(("at", try Self.pending()))
        let error = expectInvalid { () throws(FirestoreError) in
            try DocumentCheck.check(fields, of: DocumentKey(trusted: "c/1"))
        }
        #expect(error?.message.contains("reserved") == true)
        let inArray = Self.fields(("list", .array([.map(FieldMap([("at", try Self.pending())]))])))
        #expect(!DocumentCheck.passes(inArray, of: DocumentKey(trusted: "c/1")))
        expectInvalid { () throws(FirestoreError) in try DocumentCheck.check(Self.bytes(), in: "operand") }
    }

    @Test func `the JSON of stored documents never contains one`() throws {
        let document = Document(
            key: DocumentKey(trusted: "c/1"), createTime: .none, updateTime: .none, fields: Self.fields(("at", try Self.pending())))
        #expect {
            _ = try document.json(in: DatabaseID(projectID: "p"))
        } throws: {
            ($0 as? FirestoreError)?.code == .internal && ($0 as? FirestoreError)?.location == "c/1"
        }
    }
}
