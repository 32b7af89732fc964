// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// Audits against brute force, on random documents (MP-83).
@Suite struct AuditPropertyTests {
    struct Model: Codable {
        enum Status: String, Codable { case open, done }
        struct Inner: Codable {
            var a: Int
            var b: String?
            var c: [Double]
        }

        @DocumentID var id: String?
        var n: Int
        var small: UInt8
        var float: Float
        var double: Double
        var text: String
        var flag: Bool
        var day: Date
        var link: URL?
        var status: Status
        var inner: Inner
        var inners: [Inner]
        var more: Inner?
        var byName: [String: Inner]
        var byNumber: [Int: Bool]
        var place: GeoPoint
        var bytes: Data
        var uuid: UUID?
        @ExplicitNull var nick: String?
        @ServerTimestamp var at: Date?
        @DefaultZero var stars: Int
        @LossyArray var words: [String]
        var price: Decimal?
        var names: [String]
    }

    /// A position in a document: names, `[3]` and `{key}`, and the same as findings have it.
    private struct Place: Hashable {
        var steps: [String] = []
        var path = ""

        func field(_ name: String) -> Place { Place(steps: steps + [name], path: path.isEmpty ? name : path + "." + name) }
        func entry(_ name: String) -> Place { Place(steps: steps + [name], path: path + "{}") }
        func element(_ index: Int) -> Place { Place(steps: steps + ["\(index)"], path: path + "[]") }
    }

    private static func inner(_ random: inout SeededGenerator) -> FirestoreValue {
        var fields = FirestoreFields()
        fields["a"] = .integer(Int64.random(in: -5...5, using: &random))
        if Bool.random(using: &random) { fields["b"] = "b" }
        fields["c"] = .array((0..<Int.random(in: 0...3, using: &random)).map { .double(Double($0) + 0.5) })
        return .map(fields)
    }

