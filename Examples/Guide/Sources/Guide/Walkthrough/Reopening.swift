// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Terminates the instance, opens the file or connects again, and checks that all documents still exist.
@MainActor
public enum Reopening {
    public static func tell(on page: Page) async {
        page.chapter("Closing and opening again")
        do {
            let before = try await contents(of: Firestore.firestore())
            try await Firestore.firestore().terminate()
            page.place.use()
            let after = try await contents(of: Firestore.firestore())
            page.line(after.map { "\($0.key): \($0.value.count)" }.sorted().joined(separator: ", "))
            page.claim("every document of every collection is still there", before == after && after["cities"]?.count == 4028)
        } catch {
            page.expect("the database opens again, not \(error)", false)
        }
    }

    /// The ids in each of the guide's collections.
    private static func contents(of db: Firestore) async throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for name in ["books", "programming-languages", "locations", "articles", "readers", "colors", "cities"] {
            contents[name] = try await db.collection(name).getDocuments().documents.map(\.documentID)
        }
        return contents
    }
}
