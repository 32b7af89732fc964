// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// What is wrong with a pipeline or an expression, as far as this is known while it is built.
///
/// Building never fails: the faults wait in the pipeline until it is executed.
struct PipelineFaults: Sendable {
    /// Mistakes in how stages are put together. The Apple SDK reports them in a domain of their own.
    private(set) var construction: [String] = []
    /// The first path, value or reference that cannot be sent.
    private(set) var invalid: FirestoreError?

    init() {}

    init(_ invalid: FirestoreError) { self.invalid = invalid }

    init(construction text: String) { construction = [text] }

    var isEmpty: Bool { construction.isEmpty && invalid == nil }

    /// Adds faults. A part that is used twice contributes its faults once.
    mutating func add(_ other: PipelineFaults) {
        for text in other.construction where !construction.contains(where: { equalUTF8($0, text) }) { construction.append(text) }
        invalid = invalid ?? other.invalid
    }

    /// Mistakes of construction as an `NSError`, all in one text, others as `invalidArgument`.
    var error: any Error {
        if construction.isEmpty, let invalid { return invalid.publicError }
        return NSError(domain: Self.domain, code: Self.code, userInfo: [NSLocalizedDescriptionKey: construction.joined(separator: " ")])
    }

    static let domain = "com.google.firebase.firestore"
    private static let code = 3
}
