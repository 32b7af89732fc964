// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import SwiftUI

/// Section "Handling errors".
public enum HandlingErrors {
    public class MappingSimpleTypesViewModel: ObservableObject {
        @Published public var book: Book = .empty
        @Published public var errorMessage: String?

        private var db = Firestore.firestore()

        public init() {}

        public func fetchAndMap() {
            fetchBook(documentId: "hitchhiker")
        }

        public func fetchAndMapNonExisting() {
            fetchBook(documentId: "does-not-exist")
        }

        public func fetchAndTryMappingInvalidData() {
            fetchBook(documentId: "invalid-data")
        }

        // The guide stops at three; these meet the remaining cases of DecodingError.

        public func fetchAndTryMappingMissingField() {
            fetchBook(documentId: "missing-field")
        }

        public func fetchAndTryMappingNullField() {
            fetchBook(documentId: "null-field")
        }

        public func fetchAndTryMappingUnsuitableNumber() {
            fetchBook(documentId: "half-a-page")
        }

        private func fetchBook(documentId: String) {
            let docRef = db.collection("books").document(documentId)

            docRef.getDocument(as: Book.self) { result in
                switch result {
                case .success(let book):
                    // The document exists and its fields fit.
                    self.book = book
                    self.errorMessage = nil
                case .failure(let error):
                    // It is missing, or it cannot be decoded as a Book.
                    switch error {
                    case DecodingError.typeMismatch(_, let context):
                        self.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                    case DecodingError.valueNotFound(_, let context):
                        self.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                    case DecodingError.keyNotFound(_, let context):
                        self.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                    case DecodingError.dataCorrupted(let key):
                        self.errorMessage = "\(error.localizedDescription): \(key)"
                    default:
                        self.errorMessage = "Error decoding document: \(error.localizedDescription)"
                    }
                }
            }
        }
    }
}
