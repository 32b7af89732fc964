// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

/// What the peer knows of a target, and how it changes: every event in every state.
struct ListenedTargetTests {
    typealias Standing = ListenedTarget.Standing

    enum Event: String, CaseIterable, Sendable { case heard, beganAnew, wentOut, becameCurrent, gaveUp }

    static let states: [Standing] = [.asked, .partial(isOut: false), .partial(isOut: true), .interrupted, .current]

    /// What is not in the table changes nothing.
    private static func next(_ state: Standing, _ event: Event) -> Standing {
        switch (event, state) {
        case (.heard, .asked): .partial(isOut: false)
        case (.beganAnew, .current), (.wentOut, .partial): .partial(isOut: true)
        case (.becameCurrent, _): .current
        case (.gaveUp, .partial): .interrupted
        default: state
        }
    }

    private static func target(_ state: Standing) -> ListenedTarget {
        var target = ListenedTarget(
            id: 2, number: 1, watched: [.query(collection("c"))], isOnce: false, start: state == .interrupted ? .unclear : .nothing, watches: 1..<2)
        switch state {
        case .asked, .interrupted: break
        case .partial(let isOut):
            target.heard()
            if isOut { target.wentOut() }
        case .current:
            target.heard()
            target.becameCurrent()
        }
        return target
    }

    @Test(arguments: states, Event.allCases)
    func `every event in every state`(state: Standing, event: Event) {
        var target = Self.target(state)
        #expect(target.standing == state)
        switch event {
        case .heard: target.heard()
        case .beganAnew: target.beganAnew()
        case .wentOut: target.wentOut()
        case .becameCurrent: target.becameCurrent()
        case .gaveUp: target.gaveUp()
        }
        #expect(target.standing == Self.next(state, event))
    }

    /// LS-13
    @Test(arguments: [
        (Standing.asked, false, false), (.partial(isOut: false), false, false), (.partial(isOut: true), true, false), (.interrupted, true, true),
        (.current, true, true),
    ])
    func `a beginning is announced, and older documents are taken back, where the peer may know some`(
        state: Standing, announcesBeginning: Bool, hasOlderState: Bool
    ) {
        let target = Self.target(state)
        #expect(target.announcesBeginning == announcesBeginning)
        #expect(target.hasOlderState == hasOlderState)
    }

    @Test func `watches that were given up are none`() {
        var target = Self.target(.current)
        target.gaveUp()
        #expect(target.watches.isEmpty && target.isCurrent)
    }
}