    /// A document that decodes.
    private static func valid(_ random: inout SeededGenerator) -> FirestoreFields {
        func maybe(_ value: FirestoreValue) -> FirestoreValue? { Bool.random(using: &random) ? value : nil }
        var fields = FirestoreFields()
        fields["n"] = Bool.random(using: &random) ? 4 : 4.0
        fields["small"] = 200
        fields["float"] = Bool.random(using: &random) ? .double(0.1) : .double(0.5)
        fields["double"] = Bool.random(using: &random) ? .integer(9_007_199_254_740_993) : Bool.random(using: &random) ? 3 : 2.5
        fields["text"] = "text"
        fields["flag"] = true
        fields["day"] = .timestamp(Timestamp(seconds: 1_700_000_000, nanoseconds: 5_000))
        fields["link"] = maybe("https://example.com/a")
        fields["status"] = "open"
        fields["inner"] = inner(&random)
        fields["inners"] = .array((0..<Int.random(in: 0...3, using: &random)).map { _ in inner(&random) })
        fields["more"] = Bool.random(using: &random) ? inner(&random) : maybe(.null)
        fields["byName"] = .map(FirestoreFields([("x", inner(&random)), ("y.z", inner(&random))]))
        fields["byNumber"] = .map(FirestoreFields([("1", true), ("20", false)]))
        fields["place"] = .geoPoint(GeoPoint(latitude: 1, longitude: 2))
        fields["bytes"] = .bytes(Data([1, 2]))
        fields["uuid"] = maybe("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
        fields["nick"] = Bool.random(using: &random) ? "nick" : maybe(.null)
        fields["at"] = Bool.random(using: &random) ? .timestamp(Timestamp(seconds: 5, nanoseconds: 0)) : maybe(.null)
        fields["stars"] = maybe(3)
        fields["words"] = maybe(.array(["x", 5, "y"]))
        fields["price"] = maybe(2)
        fields["names"] = .array(["m", "n"])
        if Bool.random(using: &random) { fields["legacy"] = Bool.random(using: &random) ? "old" : .null }
        return fields
    }

    /// Every position in a document except inside unknown fields.
    private static func places(_ fields: FirestoreFields, _ place: Place = Place(), isOpen: Bool = false) -> [Place] {
        fields.flatMap { name, value -> [Place] in
            guard !["legacy", "words"].contains(name) else { return [] }
            let here = isOpen ? place.entry(name) : place.field(name)
            var found = [here]
            if case .map(let inner) = value { found += places(inner, here, isOpen: ["byName", "byNumber"].contains(name)) }
            if case .array(let elements) = value {
                for (index, element) in elements.enumerated() {
                    let place = here.element(index)
                    found.append(place)
                    if case .map(let inner) = element { found += places(inner, place) }
                }
            }
            return found
        }
    }

    /// The document with another value, or none, at a position.
    private static func changed(_ value: FirestoreValue, _ steps: ArraySlice<String>, to new: FirestoreValue?) -> FirestoreValue? {
        guard let first = steps.first else { return new }
        switch value {
        case .map(var fields):
            fields[first] = fields[first].flatMap { changed($0, steps.dropFirst(), to: new) }
            return .map(fields)
        case .array(var elements):
            guard let index = Int(first) else { return value }
            elements[index] = changed(elements[index], steps.dropFirst(), to: new) ?? .null
            return .array(elements)
        default: return value
        }
    }

    private static func changed(_ fields: FirestoreFields, _ changes: [(place: Place, value: FirestoreValue?)]) -> FirestoreFields {
        var result = FirestoreValue.map(fields)
        for change in changes { result = changed(result, change.place.steps[...], to: change.value) ?? result }
        guard case .map(let fields) = result else { return fields }
        return fields
    }

    private static let wrong: [FirestoreValue?] = [
        nil, .null, "wrong", "", 300, -1, 5.5, true, .array([]), .array(["x"]), .map(FirestoreFields()), .bytes(Data([255])),
        .timestamp(Timestamp(seconds: 1, nanoseconds: 0)), .double(.nan),
    ]

    private static func decodes(_ fields: FirestoreFields, _ reference: DocumentReference) throws -> Bool {
        let data = try Firestore.Encoder().encode(fields)
        return (try? Firestore.Decoder().decode(Model.self, from: data, in: reference)) != nil
    }

    @Test(arguments: 0..<TestScale.pick(quick: 8, full: 80))
    func `every failure of every document is found, and nothing else`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let db = try TestFirestore()
        let collection = db.firestore.collection("c")
        var expected: Set<[String]> = []
        var failing = 0
        for number in 0..<40 {
            let id = "d\(100 + number)"
            let reference = collection.document(id)
            let base = Self.valid(&random)
            var changes: [(place: Place, value: FirestoreValue?)] = []
            var places = Self.places(base)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                guard let place = places.randomElement(using: &random), let value = Self.wrong.randomElement(using: &random) else { break }
                // Arrays hold no arrays.
                if case .array? = value, place.path.hasSuffix("[]") { continue }
                changes.append((place, value))
                places.removeAll { $0.steps.starts(with: place.steps) || place.steps.starts(with: $0.steps) }
            }
            // What fails when nothing else is wrong.
            var failures: [Place] = []
            for change in changes where try !Self.decodes(Self.changed(base, [change]), reference) { failures.append(change.place) }
            let document = Self.changed(base, changes)
            let isDecoded = try Self.decodes(document, reference)
            #expect(isDecoded == failures.isEmpty)
            if !isDecoded { failing += 1 }
            for place in failures { expected.insert([place.path, id]) }
            // Fixing them makes the document decode.
            #expect(try Self.decodes(Self.changed(base, changes.filter { change in !failures.contains(change.place) }), reference))
            try await reference.setData(try Firestore.Encoder().encode(document))
        }
        var options = AuditOptions(exampleCount: 1_000)
        options.pageSize = 7
        let report = try await collection.audit(as: Model.self, options: options)
        #expect(report.failedCount == failing && report.cutShortCount == 0)
        // A wrong map or array fails where its content does.
        func cause(_ path: String, _ id: String) -> [String] {
            if expected.contains([path, id]) { return [path, id] }
            let above = expected.filter { $0[1] == id && (path.hasPrefix($0[0] + ".") || path.hasPrefix($0[0] + "[]")) }
            return above.max { $0[0].count < $1[0].count } ?? [path, id]
        }
        let found = Set(report.findings.filter(\.kind.preventsDecoding).flatMap { finding in finding.examples.map { cause(finding.path, $0) } })
        #expect(found == expected, "missed \(expected.subtracting(found)), invented \(found.subtracting(expected)), seed \(seed)")
        let unknown = Set(report.findings.filter { $0.kind == .unknown }.map(\.path))
        #expect(unknown.subtracting(["legacy"]).isEmpty)
    }

    /// What a write changed, by comparing trees.
    private static func differences(_ old: FirestoreFields, _ new: FirestoreFields, _ place: Place = Place(), isOpen: Bool = false) -> Set<String> {
        var found: Set<String> = []
        for name in Set(old.names + new.names) {
            let here = isOpen ? place.entry(name) : place.field(name)
            switch (old[name], new[name]) {
            case (let before?, let after?): found.formUnion(differences(before, after, here, isOpen: ["byName", "byNumber"].contains(name)))
            case (.null?, nil) where name != "legacy": found.insert("kind \(here.path)")
            case (.some, nil): found.insert("deletes \(here.path)")
            case (nil, .some): found.insert("\(name == "at" ? "restamped" : "kind") \(here.path)")
            case (nil, nil): break
            }
        }
        return found
    }

    private static func differences(_ old: FirestoreValue, _ new: FirestoreValue, _ place: Place, isOpen: Bool) -> Set<String> {
        if old == new { return [] }
        switch (old, new) {
        case (.map(let before), .map(let after)): return differences(before, after, place, isOpen: isOpen)
        case (.array(let before), .array(let after)) where before.count == after.count:
            var found: Set<String> = []
            for index in before.indices { found.formUnion(differences(before[index], after[index], place.element(index), isOpen: false)) }
            return found
        case (.null, .timestamp): return ["restamped \(place.path)"]
        case (.integer(let before), .double(let after)): return ["\(Int64(exactly: after) == before ? "kind" : "precision") \(place.path)"]
        case (.double, .double), (.string, .string): return ["precision \(place.path)"]
        default: return ["kind \(place.path)"]
        }
    }

    @Test(arguments: 0..<TestScale.pick(quick: 6, full: 60))
    func `the predicted changes of writing back equal the real ones`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1_000)
        let db = try TestFirestore()
        let collection = db.firestore.collection("c")
        for number in 0..<30 {
            try await collection.document("d\(100 + number)").setData(try Firestore.Encoder().encode(Self.valid(&random)))
        }
        let report = try await collection.audit(
            as: Model.self, options: AuditOptions(exampleCount: 1_000, checks: [.precision, .roundTrip]))
        let found = Set(report.findings.flatMap { finding in finding.examples.map { "\($0) \(finding.kind) \(finding.path)" } })
        var expected: Set<String> = []
        let documents = try await collection.getDocuments().documents
        for document in documents {
            let before = try document.data(as: FirestoreFields.self)
            try document.reference.setData(from: try document.data(as: Model.self))
            let after = try await document.reference.getDocument(as: FirestoreFields.self)
            for difference in Self.differences(before, after) { expected.insert("\(document.documentID) \(difference)") }
        }
        #expect(found == expected, "missed \(expected.subtracting(found)), invented \(found.subtracting(expected)), seed \(seed)")
    }
}
