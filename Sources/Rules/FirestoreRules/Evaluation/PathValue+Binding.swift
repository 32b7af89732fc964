// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PathValue {
    /// The path with its captures filled (SR-74).
    func binding(_ values: MapValue) throws(Interruption) -> PathValue {
        var missing: [String] = []
        let entries = values.entries
        for entry in entries where !segments.contains(where: { $0.isCapture(entry.name) }) { missing.append(entry.name) }
        guard missing.isEmpty else {
            throw .failure(.other("Variable(s) [\(missing.joined(separator: ","))] do not exist in the path template."))
        }
        var filled: [Segment] = []
        for segment in segments {
            guard case .capture(let name, let isGlob) = segment, let value = values[name] else {
                filled.append(segment)
                continue
            }
            if isGlob, case .path(let path) = value {
                filled += path.segments
            } else if let text = ValueText.text(value) {
                guard !text.isEmpty else { throw .failure(.other("Cannot bind empty value to path template variable \(name).")) }
                filled.append(.literal(text))
            } else {
                throw .failure(.type(received: value.type, expected: "bool,int,float,null,string,path"))
            }
        }
        return PathValue(filled, bindings: bindings + entries)
    }
}

extension PathValue.Segment {
    fileprivate func isCapture(_ name: String) -> Bool {
        if case .capture(let own, _) = self { equalUTF8(own, name) } else { false }
    }
}
