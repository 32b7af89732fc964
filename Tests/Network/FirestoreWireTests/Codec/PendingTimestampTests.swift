// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

/// Server timestamps that a cache has estimated are found before they are sent (SY-38).
struct PendingTimestampTests {
    private let pending = PendingTimestamp.bytes(localWriteTime: TimestampValue(microsecondsSince1970: 1), replacing: nil)

    private func fields(_ name: String, _ value: ValueBytes) throws -> FieldBytes {
        FieldBytes(FieldMap([("a", .integer(1)), (name, try value.value), ("z", .string("__local_write_time__"))]))
    }

    @Test func `a pending timestamp is found at any depth`() throws {
        let top = try fields("t", pending)
        let deep = try fields("m", ValueBytes(.map(FieldMap([("n", .map(FieldMap([("t", try pending.value)])))]))))
        for fields in [top, deep] {
            #expect(Write(key: DocumentKey(trusted: "c/a"), operation: .set(fields)).hasPendingTimestamp)
            #expect(Write(key: DocumentKey(trusted: "c/a"), operation: .patch(fields, mask: [])).hasPendingTimestamp)
        }
    }

    @Test func `no other value is taken for a pending timestamp`() throws {
        let usual = FieldBytes(
            FieldMap([
                ("__local_write_time__", .timestamp(TimestampValue(microsecondsSince1970: 1))), ("m", .map(FieldMap([("x", .integer(1))]))),
                ("t", .timestamp(TimestampValue(microsecondsSince1970: 1))), ("e", .map(FieldMap([]))),
            ]))
        #expect(!Write(key: DocumentKey(trusted: "c/a"), operation: .set(usual)).hasPendingTimestamp)
        #expect(!Write(key: DocumentKey(trusted: "c/a"), operation: .set(.empty)).hasPendingTimestamp)
        #expect(!Write.delete("c/a").hasPendingTimestamp)
    }
}
