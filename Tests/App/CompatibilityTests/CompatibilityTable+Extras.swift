// SPDX-License-Identifier: Apache-2.0
/// What Hearth has beyond the Apple SDK in products of its own, and what code does without it there (MP-93).
struct CompatibilityExtra {
    let title: String
    /// The page that describes it.
    let page: String
    let rows: [(hearth: String, apple: String)]
}

extension CompatibilityTable {
    /// Extras are not in api.md, and code that uses them does not compile with the Apple SDK.
    static var extras: [CompatibilityExtra] { [typedFields, audits, tolerance, versions] }

    private static let typedFields = CompatibilityExtra(
        title: "Typed fields: `FirestoreModels`, `FirestoreModelMacros`", page: "mapping-fields.md",
        rows: [
            ("@FirestoreModel", "delete the line: the type is plain `Codable`"),
            ("db.collection(\"cities\", of: City.self)", "`db.collection(\"cities\")`"),
            ("cities.where { $0.population > 5 && $0.country == \"DE\" }", "`.whereField(\"population\", isGreaterThan: 5).whereField(\"country\", isEqualTo: \"DE\")`"),
            ("cities.where { $0.population > 5 || $0.country == \"DE\" }", "`.whereFilter(.orFilter([.whereField(…), .whereField(…)]))`"),
            ("cities.order(by: \\.population, .descending)", "`.order(by: \"population\", descending: true)`"),
            ("cities.start(at: .value(\\.country, \"DE\"))", "`.start(at: [\"DE\"])`"),
            ("try await cities.get()", "`try await query.getDocuments().documents.map { try $0.data(as: City.self) }`"),
            ("cities.pages(of: 100)", "`.limit(to: 100)` and `.start(afterDocument:)` in a loop"),
            ("cities.snapshots", "`query.addSnapshotListener`, and `data(as:)` for each document"),
            ("try await cities.sum(\\.population)", "`query.aggregate([.sum(\"population\")]).getAggregation(source: .server)`"),
            ("cities.pipeline()", "`db.pipeline().collection(\"cities\")`"),
            (
                #"cities.pipeline().where { $0.country != "DE" }"#,
                "`.where(Field(\"country\").exists() && Field(\"country\").notEqual(Constant.nil) && Field(\"country\").notEqual(\"DE\"))`"
            ),
            (#"cities.pipeline().sort(by: \.population)"#, "`.sort([Field(\"population\").ascending()])`"),
            (#"cities.field(\.country)"#, "`Field(\"country\")`"),
            ("try await cities.pipeline().execute()", "`try await pipeline.execute().results`, and a decoder for `data` of each"),
            ("try await berlin.get()", "`try await reference.getDocument(as: City?.self)`"),
            ("try await berlin.set(city)", "`try reference.setData(from: city)`"),
            ("try await berlin.update(.increment(\\.population, by: 1))", "`try await reference.updateData([\"population\": FieldValue.increment(Int64(1))])`"),
            ("try await berlin.update(.set(\\.nickname, to: nil))", "`try await reference.updateData([\"nickname\": FieldValue.delete()])`"),
            ("try batch.set(city, at: berlin)", "`try batch.setData(from: city, forDocument: reference)`"),
            ("batch.update(…, at: berlin)", "`batch.updateData([…], forDocument: reference)`"),
            ("try transaction.get(berlin)", "`try transaction.getDocument(reference).data(as: City?.self)`"),
            ("berlin.collection(City.landmarks)", "`reference.collection(\"landmarks\")`"),
            ("ModelReference<City>", "`DocumentReference`"),
            ("City.verifyFields()", "nothing: there is no table of fields"),
        ])

    private static let audits = CompatibilityExtra(
        title: "Audits: `FirestoreModels`, `FirestoreTesting`", page: "mapping-audit.md",
        rows: [
            ("try await cities.audit(as: City.self)", "`data(as:)` for each document, which reports the first failure of each, and not what the type does not know"),
            ("try await expectDecodes(City.self, from: cities)", "the same in a test"),
            ("try expectFields(City.self)", "nothing: there is no table of fields"),
        ])

    private static let tolerance = CompatibilityExtra(
        title: "Types that bear what is missing or does not fit: `FirestoreModels`", page: "mapping-audit.md",
        rows: [
            ("@DefaultZero var stars: Int", "`var stars: Int?`, or `init(from:)` with `decodeIfPresent`"),
            ("@Default<Source>, @DefaultStrict<Source>, @DefaultOmitted<Source>", "the same"),
            ("@LossyArray var songs: [Song]", "`init(from:)` that catches each element's error; what it leaves out is lost when the document is written"),
            ("@LossyArrayDropping, @LossySet, @LossyDictionary, @LossyOptional", "the same"),
            ("enum Status: OpenEnum", "an enumeration with a case for other values, `init(from:)` and `encode(to:)`"),
            ("decoder.tolerance", "nothing: such types do not report"),
            ("query.getDocuments().documents(as: City.self).tolerated", "nothing"),
        ])

    private static let versions = CompatibilityExtra(
        title: "Versions and migrations: `FirestoreModels`", page: "mapping-writes.md",
        rows: [
            ("extension City: VersionedModel", "optional properties, and `init(from:)` that knows old forms"),
            ("snapshot.data(as: City.self, decoder: .migrating(City.self))", "`snapshot.data(as: City.self)`"),
            ("ref.setData(from: city, encoder: .versioned(City.self))", "`ref.setData(from: city)`, and the version as a property"),
            ("City.verifyMigrations()", "nothing: there are no steps"),
            ("cities.migrate(as: City.self)", "`getDocuments()` in pages, and a transaction for each document"),
            ("cities.migrate { $0.rename(\"pop\", to: \"population\") }", "the same"),
        ])

    /// The end of the page.
    static var extraLines: [String] {
        var lines = ["", "## Not in the Apple SDK", "", "Products of their own, which `import FirebaseFirestore` does not see."]
        for extra in extras {
            lines += ["", "### \(extra.title)", "", "Described in [\(extra.page)](../guides/\(extra.page)).", "", "| Hearth | Apple SDK |", "|---|---|"]
            lines += extra.rows.map { row in "| \(code(row.hearth)) | \(row.apple.replacing("|", with: "\\|")) |" }
        }
        return lines
    }

    private static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}
