// SPDX-License-Identifier: Apache-2.0
extension FieldBytes {
    /// The paths of all leaves: values that are not maps, vectors, and empty maps (WR-41).
    package var leafPaths: [FieldPathSegments] {
        var result: [FieldPathSegments] = []
        var path: [String] = []
        Self.collectLeaves(of: view, path: &path, into: &result)
        withExtendedLifetime(self) {}
        return result
    }

    private static func collectLeaves(of view: FieldsView, path: inout [String], into result: inout [FieldPathSegments]) {
        for (name, value) in view {
            path.append(String(decoding: name, as: UTF8.self))
            if let inner = value.fields, value.vector == nil, !inner.isEmpty {
                collectLeaves(of: inner, path: &path, into: &result)
            } else {
                result.append(FieldPathSegments(path))
            }
            path.removeLast()
        }
    }
}
