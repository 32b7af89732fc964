// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import SwiftUI

/// Section "Handling errors in live updates".
///
/// The guide prints `if let colorEntry = colorEntry` inside the success case. `data(as:)` returns a value
/// that is not optional, so the compiler refuses that line with the official SDK as well; the guide's own
/// sample app leaves it out, and so does this.
public class MappingColorsViewModel: ObservableObject {
    @Published public var colorEntries = [ColorEntry]()
    @Published public var newColor = ColorEntry.empty
    @Published public var errorMessage: String?

    private var db = Firestore.firestore()
    private var listenerRegistration: ListenerRegistration?

    public init() {}

    public func unsubscribe() {
        if listenerRegistration != nil {
            listenerRegistration?.remove()
            listenerRegistration = nil
        }
    }

    public func subscribe() {
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
                            // The document's fields fit.
                            self?.errorMessage = nil
                            return colorEntry
                        case .failure(let error):
                            // This one does not fit; the others are shown nevertheless.
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
                }
        }
    }

    public func addColorEntry() {
        let collectionRef = db.collection("colors")
        do {
            let newDocReference = try collectionRef.addDocument(from: newColor)
            lastAddedPath = newDocReference.path
        } catch {
            print(error)
        }
    }

    /// The guide prints the new reference; the walkthrough shows it in its own layout.
    public private(set) var lastAddedPath: String?
}
