// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import Testing

@Suite struct EventIDTests {
    private static func id(history: UInt64 = 1, time: Int64 = 2, path: String = "c/1", trigger: String = "webhook/t") -> String {
        EventID.make(
            history: history, time: DocumentVersion(microseconds: time), key: DocumentKey(trusted: path), trigger: trigger)
    }

    // OP-85: ids are stored by receivers, so they stay as they are.
    @Test("The id of an event is a stable text of 26 letters and digits")
    func stable() {
        #expect(Self.id() == Self.id())
        #expect(Self.id().utf8.count == 26)
        #expect(Self.id().utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".utf8.contains($0) })
    }

    @Test("Events that differ in history, time, document or trigger have different ids")
    func different() {
        let ids = [
            Self.id(), Self.id(history: 3), Self.id(time: 3), Self.id(path: "c/2"), Self.id(trigger: "webhook/u"),
            Self.id(trigger: "handler/t"),
        ]
        #expect(Set(ids).count == ids.count)
    }
}
