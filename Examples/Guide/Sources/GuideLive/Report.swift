// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// What the Swift side says about a document, or about a list: a document that the page shows.
@MainActor
final class Report {
    /// Lines of Swift values that fit beside the code.
    static let width = 52

    private let document: DocumentReference
    private var count = 0

    /// - Parameter subject: The path of a document, or the name of a section.
    init(on subject: String, in db: Firestore) {
        document = db.collection("guide-live").document(subject.replacingOccurrences(of: "/", with: "."))
    }

    func decoded(_ text: String) { write(["value": text]) }

    /// The text that the guide's view models show, and where the error is.
    func failed(_ error: any Error) {
        var fields: [String: Any] = ["error": Self.text(of: error)]
        if let (name, context) = Self.context(of: error) {
            fields["case"] = name
            fields["codingPath"] = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        write(fields)
    }

    /// A message that a view model has made of an error.
    func failed(with message: String) { write(["error": message]) }

    func write(_ fields: [String: Any]) {
        count += 1
        document.setData(fields.merging(["count": count]) { $1 })
    }

    private static func text(of error: any Error) -> String {
        guard let (_, context) = context(of: error) else { return "Error decoding document: \(error.localizedDescription)" }
        return "\(error.localizedDescription): \(context.debugDescription)"
    }

    private static func context(of error: any Error) -> (String, DecodingError.Context)? {
        switch error {
        case DecodingError.typeMismatch(_, let context): ("typeMismatch", context)
        case DecodingError.valueNotFound(_, let context): ("valueNotFound", context)
        case DecodingError.keyNotFound(let key, let context):
            ("keyNotFound", .init(codingPath: context.codingPath + [key], debugDescription: context.debugDescription))
        case DecodingError.dataCorrupted(let context): ("dataCorrupted", context)
        default: nil
        }
    }
}
