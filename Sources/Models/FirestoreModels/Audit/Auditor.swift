// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding
import FirestoreCore

/// Audits documents one after the other.
///
/// Whether a document decodes is what the ordinary decoder says; only then another decoding says why, or what else there is.
final class Auditor<T: Decodable> {
    private let decoder: Firestore.Decoder
    private let encode: ((T) throws -> EncodedDocument)?
    private let options: AuditOptions
    private let usesPaths: Bool
    private let audit: DecodingAudit
    private let tolerated: ToleranceReport
    private var findings: FindingTable
    private var documents = 0
    private var decoded = 0
    private var cutShort = 0

    /// - Parameter usesPaths: Whether examples are paths, since documents of several collections are read.
    init(decoder: Firestore.Decoder, encoder: Firestore.Encoder, options: AuditOptions, usesPaths: Bool, firestore: Firestore) {
        self.decoder = decoder
        self.options = options
        self.usesPaths = usesPaths
        tolerated = ToleranceReport(exampleCount: options.exampleCount)
        audit = DecodingAudit(exampleLimit: max(0, options.exampleCount))
        findings = FindingTable(exampleLimit: max(0, options.exampleCount))
        let writesBack = !options.checks.isDisjoint(with: [.precision, .roundTrip])
        encode = writesBack ? (T.self as? any Encodable.Type).map { Self.encoding($0, encoder, firestore) } : nil
        if options.checks.contains(.tolerance) { audit.tolerance = tolerated }
    }

