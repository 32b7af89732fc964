// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Section "Dates and times".
public enum DatesAndTimes {
    public struct ProgrammingLanguage: Codable {
        @DocumentID var id: String?
        var name: String
        var year: Date
    }

    /// The guide's description of `@ServerTimestamp` as code: nil is filled in by the database,
    /// an existing value is kept.
    public struct Article: Codable {
        @DocumentID var id: String?
        var title: String
        @ServerTimestamp var createdAt: Date?
        @ServerTimestamp var lastUpdatedAt: Date?
    }
}
