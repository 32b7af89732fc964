// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Compares the requests of a type with the documents of a collection, and records where they do not fit (MP-34, MP-35).
///
/// An option of the decoder, which then gives out containers that report to it. Documents that decode are read once, and the
/// requests for their fields are recorded. A document that fails is decoded again and again: each time the failure that ended the decoding
/// is recorded and from then on gets a stand-in, until nothing fails. So a failure that the type catches itself (`try?`) is not
/// reported, and all the others are found, not just the first.
///
/// Not thread-safe.
package final class DecodingAudit {
    /// The place of the document itself.
    package let root = AuditedField(.values, parent: nil)

    /// Takes what tolerant types did, in documents that decode.
    package var tolerance: (any ToleranceRecorder)?

    private let exampleLimit: Int
    private var document = 0
    /// Whether failures get stand-ins.
    @exclusivity(unchecked) private(set) var repairs = false
    @exclusivity(unchecked) private var counts = false
    /// The requests of this document that get a stand-in.
    private var repaired: Set<RepairKey> = []
    /// How many stand-ins were given during this pass.
    private var standInsGiven = 0
    /// The request whose failure is being thrown, and those it passed on the way up.
    private var chain: [FailedRequest] = []
    private var chainError: (any Error)?
    /// Values of types that have no stand-in, from documents that decode.
    private var donors: [ObjectIdentifier: Any] = [:]
    /// Of the place that a container was opened for the last time.
    @exclusivity(unchecked) private var latestNode: DecodingNode?
    @exclusivity(unchecked) private var latestField: AuditedField?

    /// - Parameter exampleLimit: How many ids of documents are recorded per finding.
    package init(exampleLimit: Int) { self.exampleLimit = exampleLimit }

    /// One failure of a document.
    package struct Failure {
        package enum Kind: String, Sendable {
            case missing, null, mismatch, range, value
        }

        package let kind: Kind
        /// Where, with `[]` for elements and `{}` for values of dictionaries.
        package let path: String
        /// Where in this document, with indices and keys.
        package let place: String
        /// nil if there is no field.
        package let stored: String?
        package let expected: Any.Type
        /// The stored value, for reports that are asked for values.
        package let value: ValueBytes?
    }

    /// The findings of the examination of one document.
    package struct Findings {
        package var failures: [Failure] = []
        /// Whether a failure prevented that the rest of the document was examined.
        package var isCutShort = false
    }

    private struct RepairKey: Hashable {
        let path: String
        let type: ObjectIdentifier
    }

    private struct FailedRequest {
        let key: RepairKey
        let failure: Failure
        let canStandIn: Bool
        /// Whether it followed from a stand-in below.
        let isConsequence: Bool
    }

    /// After how many failures the examination of a document ends.
    private static let failureLimit = 200

    // MARK: Documents

    /// Records the requests of a document that decodes. `decode` decodes it with this audit as an option.
    package func observe(_ decode: () throws -> Void) {
        document += 1
        repairs = false
        counts = true
        root.restart()
        try? decode()
    }

    /// Finds every failure of a document that does not decode as a type. `decode` decodes it with this audit as an option.
    package func examine(
        _ fields: FieldBytes, as type: Any.Type, error ordinary: any Error, _ decode: () throws -> Void
    ) -> Findings {
        defer { withExtendedLifetime(fields) {} }
        var findings = Findings()
        document += 1
        let recorder = tolerance
        tolerance = nil
        repairs = true
        counts = false
        repaired = []
        defer {
            repairs = false
            tolerance = recorder
        }
        for _ in 0..<Self.failureLimit {
            standInsGiven = 0
            chain = []
            chainError = nil
            root.restart()
            do {
                try decode()
                // The decoder rejected the document, and the audit does not: only the rejected value is known.
                if findings.failures.isEmpty { findings.failures.append(Self.failure(of: ordinary, type, fields.view)) }
                return findings
            } catch {
                guard let origin = chain.first, let chainError, Self.isSame(error, chainError) else {
                    if standInsGiven == 0 { findings.failures.append(Self.failure(of: error, type, fields.view)) }
                    findings.isCutShort = true
                    return findings
                }
                if origin.isConsequence { findings.isCutShort = true } else { findings.failures.append(origin.failure) }
                guard let target = chain.first(where: { $0.canStandIn }), repaired.insert(target.key).inserted else {
                    findings.isCutShort = true
                    return findings
                }
                if target.key != origin.key { findings.isCutShort = true }
            }
        }
        findings.isCutShort = true
        return findings
    }

    /// Compares the fields of a document with everything that was asked for so far.
    package func walk(
        _ fields: FieldBytes, id: String, decodes: Bool, listsUnasked: Bool, options: DecodingOptions?
    ) {
        defer { withExtendedLifetime(fields) {} }
        root.walk(
            fields.view,
            AuditWalk(
                document: document, documentID: id, exampleLimit: exampleLimit, counts: decodes, listsUnasked: listsUnasked,
                options: options))
    }

    // MARK: Requests

    /// The place of a value that is being decoded.
    func field(of node: DecodingNode?) -> AuditedField {
        guard let node else { return root }
        if latestNode === node, let latestField { return latestField }
        let parent = field(of: node.parent)
        let found = type(of: node.key) == IndexKey.self ? parent.anyElement : parent.child(node.key.stringValue)
        latestNode = node
        latestField = found
        return found
    }

    @inline(__always)
    func noteRequest(_ type: Any.Type, _ field: AuditedField, isIfPresent: Bool) {
        field.note(type, isIfPresent: isIfPresent)
        if counts { field.asked += 1 }
    }

    /// Makes a request and records its first value as a donor; in a document that fails, with a stand-in if this request is known to fail.
    @inline(never)
    func answer<T>(
        _ type: Any.Type, at place: @autoclosure () -> DecodingPlace, in state: DecodingState, _ field: AuditedField,
        stored: () -> ValueView?, _ body: () throws -> T
    ) throws -> T {
        guard repairs else {
            let value = try body()
            if field.needsDonor { keep(value, for: field) }
            return value
        }
        chain = []
        let before = standInsGiven
        do {
            return try body()
        } catch {
            return try repair(error, type, at: place(), in: state, field, stored: stored(), isConsequence: standInsGiven > before)
        }
    }

    private func repair<T>(
        _ error: any Error, _ type: Any.Type, at place: DecodingPlace, in state: DecodingState, _ field: AuditedField,
        stored: ValueView?, isConsequence: Bool
    ) throws -> T {
        let text = CodingPathText.text(place.codingPath)
        let key = RepairKey(path: text, type: ObjectIdentifier(type))
        let standIn = standIn(T.self, in: state)
        if repaired.contains(key), let standIn {
            chain = []
            standInsGiven += 1
            return standIn
        }
        let failed = FailedRequest(
            key: key,
            failure: Failure(
                kind: Self.kind(of: error, type, stored), path: field.path, place: text, stored: stored?.typeName,
                expected: type, value: stored.map { ValueBytes(canonical: ByteSlice(copying: $0.buffer)) }),
            canStandIn: standIn != nil, isConsequence: isConsequence)
        if let chainError, !chain.isEmpty, Self.isSame(error, chainError) {
            chain.append(failed)
        } else {
            chain = [failed]
            chainError = error
        }
        throw error
    }

    private func standIn<T>(_ type: T.Type, in state: DecodingState) -> T? {
        if let simple = StandIns.simple(type) { return simple }
        if let donor = donors[ObjectIdentifier(type)] as? T { return donor }
        if let reference = state.documentReference as? T { return reference }
        if let decodable = type as? any Decodable.Type { return Self.anyStandIn(decodable) as? T }
        return nil
    }

    private static func anyStandIn<T: Decodable>(_ type: T.Type) -> Any? { StandIns.any(type) }

    private func keep<T>(_ value: T, for field: AuditedField) {
        field.needsDonor = false
        let id = ObjectIdentifier(T.self)
        if donors[id] == nil, StandIns.simple(T.self) == nil { donors[id] = value }
    }

    // MARK: Failures

    /// A failure without a request: the type's own `init(from:)` rejected a value that it had read.
    private static func failure(of error: any Error, _ type: Any.Type, _ fields: FieldsView) -> Failure {
        var path: [any CodingKey] = []
        var expected = type
        var kind = Failure.Kind.value
        switch error as? DecodingError {
        case .typeMismatch(let type, let context)?: (expected, path, kind) = (type, context.codingPath, .mismatch)
        case .valueNotFound(let type, let context)?: (expected, path, kind) = (type, context.codingPath, .null)
        case .keyNotFound(let key, let context)?: (path, kind) = (context.codingPath + [key], .missing)
        case .dataCorrupted(let context)?: path = context.codingPath
        default: break
        }
        let place = CodingPathText.text(path)
        let shape = path.map { Swift.type(of: $0) == IndexKey.self ? ProbedKey.Segment.elements : .name($0.stringValue) }
        let stored = path.isEmpty ? nil : value(at: path[...], in: fields)
        return Failure(
            kind: kind, path: ProbedKey.text(shape), place: place, stored: path.isEmpty ? "map" : stored?.typeName, expected: expected,
            value: stored.map { ValueBytes(canonical: ByteSlice(copying: $0.buffer)) })
    }

    private static func value(at path: ArraySlice<any CodingKey>, in fields: FieldsView) -> ValueView? {
        guard let first = path.first, var value = fields[utf8: first.stringValue] else { return nil }
        for key in path.dropFirst() {
            let inner =
                if let index = key as? IndexKey {
                    value.elements?.enumerated().first { $0.offset == index.index }?.element
                } else {
                    value.fields?[utf8: key.stringValue]
                }
            guard let inner else { return nil }
            value = inner
        }
        return value
    }

    private static func kind(of error: any Error, _ type: Any.Type, _ stored: ValueView?) -> Failure.Kind {
        guard let stored else { return .missing }
        switch error as? DecodingError {
        case .valueNotFound?: return stored.isNull ? .null : .value
        case .typeMismatch?: return stored.isNull ? .null : .mismatch
        case .keyNotFound?: return .value
        case .dataCorrupted?:
            let isNumber = stored.kind == .integer || stored.kind == .double
            return isNumber && type is any Numeric.Type ? .range : .value
        default:
            // A value that is not a reference throws a separate error.
            if type is any MismatchWithoutDecodingError.Type, stored.kind != .reference { return stored.isNull ? .null : .mismatch }
            return .value
        }
    }

    private static func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard type(of: left) == type(of: right) else { return false }
        guard let left = left as? DecodingError, let right = right as? DecodingError else {
            return String(reflecting: left) == String(reflecting: right)
        }
        // The decoder puts the document's name before texts of types.
        let (one, other) = (parts(left), parts(right))
        return one.dropLast() == other.dropLast()
            && ((one.last ?? "").hasSuffix(other.last ?? "") || (other.last ?? "").hasSuffix(one.last ?? ""))
    }

    private static func parts(_ error: DecodingError) -> [String] {
        func parts(_ name: String, _ context: DecodingError.Context) -> [String] {
            [name, CodingPathText.text(context.codingPath), context.debugDescription]
        }
        return switch error {
        case .typeMismatch(let type, let context): parts("mismatch \(type)", context)
        case .valueNotFound(let type, let context): parts("value \(type)", context)
        case .keyNotFound(let key, let context): parts("key \(key.stringValue)", context)
        case .dataCorrupted(let context): parts("data", context)
        @unknown default: ["\(error)"]
        }
    }
}

/// A type that throws another error than `DecodingError` for a stored value of another kind.
package protocol MismatchWithoutDecodingError {}

extension ValueView {
    /// The stored type in one word, as in reports.
    package var typeName: String { vector == nil ? kind.name : "vector" }
}
