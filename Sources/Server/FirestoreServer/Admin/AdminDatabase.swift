// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What the admin API knows of a database beside its documents, as the database stores it.
package struct AdminDatabase: Sendable, Equatable {
    static let fact = "hearth/admin/database"
    /// The place of a database whose creator named none.
    package static let localPlace = "local"

    package let uid: String
    let created: Int64
    var updated: Int64
    package internal(set) var place = localPlace
    var isProtected = false
    /// Whether the moments of a week can be restored.
    var recoversPast = false
    /// What it was restored of, as the message `SourceInfo`; nil for other databases.
    var origin: JSON?
    /// As it was sent; empty if it was not.
    var realtimeUpdates = ""

    init(uid: String, now: Int64) {
        self.uid = uid
        created = now
        updated = now
    }

    /// How far back moments go, in microseconds.
    var window: Int64 { recoversPast ? RecoveryWindow.extended : RecoveryWindow.usual }

    /// nil for a database that was created by its use, as long as nothing asked for its settings.
    package static func stored(in facts: any FactService) async throws(FirestoreError) -> AdminDatabase? {
        try await facts.fact(fact).flatMap { AdminDatabase(stored: $0) }
    }

    /// nil if the bytes are damaged.
    init?(stored bytes: ByteSlice) {
        guard let json = try? JSON(bytes.array), let created = Self.time(json, "createTime"), let updated = Self.time(json, "updateTime"),
            !json.text("uid").isEmpty
        else { return nil }
        uid = json.text("uid")
        self.created = created
        self.updated = updated
        place = json.text("locationId")
        isProtected = json.text("deleteProtectionState") == "DELETE_PROTECTION_ENABLED"
        recoversPast = json.text("pointInTimeRecoveryEnablement") == Self.recovering
        origin = json["sourceInfo"]
        realtimeUpdates = json.text("realtimeUpdatesMode")
    }

    private static let recovering = "POINT_IN_TIME_RECOVERY_ENABLED"

    private static func time(_ json: JSON, _ name: String) -> Int64? {
        TimestampValue(text: json.text(name))?.microsecondsSince1970
    }

    package static func == (first: AdminDatabase, second: AdminDatabase) -> Bool { first.stored == second.stored }

    var stored: ByteSlice { ByteSlice(JSON.members(own).bytes()) }

    private var own: [(name: String, value: JSON?)] {
        [
            ("uid", .string(uid)), ("createTime", .time(created)), ("updateTime", .time(updated)), ("locationId", .string(place)),
            ("deleteProtectionState", .string(isProtected ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED")),
            ("pointInTimeRecoveryEnablement", .string(recoversPast ? Self.recovering : "POINT_IN_TIME_RECOVERY_DISABLED")),
            ("sourceInfo", origin), ("realtimeUpdatesMode", realtimeUpdates.isEmpty ? nil : .string(realtimeUpdates)),
        ]
    }

    /// Changes with every change of the settings.
    var etag: String { uid.prefix(8) + String(updated, radix: 36) }

    /// The message `Database`.
    ///
    /// - Parameter earliest: The first moment that can be read or restored.
    func message(_ database: DatabaseID, earliest: Int64) -> JSON {
        .members(
            [("name", .string(database.resourceName))] + own + [
                ("type", .string("FIRESTORE_NATIVE")), ("concurrencyMode", .string("OPTIMISTIC")),
                ("databaseEdition", .string("STANDARD")), ("appEngineIntegrationMode", .string("DISABLED")),
                ("versionRetentionPeriod", .string("\(window / 1_000_000)s")), ("earliestVersionTime", .time(earliest)),
                ("etag", .string(etag)),
            ])
    }

    // MARK: Requests

    /// The fields that a request may set. Others are read-only, or cannot be changed.
    private static let changeable: Set = [
        "deleteProtectionState", "pointInTimeRecoveryEnablement", "type", "concurrencyMode", "locationId", "databaseEdition",
        "cmekConfig", "realtimeUpdatesMode", "firestoreDataAccessMode", "mongodbCompatibleDataAccessMode", "appEngineIntegrationMode",
    ]
    /// Members that a request may have without effect: gcloud names `name` in masks, and clients send back what they read.
    private static let ignored: Set = ["name", "etag", "uid", "createTime", "updateTime", "tags", "freeTier", "keyPrefix"]

    /// Takes over what a request sets. `mask`: the fields of the message that count; empty for all of them.
    ///
    /// - Parameter withoutRecovery: Why the past of the database cannot be restored; nil if it can.
    mutating func apply(
        _ message: JSON, mask: [String], isNew: Bool, withoutRecovery: FirestoreError?
    ) throws(FirestoreError) {
        for path in mask where !Self.changeable.contains(path) && !Self.ignored.contains(path) && path != "cmekConfig.kmsKeyName" {
            throw .invalidArgument("a database has no field \"\(path.quoted)\" that can be changed", at: "updateMask")
        }
        func isMeant(_ name: String) -> Bool { mask.isEmpty ? message[name] != nil : mask.contains(name) }
        try Self.checkUnsupported(message, isMeant)
        if isMeant("deleteProtectionState") { isProtected = message.text("deleteProtectionState") == "DELETE_PROTECTION_ENABLED" }
        if isMeant("pointInTimeRecoveryEnablement") {
            recoversPast = message.text("pointInTimeRecoveryEnablement") == Self.recovering
            if recoversPast, let withoutRecovery { throw withoutRecovery.located(at: "database.pointInTimeRecoveryEnablement") }
        }
        if isMeant("realtimeUpdatesMode") { realtimeUpdates = message.text("realtimeUpdatesMode") }
        if isMeant("locationId"), !message.text("locationId").isEmpty {
            guard isNew || equalUTF8(message.text("locationId"), place) else {
                throw .invalidArgument("the location of a database cannot be changed", at: "database.locationId")
            }
            place = message.text("locationId")
        }
    }

    private static func checkUnsupported(_ message: JSON, _ isMeant: (String) -> Bool) throws(FirestoreError) {
        func check(_ name: String, _ allowed: String..., why: String) throws(FirestoreError) {
            let value = message.text(name)
            guard isMeant(name), !value.isEmpty, !value.hasSuffix("_UNSPECIFIED"), !allowed.contains(value) else { return }
            throw FirestoreError(.unimplemented, why, at: "database.\(name)")
        }
        try check("type", "FIRESTORE_NATIVE", why: "databases in Datastore mode are not offered here; leave the type out")
        try check("concurrencyMode", "OPTIMISTIC", why: "transactions are optimistic here; leave the mode out")
        try check("databaseEdition", "STANDARD", why: "the Enterprise edition is not offered here; leave the edition out")
        try check("appEngineIntegrationMode", "DISABLED", why: "App Engine is not offered here; leave the mode out")
        try check("firestoreDataAccessMode", "DATA_ACCESS_MODE_ENABLED", why: "access with Firestore's API cannot be turned off here")
        try check(
            "mongodbCompatibleDataAccessMode", "DATA_ACCESS_MODE_DISABLED", why: "MongoDB compatibility is not offered here; leave it out")
        if isMeant("cmekConfig"), message["cmekConfig"]?.text("kmsKeyName").isEmpty == false {
            throw FirestoreError(.unimplemented, "keys of a key management service are not offered here", at: "database.cmekConfig")
        }
    }
}
