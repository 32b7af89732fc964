// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Beside the guide's sections: a reference names a document, a URL is stored as its text.
public struct Loan: Codable {
    @DocumentID var id: String?
    var reader: String
    var book: DocumentReference
    var receipt: URL
    var due: Date?
}
