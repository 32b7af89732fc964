// SPDX-License-Identifier: Apache-2.0
import Combine
import FirebaseFirestore
import Foundation

/// Section "Mapping data": fields picked out of a dictionary one by one.
///
/// It works, and it is what the rest of the guide replaces: a wrong type silently turns into an
/// empty string or a zero.
public enum ManualMapping {
    public class MappingManuallyViewModel: ObservableObject {
        @Published public var book: Book = .empty
        @Published public var errorMessage: String?

        private var db = Firestore.firestore()

        public init() {}

        public func fetchBook(documentId: String) {
            let docRef = db.collection("books").document(documentId)

            docRef.getDocument { document, error in
                if let error = error as NSError? {
                    self.errorMessage = "Error getting document: \(error.localizedDescription)"
                } else {
                    if let document = document {
                        let id = document.documentID
                        let data = document.data()
                        let title = data?["title"] as? String ?? ""
                        let numberOfPages = data?["numberOfPages"] as? Int ?? 0
                        let author = data?["author"] as? String ?? ""
                        self.book = Book(id: id, title: title, numberOfPages: numberOfPages, author: author)
                    }
                }
            }
        }
    }
}
