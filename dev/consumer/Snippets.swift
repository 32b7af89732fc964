// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

struct Book: Codable {
    @DocumentID var id: String?
    var title: String
    var numberOfPages: Int
    var author: String

    static var empty: Book { Book(title: "", numberOfPages: 0, author: "") }
}

struct Office: Codable {
    enum Status: String, Codable {
        case draft
        case inReview = "in review"
    }

    @DocumentID var id: String?
    var name: String
    var location: GeoPoint
    var status: Status
    @ServerTimestamp var openedAt: Date?
    @ExplicitNull var nickname: String?

    enum CodingKeys: String, CodingKey {
        case id
        case name = "office_name"
        case location
        case status
        case openedAt
        case nickname
    }
}

class ManualViewModel: ObservableObject {
    @Published var book: Book = .empty
    @Published var errorMessage: String?

    private var db = Firestore.firestore()

    func fetchBook(documentId: String) {
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

class BookViewModel: ObservableObject {
    @Published var book: Book = .empty
    @Published var books = [Book]()
    @Published var errorMessage: String?

    private var db = Firestore.firestore()
    private var listenerRegistration: ListenerRegistration?

    func fetchBook(documentId: String) {
        let docRef = db.collection("books").document(documentId)

        docRef.getDocument(as: Book.self) { result in
            switch result {
            case .success(let book):
                self.book = book
                self.errorMessage = nil
            case .failure(let error):
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

    func updateBook(book: Book) {
        if let id = book.id {
            let docRef = db.collection("books").document(id)
            do {
                try docRef.setData(from: book)
            } catch {
                print(error)
            }
        }
    }

    func addBook(book: Book) {
        let collectionRef = db.collection("books")
        do {
            let newDocReference = try collectionRef.addDocument(from: book)
            print("Book stored with new document reference: \(newDocReference)")
        } catch {
            print(error)
        }
    }

    func subscribe() {
        if listenerRegistration == nil {
            listenerRegistration = db.collection("books")
                .addSnapshotListener { [weak self] (querySnapshot, error) in
                    guard let documents = querySnapshot?.documents else {
                        self?.errorMessage = "No documents in 'books' collection"
                        return
                    }

                    self?.books = documents.compactMap { queryDocumentSnapshot in
                        let result = Result { try queryDocumentSnapshot.data(as: Book.self) }

                        switch result {
                        case .success(let book):
                            self?.errorMessage = nil
                            return book
                        case .failure(let error):
                            self?.errorMessage = "Error decoding document: \(error.localizedDescription)"
                            return nil
                        }
                    }
                }
        }
    }

    func unsubscribe() {
        if listenerRegistration != nil {
            listenerRegistration?.remove()
            listenerRegistration = nil
        }
    }
}
