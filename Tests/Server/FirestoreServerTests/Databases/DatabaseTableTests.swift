// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

/// The life of a database in a server, state by event.
@Suite struct DatabaseTableTests {
    private typealias Table = DatabaseTable<String, Int>
    private static let name = DatabaseName(DatabaseID(projectID: "one"))
    private static let other = DatabaseName(DatabaseID(projectID: "two"))

    enum State: String, CaseIterable {
        /// `used`: something holds on to it. `stopped`: after having been open, while its files are closed.
        case absent, opening, open, used, closing, stopped, stoppedWhileOpening
    }

    enum Event: String, CaseIterable {
        /// Asked for; asked for another one, while there is capacity for one; time passes; the work is done; the server stops.
        case enter, enterOther, pass, done, fail, stop
    }

    /// A table with a capacity of one, with a database in a state.
    private static func make(_ state: State) -> Table {
        var table = Table(maximum: 1, patience: 2, mayClose: true)
        guard state != .absent else { return table }
        _ = table.enter(name, 1) { _ in true }
        guard state != .opening else { return table }
        if state == .stoppedWhileOpening {
            _ = table.stop()
            return table
        }
        _ = table.opened(name, "one")
        if state == .closing { _ = table.enter(other, 2) { _ in true } }
        if state == .stopped { _ = table.stop() }
        return table
    }

    private static func text(_ entrance: Table.Entrance) -> String {
        switch entrance {
        case .open(let service): "open \(service)"
        case .refused(let error): "refused \(error.code)"
        case .waits(nil): "waits"
        case .waits(let work?):
            (work.closing.map { "close \($0.service), " } ?? "") + "open \(work.opening.database.projectID)"
        }
    }

    private static func apply(_ event: Event, to table: inout Table, _ state: State) -> String {
        let isIdle: Table.IsIdle = { _ in state != .used }
        switch event {
        case .enter: return text(table.enter(name, 3, isIdle: isIdle))
        case .enterOther: return text(table.enter(other, 3, isIdle: isIdle))
        case .pass:
            // The first round finds that it was used when it was opened.
            let closed = (0..<3).flatMap { _ in table.passRound(isIdle: isIdle).map(\.service) }
            return closed.joined(separator: ", ")
        case .done:
            let isOpening = state == .opening || state == .stoppedWhileOpening
            return "tell \(isOpening ? table.opened(name, "one") : table.closed(name))"
        case .fail: return "tell \(table.opened(name, nil))"
        case .stop: return table.stop().map(\.service).joined(separator: ", ")
        }
    }

    private static let expected: [State: [Event: String]] = [
        .absent: [.enter: "open one", .enterOther: "open two", .pass: "", .done: "tell []", .fail: "tell []", .stop: ""],
        .opening: [.enter: "waits", .enterOther: "refused resourceExhausted", .pass: "", .done: "tell [1]", .fail: "tell [1]", .stop: ""],
        .open: [.enter: "open one", .enterOther: "close one, open two", .pass: "one", .done: "tell []", .fail: "tell []", .stop: "one"],
        .used: [.enter: "open one", .enterOther: "refused resourceExhausted", .pass: "", .done: "tell []", .fail: "tell []", .stop: "one"],
        .closing: [.enter: "waits", .enterOther: "waits", .pass: "", .done: "tell []", .fail: "tell []", .stop: ""],
        .stopped: [.enter: "refused unavailable", .enterOther: "refused unavailable", .pass: "", .done: "tell []", .fail: "tell []", .stop: ""],
        .stoppedWhileOpening: [
            .enter: "refused unavailable", .enterOther: "refused unavailable", .pass: "", .done: "tell [1]", .fail: "tell [1]", .stop: "",
        ],
    ]

    @Test(arguments: State.allCases, Event.allCases)
    func `a database handles each event in each state`(state: State, event: Event) {
        var table = Self.make(state)
        #expect(Self.apply(event, to: &table, state) == Self.expected[state]?[event], "\(state), \(event)")
    }

    @Test func `a database that is asked for while it is being closed is opened again`() {
        var table = Self.make(.closing)
        #expect(Self.text(table.enter(Self.name, 7) { _ in false }) == "waits")
        #expect(table.openCount == 1)
        #expect(table.closed(Self.name) == [7])
        #expect(table.opened(Self.other, "two") == [2])
        #expect(Self.text(table.enter(Self.name, 7) { _ in true }) == "close two, open one")
    }

    @Test func `the least recently used database is closed, unless it is in use`() {
        var table = Table(maximum: 3, mayClose: true)
        let names = ["a", "b", "c", "d"].map { DatabaseName(DatabaseID(projectID: $0)) }
        for (index, name) in names.prefix(3).enumerated() {
            _ = table.enter(name, index) { _ in true }
            _ = table.opened(name, name.database.projectID)
        }
        _ = table.current(names[0])
        #expect(Self.text(table.enter(names[3], 9) { $0 != "b" }) == "close c, open d")
    }

    @Test func `databases in memory are never closed, and their number is bounded`() {
        var table = Table(maximum: 1, patience: 1, mayClose: false)
        _ = table.enter(Self.name, 1) { _ in true }
        _ = table.opened(Self.name, "one")
        #expect(Self.text(table.enter(Self.other, 2) { _ in true }) == "refused resourceExhausted")
        for _ in 0..<3 { #expect(table.passRound { _ in true }.isEmpty) }
        #expect(table.stop().map(\.service) == ["one"])
    }

    @Test func `a stopped table is empty once everything is closed`() {
        var table = Self.make(.stoppedWhileOpening)
        #expect(!table.isEmpty)
        #expect(table.opened(Self.name, "one") == [1])
        #expect(!table.isEmpty)
        #expect(table.closed(Self.name).isEmpty)
        #expect(table.isEmpty)
    }
}
