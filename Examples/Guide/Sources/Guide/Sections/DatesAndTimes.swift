import FirebaseFirestore
import Foundation

/// Section "Dates and times".
public enum DatesAndTimes {
    public struct ProgrammingLanguage: Codable {
        @DocumentID var id: String?
        var name: String
        var year: Date
    }

    /// What the guide says in prose about `@ServerTimestamp`: nil is filled in by the database,
    /// a value that is there stays.
    public struct Article: Codable {
        @DocumentID var id: String?
        var title: String
        @ServerTimestamp var createdAt: Date?
        @ServerTimestamp var lastUpdatedAt: Date?
    }
}
