// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreRPC

/// Whether a call was answered: every event in every state.
struct AnswerStateTests {
    enum Start: CaseIterable, Sendable { case open, hooked, answered, abandoned }

    private static func state(_ start: Start) -> AnswerState {
        switch start {
        case .open: .open(nil)
        case .hooked: .open({})
        case .answered: .answered
        case .abandoned: .abandoned
        }
    }

    @Test(arguments: Start.allCases) func `an answer ends once, also for the connection alone after the peer has gone`(start: Start) {
        var state = Self.state(start)
        #expect(state.isOpen == (start == .open || start == .hooked))
        #expect(state.end() == (start != .answered))
        #expect(state.end() == false && !state.isOpen)
        #expect(state.abandon() == nil)
    }

    @Test(arguments: Start.allCases) func `a hook runs once: when the peer goes, or immediately if it has gone`(start: Start) {
        var state = Self.state(start)
        #expect(state.set({}) == (start == .abandoned))
        #expect((state.abandon() != nil) == (start == .open || start == .hooked))
        #expect(state.abandon() == nil)
    }

    @Test(arguments: Start.allCases) func `without a hook nothing runs when the peer goes`(start: Start) {
        var state = Self.state(start)
        #expect((state.abandon() != nil) == (start == .hooked))
        #expect(!state.isOpen)
    }
}
