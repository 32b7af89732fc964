// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
public import FirestoreModels

/// Expects that every document of a query decodes as a type.
///
/// ```swift
/// @Test func `all cities are cities`() async throws {
///     try await expectDecodes(City.self, from: db.collection("cities"))
/// }
/// ```
/// If documents do not decode, this function throws, which fails a test in Swift Testing and in XCTest. The error has one line for
/// each field that does not fit, with the stored type, the expected type and ids of documents, and then the table of the report.
/// With `onFinding`, that is called once for each of them instead, and nothing is thrown:
/// `onFinding: { Issue.record($0) }` makes each a separate failure.
///
/// Other checks are made if `options` ask for them; then unknown fields, changes by writing back and so on are failures as well.
///
/// Beyond the Apple SDK.
///
/// - Parameters:
///   - type: The type.
///   - query: The documents: a collection, a collection group, or any other query.
///   - decoder: The decoder that the app uses.
///   - encoder: The encoder that the app uses, for checks that write back.
///   - options: The checks to make; by default only those for decoding.
///   - fileID: The file of the call, for the error.
///   - line: The line of the call, for the error.
///   - onFinding: Takes the failures, one for each finding.
/// - Returns: The report.
@discardableResult
public nonisolated(nonsending) func expectDecodes<T: Decodable>(
    _ type: T.Type, from query: Query, decoder: Firestore.Decoder = Firestore.Decoder(),
    encoder: Firestore.Encoder = Firestore.Encoder(), options: AuditOptions = AuditOptions(checks: .decoding),
    fileID: StaticString = #fileID, line: UInt = #line, onFinding: ((any Error) -> Void)? = nil
) async throws -> AuditReport {
    let report = try await query.audit(as: type, decoder: decoder, encoder: encoder, options: options)
    guard !report.isClean else { return report }
    let findings = report.findings.filter { $0.kind != .alwaysPresent }.map { "\(report.type): \(sentence($0))" }
    let failures = findings.isEmpty ? ["\(report.type): \(report.failedCount) documents do not decode"] : findings
    guard let onFinding else {
        throw UnmetExpectation("\(fileID):\(line): \(failures.joined(separator: "\n"))\n\n\(report.table)")
    }
    for failure in failures { onFinding(UnmetExpectation("\(fileID):\(line): \(failure)\n\n\(report.table)")) }
    return report
}

private func sentence(_ finding: AuditReport.Finding) -> String {
    let field = finding.path.isEmpty ? "the document" : "field '\(finding.path)'"
    let count = "\(finding.documentCount) document\(finding.documentCount == 1 ? "" : "s")"
    let examples = finding.examples.isEmpty ? "" : ": " + finding.examples.joined(separator: ", ")
    let what =
        switch finding.kind {
        case .missing: "\(field) is missing, but \(finding.expected) was expected"
        case .null: "\(field) is null, but \(finding.expected) was expected"
        case .mismatch: "\(field) holds \(finding.stored), but \(finding.expected) was expected"
        case .range: "\(field) holds a number that does not fit \(finding.expected)"
        case .value: "\(field) holds \(finding.stored) that \(finding.expected) refuses"
        case .unknown: "\(field) is not a property"
        case .neverPresent: "\(field) is in no document"
        case .alwaysPresent: "\(field) is in every document"
        case .precision: "\(field) would come back with another value"
        case .kind: "\(field) would be stored as \(finding.expected) instead of \(finding.stored)"
        case .deletes: "\(field) would be deleted by setData(from:)"
        case .restamped: "\(field) would get a new server timestamp"
        case .unwritable: "\(field) cannot be encoded again"
        case .hiddenID: "\(field) is a @DocumentID whose default value hides the id"
        case .tolerated: "\(field): \(finding.expected)"
        }
    return "\(what), in \(count)\(examples)"
}
