// SPDX-License-Identifier: Apache-2.0

/// The result of a failed check of encoded values, and the path to it, collected while the walk unwinds.
package struct DocumentViolation: Error {
    package enum Kind: Sendable {
        case malformed, unsorted, tooDeep, computedTooDeep, tooMany, noKind, unstorableKind, arrayInArray, vectorInArray, tooLong
        case timestamp, geoPoint, reference, vectorComponent
        case vectorDimensions(Int)
        case utf8
        case name(NameRules.Violation)
    }

    package enum Step: Sendable {
        case field(String)
        case element(Int)
    }

    package let kind: Kind
    /// From the inside out.
    package private(set) var steps: [Step] = []

    package init(_ kind: Kind) { self.kind = kind }

    package func inside(_ name: UnsafeRawBufferPointer) -> DocumentViolation {
        appending(.field(String(decoding: name.prefix(Limits.nameBytes), as: UTF8.self)))
    }

    package func inside(_ index: Int) -> DocumentViolation { appending(.element(index)) }

    private func appending(_ step: Step) -> DocumentViolation {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// `address.lines[2]`
    var path: String { Self.path(of: steps) }

    /// The path for steps from the inside out.
    package static func path(of steps: [Step]) -> String {
        var text = ""
        for step in steps.reversed() {
            switch step {
            case .field(let name): text += (text.isEmpty ? "" : ".") + FieldPathSegments(name).canonical
            case .element(let index): text += "[\(index)]"
            }
        }
        return text
    }

    /// `place` names the document, or describes what else the value belongs to.
    package func error(in place: String) -> FirestoreError {
        let location = steps.isEmpty ? place : "\(place), field \(path)"
        return .invalidArgument(explanation, at: location)
    }

    private var explanation: String {
        switch kind {
        case .malformed: "the encoded bytes are not in canonical form"
        case .unsorted: "the encoded entries are not sorted by name, or a name appears twice"
        case .tooDeep: "maps and arrays nest more than \(Limits.nestingLevels) levels deep; flatten the data"
        case .computedTooDeep:
            "maps and arrays nest more than \(PipelineLimits.valueDepth) levels deep; flatten the value"
        case .tooMany: "there are more than \(Limits.documentBytes) entries and elements; split the data"
        case .noKind: "the value has no type"
        case .unstorableKind: "values of this type belong in pipelines and cannot be stored"
        case .arrayInArray: "an array contains an array; put a map in between"
        case .vectorInArray: "an array contains a vector; put a map in between"
        case .tooLong: "the value is longer than \(Limits.valueBytes) bytes; split it"
        case .timestamp: "the timestamp lies outside the years 1 to 9999"
        case .geoPoint: "the latitude must be within ±90 and the longitude within ±180"
        case .reference: "the reference does not name a document"
        case .vectorComponent: "the components of a vector must be doubles"
        case .vectorDimensions(let count):
            "the vector has \(count) dimensions; at most \(Limits.vectorDimensions) are allowed"
        case .utf8: "the text is not valid UTF-8"
        case .name(let violation): "the field name \(violation.explanation)"
        }
    }
}