    private static func encoding<E: Encodable>(
        _ type: E.Type, _ encoder: Firestore.Encoder, _ firestore: Firestore
    ) -> (T) throws -> EncodedDocument {
        { value in
            guard let value = value as? E else {
                throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "not of its type"))
            }
            return try encoder.encodedDocument(value, in: firestore)
        }
    }

    func add(_ document: QueryDocumentSnapshot) {
        documents += 1
        guard let fields = document.fieldBytes else { return }
        let id = usesPaths ? document.reference.path : document.documentID
        do {
            let value = try document.data(as: T.self, decoder: decoder)
            decoded += 1
            if options.checks.contains(.decoding), let property = HiddenDocumentID.property(of: value, hiding: document.reference) {
                let key = FindingTable.Key(kind: .hiddenID, path: property, stored: "the document's id", expected: "a default value")
                findings.add(key, document: documents, id: id)
            }
            guard options.looksAtDecoded else { return }
            audit.observe { try decode(fields, of: document.reference) }
            walk(fields, id, decodes: true)
            writeBack(value, fields, id)
        } catch {
            examine(fields, id, of: document.reference, error)
        }
    }

    private func decode(_ fields: FieldBytes, of reference: DocumentReference) throws {
        _ = try decoder.decode(T.self, from: fields, of: reference, audit: audit)
    }

    private func walk(_ fields: FieldBytes, _ id: String, decodes: Bool) {
        guard !options.checks.isDisjoint(with: [.unknownFields, .optionals]) else { return }
        audit.walk(
            fields, id: id, decodes: decodes, listsUnasked: options.checks.contains(.unknownFields), options: decoder.decodingOptions)
    }

    private func examine(_ fields: FieldBytes, _ id: String, of reference: DocumentReference, _ error: any Error) {
        let found = audit.examine(fields, as: T.self, error: error) { try decode(fields, of: reference) }
        if found.isCutShort { cutShort += 1 }
        for failure in found.failures where options.checks.contains(.decoding) {
            let key = FindingTable.Key(
                kind: AuditReport.Kind(failure.kind), path: failure.path, stored: failure.stored ?? "missing",
                expected: TypeNames.name(failure.expected))
            let value = options.showsValues ? failure.value.map { ShownValue.text($0.view) } : nil
            findings.add(key, document: documents, id: id, value: value)
        }
        walk(fields, id, decodes: false)
    }

    /// Compares the document with what encoding its value gives.
    private func writeBack(_ value: T, _ fields: FieldBytes, _ id: String) {
        guard let encode else { return }
        defer { withExtendedLifetime(fields) {} }
        let back: EncodedDocument
        do {
            back = try encode(value)
        } catch {
            let path = fieldPath(of: error)
            findings.add(
                FindingTable.Key(kind: .unwritable, path: path, stored: "", expected: ""), document: documents, id: id)
            return
        }
        guard !back.sentinels.isEmpty || back.fields != fields else { return }
        defer { withExtendedLifetime(back) {} }
        for change in RoundTrip(fields.view, back.fields.view, asked: audit.root, sentinels: back.sentinels.map(\.path)).changes {
            guard options.checks.contains(change.kind == .precision ? .precision : .roundTrip) else { continue }
            findings.add(
                FindingTable.Key(kind: change.kind, path: change.path, stored: change.stored, expected: change.back),
                document: documents, id: id, value: options.showsValues ? change.values : nil)
        }
    }

    // MARK: Report

    func report(source: String) -> AuditReport {
        var table = findings
        var keys: [AuditReport.Key] = []
        var limits: [String] = []
        audit.root.forEach { field in
            if options.checks.contains(.unknownFields) { addUnknown(field, to: &table, &limits) }
            guard field.isAsked, let first = field.requests.first(where: { $0.type != Any?.self }) ?? field.requests.first else { return }
            let expected = TypeNames.name(first.type)
            keys.append(AuditReport.Key(path: field.path, expected: expected, isOptional: field.isOptional))
            if options.checks.contains(.optionals) { addOptional(field, expected, to: &table) }
        }
        for (path, kind, tally) in tolerated.tallies {
            let named = usesPaths ? tally : tally.renamed { DocumentKey(trusted: $0).id }
            table.add(FindingTable.Key(kind: .tolerated, path: path, stored: "", expected: kind.words), named)
        }
        if documents == 0 {
            let probe = KeyProbe.keys(of: T.self)
            keys = probe.keys.filter { $0.presence != .identity }.map {
                AuditReport.Key(
                    path: ProbedKey.text($0.path), expected: TypeNames.name($0.type),
                    isOptional: $0.presence == .ifPresent || $0.presence == .missingAccepted)
            }
            if let limit = probe.limit { limits.append("there are no documents, and without them not all keys are known: \(limit)") }
        }
        if options.checks.contains(where: [.precision, .roundTrip]), encode == nil {
            limits.append("\(TypeNames.name(T.self)) cannot be encoded, so what writing back would change is not known")
        }
        if T.self is any VersionedModel.Type, decoder.preparing == nil {
            let name = TypeNames.name(T.self)
            limits.append("\(name) has versions, and documents of older ones were not migrated; pass decoder: .migrating(\(name).self)")
        }
        if table.hasMore { limits.append("there are more findings than a report holds") }
        return AuditReport(
            type: TypeNames.name(T.self), source: source, documentCount: documents, decodedCount: decoded, cutShortCount: cutShort,
            findings: table.findings(of: documents), keys: keys.sorted { compareUTF8($0.path, $1.path) < 0 }, limits: limits)
    }

    private func addUnknown(_ field: AuditedField, to table: inout FindingTable, _ limits: inout [String]) {
        for (name, unknown) in field.unasked {
            let path = ProbedKey.text(field.segments + [.name(String(decoding: name, as: UTF8.self))])
            for (stored, tally) in unknown.tallies {
                table.add(FindingTable.Key(kind: .unknown, path: path, stored: stored, expected: ""), tally)
            }
        }
        if field.hasMoreUnasked {
            limits.append("'\(field.path)' has more unknown names than a report holds; should it be a dictionary?")
        }
    }

    /// Fields of places that were never reached, such as those below a nested type that no document has, are not judged.
    private func addOptional(_ field: AuditedField, _ expected: String, to table: inout FindingTable) {
        guard field.isOptional, documents > 0, case .name = field.key else { return }
        if !field.isInData, field.parent?.isInDataOrRoot == true {
            var tally = DocumentTally()
            tally.set(documents: documents)
            table.add(FindingTable.Key(kind: .neverPresent, path: field.path, stored: "missing", expected: expected), tally)
        } else if field.asked > 0, field.present == field.asked, failed == 0 {
            var tally = DocumentTally()
            tally.set(documents: documents)
            table.add(FindingTable.Key(kind: .alwaysPresent, path: field.path, stored: "", expected: expected), tally)
        }
    }

    private var failed: Int { documents - decoded }
}

extension AuditOptions.Checks {
    fileprivate func contains(where any: AuditOptions.Checks) -> Bool { !isDisjoint(with: any) }
}

extension AuditReport.Kind {
    fileprivate init(_ kind: DecodingAudit.Failure.Kind) {
        self =
            switch kind {
            case .missing: .missing
            case .null: .null
            case .mismatch: .mismatch
            case .range: .range
            case .value: .value
            }
    }
}

/// The field that could not be encoded.
private func fieldPath(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "" }
    return ProbedKey.text(context.codingPath.map { $0.stringValue.hasPrefix("Index ") ? .elements : .name($0.stringValue) })
}
