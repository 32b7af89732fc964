// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension VectorSearch {
    /// Reads `FindNearest` (QR-55, QR-56). `QueryCheck` checks the ranges of numbers.
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var reference = EmbeddedMessage()
        var operand = EmbeddedMessage()
        var measure: Int32 = 0
        var limit = EmbeddedMessage()
        var resultField = ""
        var threshold = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: reference.merge(field)
            case 2: operand.merge(field)
            case 3: field.read(&measure)
            case 4: limit.merge(field)
            case 5: try field.read(&resultField)
            case 6: threshold.merge(field)
            default: break
            }
        }
        let path = try reference.fieldReference(of: "find_nearest")
        let location = "find_nearest on \(path.canonical)"
        guard let limit = try limit.wrappedInteger else {
            throw .invalidArgument("the vector search has no limit", at: location)
        }
        guard (1...3).contains(measure) else {
            throw .invalidArgument("the distance measure is EUCLIDEAN, COSINE or DOT_PRODUCT", at: location)
        }
        self.init(
            field: path, vector: try Self.vector(operand.bytes ?? .empty, in: location), measure: Self.wireOrder[Int(measure) - 1],
            limit: Int(Int32(truncatingIfNeeded: limit)),
            resultField: resultField.utf8.isEmpty ? nil : try PathCheck.fieldPath(wire: resultField),
            threshold: try threshold.wrappedDouble)
    }

    private static func vector(_ bytes: ByteSlice, in location: String) throws(FirestoreError) -> [Double] {
        let value = try ValueBytes(wire: bytes, in: location)
        defer { withExtendedLifetime(value) {} }
        guard let elements = value.view.vector else {
            throw .invalidArgument("the query vector is not a vector", at: location)
        }
        var components: [Double] = []
        for element in elements {
            guard let component = element.double else {
                throw .invalidArgument("the components of a vector must be doubles", at: location)
            }
            components.append(component)
        }
        return components
    }

    private static let wireOrder: [Measure] = [.euclidean, .cosine, .dotProduct]

    fileprivate var measureNumber: Int { (Self.wireOrder.firstIndex(of: measure) ?? -1) + 1 }
}

extension ReverseWriter {
    mutating func search(_ number: Int, _ search: VectorSearch) {
        message(number) { writer in
            if let threshold = search.threshold {
                writer.message(6) { writer in
                    guard threshold.bitPattern != 0 else { return }
                    writer.fixed64(threshold.bitPattern)
                    writer.tag(1, type: 1)
                }
            }
            if let field = search.resultField { writer.text(5, field.canonical) }
            writer.message(4) { $0.integer(1, search.limit) }
            writer.integer(3, search.measureNumber)
            writer.value(2, .vector(search.vector))
            writer.fieldReference(1, search.field)
        }
    }
}
