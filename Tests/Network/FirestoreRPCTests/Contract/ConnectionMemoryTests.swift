// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Testing

struct ConnectionMemoryTests {
    private final class Finding: Sendable {}

    private let memory = ConnectionMemory()

    @Test func `a finding is returned for the same bytes only`() {
        let (first, second) = (Finding(), Finding())
        memory.keep(first, about: "abcdef")
        memory.keep(second, about: "abcdeg")
        #expect(memory.finding(about: "abcdef") === first && memory.finding(about: "abcdeg") === second)
        for other in ["", "abcde", "abcdefg", "Abcdef", "abcdeF", "bbcdef"] { #expect(memory.finding(about: other[...]) == nil, "\(other)") }
        // A part of a longer text, as a token is of its header.
        #expect(memory.finding(about: "Bearer abcdef".dropFirst(7)) === first)
        // Equal strings of different bytes.
        memory.keep(first, about: "e\u{301}")
        #expect(memory.finding(about: "\u{e9}") == nil)
    }

    @Test func `a later finding about a text replaces the earlier one`() {
        let (first, second) = (Finding(), Finding())
        memory.keep(first, about: "a")
        memory.keep(second, about: "a")
        #expect(memory.finding(about: "a") === second && memory.count == 1)
        memory.forget("b")
        #expect(memory.count == 1)
        memory.forget("a")
        #expect(memory.finding(about: "a") == nil && memory.count == 0)
    }

    @Test func `the oldest text makes room for the ninth`() {
        let texts = (0...ConnectionMemory.capacity).map { "text \($0)" }
        for text in texts { memory.keep(Finding(), about: text[...]) }
        #expect(memory.count == ConnectionMemory.capacity)
        #expect(texts.map { memory.finding(about: $0[...]) != nil } == [false] + Array(repeating: true, count: ConnectionMemory.capacity))
    }

    @Test func `a text that is too long is not kept`() {
        let longest = String(repeating: "x", count: ConnectionMemory.longest)
        memory.keep(Finding(), about: (longest + "x")[...])
        #expect(memory.count == 0)
        memory.keep(Finding(), about: longest[...])
        #expect(memory.finding(about: longest[...]) != nil)
    }
}
