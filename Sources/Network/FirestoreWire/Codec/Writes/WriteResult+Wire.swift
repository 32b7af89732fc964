// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension WriteResult {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var updateTime = EmbeddedMessage()
        var results: [Value] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: updateTime.merge(field)
            case 2: if let bytes = field.bytes { results.append(try Value(wire: bytes, in: "the result of a transform")) }
            default: break
            }
        }
        self.init(updateTime: try updateTime.version, transformResults: results)
    }
}

extension MessageField {
    func append(to results: inout [WriteResult]) throws(FirestoreError) {
        if let bytes { results.append(try WriteResult(wire: bytes)) }
    }
}

extension ReverseWriter {
    mutating func result(_ number: Int, _ result: WriteResult) {
        let mark = count
        for value in result.transformResults.reversed() { self.value(2, value) }
        timestamp(1, result.updateTime)
        close(number, since: mark)
    }

    mutating func results(_ number: Int, _ results: [WriteResult]) {
        for result in results.reversed() { self.result(number, result) }
    }
}
