// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreRules
import Foundation

/// Runs an operation that security rules have to deny, and returns why they do.
///
/// ```swift
/// let db = try TestFirestore(rules: .file(URL(fileURLWithPath: "firestore.rules")))
/// let bob = db.as(user: "bob")
/// try await expectDenied { try await bob.document("notes/alices").getDocument() }
/// ```
/// If the operation succeeds, or fails for another reason, this function throws, which fails a test in Swift Testing and in
/// XCTest. The error names the condition that granted the operation. An operation that should be granted needs no such function: if it
/// is denied, it throws an error with the reason.
///
/// Beyond the Apple SDK.
///
/// - Parameters:
///   - fileID: The file of the call, for the error.
///   - line: The line of the call, for the error.
///   - operation: The operation that should be denied. It has to wait for its outcome: use the `async` methods.
/// - Returns: The message of the denial, with the conditions, their lines and their values.
@discardableResult
public nonisolated(nonsending) func expectDenied<Result>(
    fileID: StaticString = #fileID, line: UInt = #line, _ operation: () async throws -> Result
) async throws -> String {
    let expectation = Expectation()
    do {
        try await Expectation.$current.withValue(expectation) { _ = try await operation() }
    } catch let error where FirestoreErrorCode.permissionDenied ~= error {
        return (error as NSError).localizedDescription
    } catch {
        throw UnmetExpectation("\(fileID):\(line): expected a denial by the rules, but the operation failed otherwise: \(error)")
    }
    let granted = expectation.decisions.filter(\.isGranted).map(\.description)
    let reason =
        granted.isEmpty
        ? "No rules were asked. Is the operation awaited, on a database of as(user:) or signedOut, and has TestFirestore rules?"
        : granted.joined(separator: "\n")
    throw UnmetExpectation("\(fileID):\(line): expected a denial by the rules, but the operation was granted.\n\(reason)")
}

/// The error for an expected denial that did not happen.
struct UnmetExpectation: Error, CustomStringConvertible, LocalizedError {
    let description: String

    init(_ description: String) { self.description = description }

    var errorDescription: String? { description }
}
