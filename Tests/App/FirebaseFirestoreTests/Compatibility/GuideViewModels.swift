// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

/// The view models of the guide. Differences to the printed text: the class prefix of the database path is a parameter, so
/// that tests can bring their own database, and the `if let` of the live-update snippet is gone, because `data(as:)` has
/// returned a non-optional since 8.13 (the sample app dropped it too).
class MappingSimpleTypesViewModel: ObservableObject {
    @Published var book: Book = .empty
    @Published var errorMessage: String?

    private var db: Firestore

    init(db: Firestore) { self.db = db }

    func fetchAndMap(_ documentId: String, done: @escaping () -> Void) {
        fetchBook(documentId: documentId, done: done)
    }

    private func fetchBook(documentId: String, done: @escaping () -> Void) {
        let docRef = db.collection("books").document(documentId)

        docRef.getDocument(as: Book.self) { result in
            switch result {
            case .success(let book):
                // A Book value was successfully initialized from the DocumentSnapshot.
                self.book = book
                self.errorMessage = nil
            case .failure(let error):
                // A Book value could not be initialized from the DocumentSnapshot.
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
            done()
        }
    }

    func fetchManually(documentId: String, done: @escaping () -> Void) {
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
            done()
        }
    }

    func fetchAndDecode(documentId: String, done: @escaping () -> Void) {
        let docRef = db.collection("books").document(documentId)

        docRef.getDocument { document, error in
            if let error = error as NSError? {
                self.errorMessage = "Error getting document: \(error.localizedDescription)"
            } else {
                if let document = document {
                    do {
                        self.book = try document.data(as: Book.self)
                    } catch {
                        self.errorMessage = "\(error)"
                    }
                }
            }
            done()
        }
    }

    func updateBook(book: Book) {
        if let id = book.id {
            let docRef = db.collection("books").document(id)
            do {
                try docRef.setData(from: book)
            } catch {
                self.errorMessage = "\(error)"
            }
        }
    }

    func addBook(book: Book) {
        let collectionRef = db.collection("books")
        do {
            let newDocReference = try collectionRef.addDocument(from: self.book)
            self.errorMessage = "Book stored with new document reference: \(newDocReference)"
        } catch {
            self.errorMessage = "\(error)"
        }
    }
}

class MappingColorsViewModel: ObservableObject {
    @Published var colorEntries = [ColorEntry]()
    @Published var newColor = ColorEntry.empty
    @Published var errorMessage: String?
    var onChange: (([ColorEntry], String?) -> Void)?

    private var db: Firestore
    private var listenerRegistration: (any ListenerRegistration)?

    init(db: Firestore) { self.db = db }

    public func unsubscribe() {
        if listenerRegistration != nil {
            listenerRegistration?.remove()
            listenerRegistration = nil
        }
    }

    func subscribe() {
        if listenerRegistration == nil {
            listenerRegistration = db.collection("colors")
                .addSnapshotListener { [weak self] (querySnapshot, error) in
                    guard let documents = querySnapshot?.documents else {
                        self?.errorMessage = "No documents in 'colors' collection"
                        return
                    }

                    self?.colorEntries = documents.compactMap { queryDocumentSnapshot in
                        let result = Result { try queryDocumentSnapshot.data(as: ColorEntry.self) }

                        switch result {
                        case .success(let colorEntry):
                            // A ColorEntry value was successfully initialized from the DocumentSnapshot.
                            self?.errorMessage = nil
                            return colorEntry
                        case .failure(let error):
                            // A ColorEntry value could not be initialized from the DocumentSnapshot.
                            switch error {
                            case DecodingError.typeMismatch(_, let context):
                                self?.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                            case DecodingError.valueNotFound(_, let context):
                                self?.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                            case DecodingError.keyNotFound(_, let context):
                                self?.errorMessage = "\(error.localizedDescription): \(context.debugDescription)"
                            case DecodingError.dataCorrupted(let key):
                                self?.errorMessage = "\(error.localizedDescription): \(key)"
                            default:
                                self?.errorMessage = "Error decoding document: \(error.localizedDescription)"
                            }
                            return nil
                        }
                    }
                    if let self { self.onChange?(self.colorEntries, self.errorMessage) }
                }
        }
    }

    func addColorEntry() {
        let collectionRef = db.collection("colors")
        do {
            let newDocReference = try collectionRef.addDocument(from: newColor)
            self.errorMessage = "ColorEntry stored with new document reference: \(newDocReference)"
        } catch {
            self.errorMessage = "\(error)"
        }
    }
}
