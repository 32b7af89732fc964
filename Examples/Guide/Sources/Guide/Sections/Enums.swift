// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// Section "Enums": the document contains the raw value.
public enum Status: String, Codable {
    case draft
    case inReview = "in review"
    case approved
    case published
}

public struct Article: Codable {
    @DocumentID var id: String?
    var title: String
    var status: Status
}
