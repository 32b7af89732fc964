// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// How far a trigger has come: everything up to a moment is answered, but for some events.
package struct DeliveryPosition: Sendable, Equatable {
    package struct Place: Sendable, Hashable {
        let time: DocumentVersion
        let key: DocumentKey
    }

    /// The log has to be read from here on.
    package let floor: DocumentVersion
    /// Up to here everything is answered that is not in `pending`.
    package let through: DocumentVersion
    package let pending: Set<Place>

    package init(floor: DocumentVersion, through: DocumentVersion, pending: Set<Place> = []) {
        self.floor = floor
        self.through = through
        self.pending = pending
    }

    /// More would make the record long: then events that were answered behind the oldest pending one are delivered again.
    static let maximumPending = 256
}

extension DeliveryPosition {
    /// The stored form; the floor is stored as the hold of the log.
    var stored: ByteSlice {
        let places = pending.sorted { ($0.time, $0.key) < ($1.time, $1.key) }.map { place in
            JSON.array([.number(place.time.microseconds), .string(place.key.path)])
        }
        return ByteSlice(JSON.object([("through", .number(through.microseconds)), ("pending", .array(places))]).bytes())
    }

    /// nil for a record that another version has written.
    init?(floor: DocumentVersion, stored: ByteSlice) {
        guard let node = try? JSONNode(JSON(stored.array)), let through = try? node.required("through").integer() else { return nil }
        var pending: Set<Place> = []
        for element in (try? node.elements("pending")) ?? [] {
            guard let parts = try? element.elements(), parts.count == 2, let time = try? parts[0].integer(),
                let path = try? parts[1].string()
            else { return nil }
            pending.insert(Place(time: DocumentVersion(microseconds: time), key: DocumentKey(trusted: path)))
        }
        self.init(floor: floor, through: DocumentVersion(microseconds: through), pending: pending)
    }
}
