// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Objects in an array that is a member of one object, as many programs export them: `{"cities": [{…}, {…}]}`.
enum WrappedArray {
    /// The first member whose value is an array that begins with an object.
    static func member(of text: UnsafeRawBufferPointer) -> String? {
        var scanner = JSONScanner(text)
        guard scanner.take(UInt8(ascii: "{")) else { return nil }
        do throws(JSONProblem) {
            repeat {
                let name = try scanner.string(of: try scanner.name())
                var value = scanner
                if value.take(UInt8(ascii: "[")), value.peek() == UInt8(ascii: "{") { return name }
                try scanner.skipValue(levels: TypedJSON.nesting)
            } while scanner.take(UInt8(ascii: ","))
        } catch {
            return nil
        }
        return nil
    }
}
