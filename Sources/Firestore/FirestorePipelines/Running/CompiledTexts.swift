// SPDX-License-Identifier: Apache-2.0

/// What was made of the texts that an execution met last: patterns and the names of time zones, most of which are constants.
///
/// A text that is among them is found by its bytes, without an allocation.
struct CompiledTexts<Compiled> {
    /// A pipeline has few constants; texts from fields may all differ.
    private static var capacity: Int { 8 }

    private var entries: [(text: [UInt8], compiled: Compiled)] = []

    subscript(text: UnsafeRawBufferPointer, compile: (UnsafeRawBufferPointer) -> Compiled) -> Compiled {
        mutating get {
            if let place = entries.firstIndex(where: { $0.text.count == text.count && $0.text.elementsEqual(text) }) {
                // The next row probably wants the same one.
                if place > 0 { entries.swapAt(place, place - 1) }
                return entries[max(0, place - 1)].compiled
            }
            let compiled = compile(text)
            if entries.count == Self.capacity { entries.removeLast() }
            entries.append(([UInt8](text), compiled))
            return compiled
        }
    }
}
