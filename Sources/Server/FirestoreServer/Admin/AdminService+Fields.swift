// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire

/// Settings of single fields: exemptions from indexes, indexes of a collection group, expiry.
extension AdminService {
    func getField(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, field) = try AdminName.field(request.text("name"))
        let (service, facts) = try await used(database)
        return try await message(field, in: database, service, try await Self.allSettings(facts, service))
    }

    func listFields(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, group) = try AdminName.group(request.text("parent"))
        let filter = try FieldFilter(request.text("filter"))
        let (service, facts) = try await used(database)
        let all = try await Self.allSettings(facts, service)
        var shown = all.filter(filter.admits).map(\.field)
        // Tools read the defaults of the database from every list.
        if filter.wantsIndexes, !shown.contains(where: { $0.isDefault }) { shown.append(.everyField) }
        shown = shown.filter { group == "-" || equalUTF8($0.group, group) || $0.isDefault }
            .sorted { compareUTF8(FieldSettings.key(of: $0), FieldSettings.key(of: $1)) < 0 }
        let page = try AdminPage.of(shown, request) { FieldSettings.key(of: $0) }
        var messages: [JSON] = []
        for field in page.elements { messages.append(try await message(field, in: database, service, all)) }
        return .members([("fields", messages.isEmpty ? nil : .array(messages)), ("nextPageToken", page.next)])
    }

    func updateField(_ request: JSON) async throws(FirestoreError) -> JSON {
        let message = request["field"] ?? .empty
        let (database, field) = try AdminName.field(message.text("name"))
        let mask = AdminMask.paths(request.text("updateMask"))
        let (service, facts) = try await used(database)
        return try await turn.run { () async throws(FirestoreError) -> JSON in
            let all = try await Self.allSettings(facts, service)
            let before = all.first { $0.field.isSame(as: field) } ?? FieldSettings(field: field)
            var settings = before
            try settings.apply(message, mask: mask)
            try Self.check(settings, among: all)
            let changed = all.filter { !$0.field.isSame(as: field) } + (settings.isEmpty ? [] : [settings])
            try await facts.setFact(settings.key, settings.stored)
            try await apply(settings, before, all: changed, to: service)
            let shown = try await self.message(field, in: database, service, changed)
            return try await noted(settings, before, shown, in: database, facts)
        }
    }

    private static func check(_ settings: FieldSettings, among all: [FieldSettings]) throws(FirestoreError) {
        let others = all.filter { !$0.field.isSame(as: settings.field) }
        guard settings.isEmpty || others.count < FieldSettings.maximum else {
            throw FirestoreError(
                .resourceExhausted, "a database has settings of at most \(FieldSettings.maximum) fields; remove some first")
        }
        let rival = others.first { $0.expiry != nil && equalUTF8($0.field.group, settings.field.group) }
        if settings.expiry != nil, let rival {
            throw FirestoreError(
                .failedPrecondition,
                "documents of a collection group expire by one field; remove the policy of \(rival.field.pathText) first",
                at: "\(settings.field.group).\(settings.field.pathText)")
        }
    }

    /// Makes the database what the settings say.
    private func apply(
        _ settings: FieldSettings, _ before: FieldSettings, all: [FieldSettings], to service: RuledService
    ) async throws(FirestoreError) {
        let indexes = try Self.administration(of: service)
        let wanted = settings.definitions
        let known = try await indexes.indexes().filter { status in
            status.isConfigured && !status.definition.isListed && equalUTF8(status.definition.collectionID, settings.field.group)
                && status.definition.fields[0].path == settings.field.path
        }
        for status in known where !wanted.contains(status.definition) && !wanted.contains(status.definition.reversed) {
            _ = try await indexes.removeIndex(status.number)
        }
        for definition in wanted
        where !known.contains(where: { $0.definition == definition || $0.definition == definition.reversed }) {
            do throws(FirestoreError) {
                _ = try await indexes.addIndex(definition)
            } catch {
                // The console has configured it meanwhile.
                guard error.code == .alreadyExists else { throw error }
            }
        }
        let exemptions = all.compactMap(\.exemption)
        // Explicit indexes matter only beside exemptions of what surrounds them.
        try await indexes.setExemptions(IndexExemptions(exemptions.contains(where: \.isExempt) ? exemptions : []))
        guard settings.expiry != before.expiry, let path = settings.field.path, let expiry = service.expiryAdministration else { return }
        if let offset = settings.expiry {
            let seconds = AdminDuration(text: offset)?.seconds ?? 0
            try await expiry.setPolicy(collectionGroup: settings.field.group, field: path, offset: .seconds(seconds))
        } else {
            try await expiry.removePolicy(collectionGroup: settings.field.group, field: path)
        }
    }

    /// The operation of a change, which is over when what it needs is built.
    private func noted(
        _ settings: FieldSettings, _ before: FieldSettings, _ message: JSON, in database: DatabaseID, _ facts: any FactService
    ) async throws(FirestoreError) -> JSON {
        var deltas: [JSON] = []
        for (type, indexes, others) in [("ADD", settings.indexes, before.indexes), ("REMOVE", before.indexes, settings.indexes)] {
            let known = Set((others ?? []).map { $0.text() })
            deltas += (indexes ?? []).filter { !known.contains($0.text()) }.map { .object([("changeType", .string(type)), ("index", $0)]) }
        }
        var expiry: JSON?
        if settings.expiry != before.expiry {
            expiry = .members([
                ("changeType", .string(settings.expiry == nil ? "REMOVE" : "ADD")),
                ("expirationOffset", settings.expiry.flatMap { $0.isEmpty ? nil : .string($0) }),
            ])
        }
        let metadata = JSON.members([
            ("startTime", .time(clock.now())), ("field", .string(settings.field.name(in: database))),
            ("indexConfigDeltas", deltas.isEmpty ? nil : .array(deltas)), ("state", .string("PROCESSING")), ("ttlConfigDelta", expiry),
        ])
        let record = OperationRecord(database, .fieldOperationMetadata, metadata, now: clock.now(), process: transfers.process)
        return try await operation(try await OperationStore(facts, clock: clock).add(record), in: database)
    }

    func message(
        _ field: FieldName, in database: DatabaseID, _ service: RuledService, _ all: [FieldSettings]
    ) async throws(FirestoreError) -> JSON {
        let known = try await Self.administration(of: service).indexes()
        var expiry = ExpiryState.active
        if let path = field.path, let administration = service.expiryAdministration {
            expiry = try await administration.state(collectionGroup: field.group, field: path) ?? .active
        }
        return FieldMessage.message(
            field,
            FieldMessage.Surroundings(
                database: database, settings: all,
                isReady: { definition in
                    let status = known.first { $0.definition == definition || $0.definition == definition.reversed }
                    return status.map { $0.state == .ready } ?? true
                }, expiry: expiry))
    }

    /// What is stored for fields, and the policies of expiry, which the database has.
    static func allSettings(_ facts: any FactService, _ service: RuledService) async throws(FirestoreError) -> [FieldSettings] {
        var all = try await facts.facts(below: FieldSettings.facts).compactMap { FieldSettings(stored: $0.value) }
        for policy in try await service.expiryAdministration?.policies() ?? [] {
            let field = try FieldName(group: policy.collectionGroup, path: policy.field.canonical)
            let place = all.firstIndex { $0.field.isSame(as: field) } ?? all.endIndex
            if place == all.endIndex { all.append(FieldSettings(field: field)) }
            all[place].expiry = policy.offset == 0 ? "" : "\(policy.offset)s"
        }
        return all
    }
}

/// The filters that lists of fields have: `indexConfig.usesAncestorConfig:false`, `ttlConfig:*`, and both with `OR`.
struct FieldFilter {
    private(set) var wantsIndexes = false
    private var wantsExpiry = false

    /// An empty filter is both.
    init(_ text: String) throws(FirestoreError) {
        guard !text.allSatisfy(\.isWhitespace) else {
            (wantsIndexes, wantsExpiry) = (true, true)
            return
        }
        for part in text.split(separator: " OR ") {
            switch part.filter({ !$0.isWhitespace && $0 != "\"" && $0 != "(" && $0 != ")" }) {
            case "indexConfig.usesAncestorConfig:false", "indexConfig.usesAncestorConfig=false": wantsIndexes = true
            case "ttlConfig:*": wantsExpiry = true
            default:
                throw .invalidArgument(
                    "a list of fields is filtered by indexConfig.usesAncestorConfig:false, ttlConfig:*, or both with OR", at: "filter")
            }
        }
    }

    func admits(_ settings: FieldSettings) -> Bool { wantsIndexes && settings.indexes != nil || wantsExpiry && settings.expiry != nil }
}
