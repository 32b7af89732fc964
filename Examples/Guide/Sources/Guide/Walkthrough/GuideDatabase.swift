import FirebaseCore
import FirebaseFirestore
import Foundation

/// Points the default Firestore instance, which the guide's view models use, at a database of this run's own.
public enum GuideDatabase {
    /// Call before the first read or write, and again after `terminate()`.
    public static func use(_ storage: FirestoreSettings.Storage) {
        let db = Firestore.firestore()
        let settings = db.settings
        settings.storage = storage
        db.settings = settings
    }

    /// A new directory for a database file.
    public static func makeDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("hearth-guide-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }
}
