// SPDX-License-Identifier: Apache-2.0
import Combine
import FirebaseFirestore
import Foundation

/// Section "Mapping to and from simple types": one line each way.
public enum SimpleTypes {
    public class MappingSimpleTypesViewModel: ObservableObject {
        @Published public var book: Book = .empty
        @Published public var errorMessage: String?
        /// The id of the document `addBook` made; the guide prints it.
        @Published public var newDocumentPath: String?

        private var db = Firestore.firestore()

        public init() {}

        /// First form: fetch the snapshot, map it in a second step.
        public func fetchBook(documentId: String) {
            let docRef = db.collection("books").document(documentId)

            docRef.getDocument { document, error in
                if let error = error as NSError? {
                    self.errorMessage = "Error getting document: \(error.localizedDescription)"
                } else {
                    if let document = document {
                        do {
                            self.book = try document.data(as: Book.self)
                        } catch {
                            print(error)
                        }
                    }
                }
            }
        }

        /// Second form: fetch and map in one call.
        public func fetchBookAsResult(documentId: String) {
            let docRef = db.collection("books").document(documentId)

            docRef.getDocument(as: Book.self) { result in
                switch result {
                case .success(let book):
                    // The document exists and its fields fit.
                    self.book = book
                    self.errorMessage = nil
                case .failure(let error):
                    // The document is missing, or a field does not fit.
                    self.errorMessage = "Error decoding document: \(error.localizedDescription)"
                }
            }
        }

        public func updateBook(book: Book) {
            if let id = book.id {
                let docRef = db.collection("books").document(id)
                do {
                    try docRef.setData(from: book)
                } catch {
                    print(error)
                }
            }
        }

        public func addBook(book: Book) {
            let collectionRef = db.collection("books")
            do {
                let newDocReference = try collectionRef.addDocument(from: self.book)
                newDocumentPath = newDocReference.path
            } catch {
                print(error)
            }
        }
    }

    /// The form the sample app uses on the main actor.
    @MainActor
    public class AsyncBookViewModel: ObservableObject {
        @Published public var book: Book?

        public init() {}

        public func fetchBook(documentId: String) async throws {
            let docRef = Firestore.firestore().collection("books").document(documentId)
            self.book = try await docRef.getDocument(as: Book.self)
        }
    }
}
