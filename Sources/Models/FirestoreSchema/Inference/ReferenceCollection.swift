// SPDX-License-Identifier: Apache-2.0

/// The collection of a stored reference, with `*` in place of the ids of parent documents: `users/*/books`.
struct ReferenceCollection {
    private let path: Slice<UnsafeRawBufferPointer>

    /// `name`: `projects/P/databases/D/documents/users/alice/books/b1`.
    init(_ name: UnsafeRawBufferPointer) {
        var index = 0
        var slashes = 0
        while index < name.count, slashes < 5 {
            if name[index] == UInt8(ascii: "/") { slashes += 1 }
            index += 1
        }
        path = name[index...]
    }

    var pattern: [UInt8] {
        var result: [UInt8] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast()
        for (index, segment) in segments.enumerated() {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            if index % 2 == 0 { result += segment } else { result.append(UInt8(ascii: "*")) }
        }
        return result
    }

    /// Whether `pattern` is this one, without making it.
    func matches(_ pattern: [UInt8]) -> Bool {
        var (read, index, segment) = (path.startIndex, 0, 0)
        while true {
            var end = read
            while end < path.endIndex, path[end] != UInt8(ascii: "/") { end += 1 }
            // The last segment is the document's id.
            if end == path.endIndex { return index == pattern.count || index == pattern.count + 1 }
            if segment > 0 {
                guard index <= pattern.count, index > 0, pattern[index - 1] == UInt8(ascii: "/") else { return false }
            }
            if segment % 2 == 0 {
                let length = end - read
                guard index + length <= pattern.count, pattern[index..<(index + length)].elementsEqual(path[read..<end]) else {
                    return false
                }
                index += length
            } else {
                guard index < pattern.count, pattern[index] == UInt8(ascii: "*") else { return false }
                index += 1
            }
            if index < pattern.count {
                guard pattern[index] == UInt8(ascii: "/") else { return false }
            }
            index += 1
            segment += 1
            read = end + 1
        }
    }
}
