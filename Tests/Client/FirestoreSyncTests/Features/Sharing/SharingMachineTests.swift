// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreSync

/// Which part a process has among those that share a cache (SY-D14 … SY-D16).
@Suite struct SharingMachineTests {
    private func started() -> SharingMachine {
        var machine = SharingMachine()
        #expect(actions(&machine, .started) == [.wakeOthers, .tryToLead, .follow, .watch, .startWatching])
        return machine
    }

    private func actions(
        _ machine: inout SharingMachine, _ event: SharingMachine.Event, isOwnUser: Bool = true
    ) -> [SharingMachine.Action] {
        machine.handle(event, isOwnUser: isOwnUser)
    }

    @Test func `before the start and after the end a process does nothing and cannot lead`() {
        var machine = SharingMachine()
        for event in [SharingMachine.Event.woken, .leaderEnded, .ticked, .networkEnabled, .networkDisabled, .userChanged] {
            #expect(actions(&machine, event).isEmpty && !machine.mayLead(true))
        }
        machine = started()
        #expect(actions(&machine, .stopped) == [.end])
        #expect(actions(&machine, .woken).isEmpty && !machine.isStarted)
    }

    @Test func `a process whose network was disabled before the start follows and cannot lead`() {
        var machine = SharingMachine()
        _ = machine.handle(.networkDisabled, isOwnUser: true)
        #expect(actions(&machine, .started).contains(.follow) && !machine.mayLead(true))
        #expect(actions(&machine, .networkEnabled) == [.tryToLead, .follow] && machine.mayLead(true))
    }

    @Test func `a follower tries to lead when the leader has ended, and each second`() {
        var machine = started()
        #expect(actions(&machine, .leaderEnded).first == .tryToLead)
        #expect(actions(&machine, .ticked).contains(.tryToLead))
        #expect(actions(&machine, .woken) == [.catchUp, .storeWants, .answerOwnRequests, .watch])
    }

    @Test func `a leader resigns when its network is disabled or the cache shows another user`() {
        var machine = started()
        _ = machine.handle(.led, isOwnUser: true)
        #expect(machine.leads && actions(&machine, .userChanged, isOwnUser: false) == [.resign])
        #expect(actions(&machine, .networkDisabled) == [.resign])
        _ = machine.handle(.resigned, isOwnUser: true)
        #expect(!machine.leads && actions(&machine, .networkDisabled).isEmpty)
    }

    @Test func `a process that has resigned owes the next leader what it wants until that is stored`() {
        var machine = started()
        _ = machine.handle(.led, isOwnUser: true)
        _ = machine.handle(.resigned, isOwnUser: true)
        guard case .following(owesWants: true) = machine.role else { return #expect(Bool(false), "\(machine.role)") }
        _ = machine.handle(.wantsStored, isOwnUser: true)
        guard case .following(owesWants: false) = machine.role else { return #expect(Bool(false), "\(machine.role)") }
    }
}
