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
    /// Documents of which nothing is answered from a moment on.
    package let deferred: [DocumentKey: DocumentVersion]

    package init(
        floor: DocumentVersion, through: DocumentVersion, pending: Set<Place> = [], deferred: [DocumentKey: DocumentVersion] = [:]
    ) {
        self.floor = floor
        self.through = through
        self.pending = pending
        self.deferred = deferred
    }

    /// Whether an event is still to be delivered.
    func awaits(_ place: Place) -> Bool {
        place.time > through || pending.contains(place) || deferred[place.key].map { place.time >= $0 } ?? false
    }

    /// More would make the record long: then events that were answered behind the oldest pending one are delivered again.
    static let maximumPending = 256
}

extension DeliveryPosition {
    /// The stored form; the floor is stored as the hold of the log.
    var stored: ByteSlice {
        func array(_ places: some Sequence<Place>) -> JSON {
            .array(
                places.sorted { ($0.time, $0.key) < ($1.time, $1.key) }.map { place in
                    .array([.number(place.time.microseconds), .string(place.key.path)])
                })
        }
        var members: [(String, JSON)] = [("through", .number(through.microseconds)), ("pending", array(pending))]
        if !deferred.isEmpty { members.append(("deferred", array(deferred.map { Place(time: $0.value, key: $0.key) }))) }
        return ByteSlice(JSON.object(members).bytes())
    }

    /// nil for a record that another version has written.
    init?(floor: DocumentVersion, stored: ByteSlice) {
        guard let node = try? JSONNode(JSON(stored.array)), let through = try? node.required("through").integer() else { return nil }
        guard let pending = Self.places(node, "pending"), let deferred = Self.places(node, "deferred") else { return nil }
        self.init(
            floor: floor, through: DocumentVersion(microseconds: through), pending: Set(pending),
            deferred: Dictionary(deferred.map { ($0.key, $0.time) }, uniquingKeysWith: min))
    }

    private static func places(_ node: JSONNode, _ member: String) -> [Place]? {
        var places: [Place] = []
        for element in (try? node.elements(member)) ?? [] {
            guard let parts = try? element.elements(), parts.count == 2, let time = try? parts[0].integer(),
                let path = try? parts[1].string()
            else { return nil }
            places.append(Place(time: DocumentVersion(microseconds: time), key: DocumentKey(trusted: path)))
        }
        return places
    }
}
