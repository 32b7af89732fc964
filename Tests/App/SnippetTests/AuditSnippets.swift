// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// The code of docs/guides/mapping-audit.md.
@Suite struct AuditSnippets {
    private struct City: Codable {
        var name: String
        var country: String
        var population: Int
        var nickname: String?
    }

    private func cities() async throws -> TestFirestore {
        let test = try TestFirestore()
        let cities = test.firestore.collection("cities")
        try await cities.document("berlin").setData(["name": "Berlin", "country": "DE", "population": 3_700_000, "mayor": "K."])
        try await cities.document("rome").setData(["name": "Roma", "country": "IT", "population": 2_800_000])
        return test
    }

    @Test func `an audit is printed`() async throws {
        let test = try await cities()
        let db = test.firestore
        try await db.document("cities/atlantis").setData(["name": "Atlantis", "population": "none"])
        // snippet: audit
        let report = try await db.collection("cities").audit(as: City.self)
        print(report)
        // end snippet
        #expect(
            report.table == """
                kind          path        stored   expected  documents    share  examples
                missing       country     missing  String            1  33.33 %  atlantis
                mismatch      population  string   Int               1  33.33 %  atlantis
                unknown       mayor       string                     1  33.33 %  berlin
                neverPresent  nickname    missing  String            3    100 %
                deletes       mayor       string   missing           1  33.33 %  berlin
                3 documents, 2 decode, 1 do not; 1 field unknown
                """)
        // snippet: audit of round trips
        let risks = try await db.collection("cities").audit(as: City.self, options: AuditOptions(checks: [.roundTrip, .precision]))
        for finding in risks.findings { print(finding.kind, finding.path, finding.documentCount) }
        // end snippet
        #expect(risks.findings.map(\.path) == ["mayor"])
    }

    @Test func `a test expects that all decode`() async throws {
        let test = try await cities()
        let db = test.firestore
        // snippet: expectDecodes
        try await expectDecodes(City.self, from: db.collection("cities"))
        // end snippet
    }

    // snippet: defaults
    struct Review: Codable {
        var text: String
        @DefaultZero var stars: Int
        @DefaultEmpty var photos: [String]
        @DefaultTrue var isPublic: Bool
        @Default<Language.Fallback> var language: Language
    }
    enum Language: String, Codable {
        case english, german
        enum Fallback: DefaultSource { static var value: Language { .english } }
    }
    // end snippet

    @Test func `what was tolerated is reported`() async throws {
        let test = try TestFirestore()
        let db = test.firestore
        try await db.document("reviews/a").setData(["text": "good"])
        // snippet: tolerance report
        let decoder = Firestore.Decoder()
        decoder.tolerance = ToleranceReport()
        let reviews = try await db.collection("reviews").getDocuments().documents(as: Review.self, decoder: decoder)
        for entry in reviews.tolerated { print(entry.path, entry.kind, entry.count, entry.documents) }
        // end snippet
        #expect(reviews.tolerated.map(\.path) == ["isPublic", "language", "photos", "stars"])
    }

    // snippet: lossy properties
    struct Playlist: Codable {
        @LossyArray var songs: [Song]
        @LossyDictionary var ratings: [String: Int]
        @LossyOptional var cover: URL?
    }
    struct Song: Codable {
        var title: String
    }
    func show(_ playlist: Playlist) {
        for failure in playlist.$songs.failures { print(failure.index ?? 0, failure.stored ?? .null, failure.error) }
    }
    // end snippet

    @Test func `lost elements are shown`() throws {
        let playlist = try Firestore.Decoder().decode(Playlist.self, from: ["songs": [["title": "x"], 5]])
        show(playlist)
        #expect(playlist.songs.count == 1 && playlist.$songs.failures.count == 1)
    }

    // snippet: open enum
    enum Mood: OpenEnum {
        case calm, wild
        case unknown(String)

        init?(rawValue: String) {
            switch rawValue {
            case "calm": self = .calm
            case "wild": self = .wild
            default: return nil
            }
        }
        var rawValue: String {
            switch self {
            case .calm: "calm"
            case .wild: "wild"
            case .unknown(let raw): raw
            }
        }
    }
    // end snippet

    @Test func `an unknown mood is preserved`() throws {
        let moods = try Firestore.Decoder().decode([String: Mood].self, from: ["m": "odd"])
        #expect(try Firestore.Encoder().encode(moods)["m"] as? String == "odd")
    }
}
