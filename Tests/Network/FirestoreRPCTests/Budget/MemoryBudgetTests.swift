// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRPC

/// What connections may hold, each and together.
struct MemoryBudgetTests {
    @Test func `however many connections take what they may, their sum stays below the limit`() {
        for count in [1, 4, 40, 300] {
            let budget = MemoryBudget(limit: 64 << 20)
            let accounts = (0..<count).map { _ in ConnectionAccount(limit: 16 << 20, of: budget) }
            // Each takes a little whenever it may, until none may.
            var isGrowing = true
            while isGrowing {
                isGrowing = false
                for account in accounts where account.hasRoom {
                    account.charge(16 << 10)
                    isGrowing = true
                }
            }
            #expect(budget.held <= 64 << 20, "\(count)")
            #expect(budget.held >= min(count, 3) * (8 << 20), "\(count)")
            // One that holds nothing can always run a call.
            #expect(ConnectionAccount(limit: 16 << 20, of: budget).hasRoom)
        }
    }

    @Test func `an account that is gone holds nothing`() {
        let budget = MemoryBudget(limit: 1 << 20)
        do {
            let account = ConnectionAccount(limit: 1 << 20, of: budget)
            account.charge(100)
            #expect(budget.held == 100)
            account.release(40)
            #expect(account.held == 60 && budget.held == 60)
        }
        #expect(budget.held == 0)
    }

    @Test func `beyond the limit the connections that hold most are ended, and no more than necessary`() {
        let budget = MemoryBudget(limit: 1_000_000)
        let ended = Journal()
        let sizes = [100_000, 400_000, 300_000, 150_000]
        let accounts = sizes.map { _ in ConnectionAccount(limit: 1 << 20, of: budget) }
        for (number, account) in accounts.enumerated() {
            account.observe(onWait: {}, onShed: { ended.note("ended \(number)") })
            account.charge(sizes[number])
        }
        #expect(ended.lines == [])
        accounts[0].charge(60_000)
        #expect(ended.lines == ["ended 1"])
        // It has not yet released anything, but it will.
        accounts[0].charge(60_000)
        #expect(ended.lines == ["ended 1"])
        accounts[3].charge(400_000)
        #expect(ended.lines == ["ended 1", "ended 3"])
    }

    @Test func `what waits for room is served in order, and charged before it continues`() {
        let budget = MemoryBudget(limit: 64 << 20)
        let account = ConnectionAccount(limit: 1000, of: budget)
        let journal = Journal()
        account.observe(onWait: { journal.note("waits") }, onShed: {})
        account.charge(1000)
        for number in 1...4 { _ = account.wait(for: 600) { journal.note("\(number) \($0) \(account.held)") } }
        #expect(account.admit() && journal.lines == ["waits"])
        account.release(500)
        // The first takes all that is free.
        #expect(account.admit() && journal.lines == ["waits", "1 true 1100"])
        account.release(1100)
        #expect(account.admit() && Array(journal.lines.dropFirst(2)) == ["2 true 600", "3 true 1200"])
        account.close()
        #expect(journal.lines.last == "4 false 1200")
        _ = account.wait(for: 1) { journal.note("5 \($0)") }
        #expect(journal.lines.last == "5 false")
    }

    @Test func `a task waits until there is room, and no longer than it is wanted`() async throws {
        let account = ConnectionAccount(limit: 100, of: MemoryBudget())
        let waits = Journal()
        account.observe(onWait: { waits.note("waits") }, onShed: {})
        try await account.reserve(100)
        let second = Task { try await account.reserve(50) }
        await waits.wait(for: "waits")
        account.release(100)
        #expect(!account.admit())
        try await second.value
        #expect(account.held == 50)
        account.charge(50)
        let third = Task { try await account.reserve(50) }
        third.cancel()
        let failure = await #expect(throws: RPCStatus.self) { try await third.value }
        #expect(failure?.code == .cancelled)
        #expect(account.held == 100 && !account.isWaitedFor)
    }

    @Test func `requests are run however many bytes they have: no connection would hold less otherwise`() {
        let budget = MemoryBudget(limit: 64 << 20)
        let accounts = (0..<6).map { _ in ConnectionAccount(limit: 4 << 20, of: budget) }
        for account in accounts {
            account.chargeRequests(10 << 20)
            #expect(account.hasRoom)
        }
        accounts[0].charge(3 << 20)
        #expect(!accounts[0].hasRoom && accounts[1].hasRoom)
        for account in accounts { account.chargeRequests(-10 << 20) }
        #expect(budget.held == 3 << 20 && accounts[0].hasRoom)
    }

    @Test func `no connection is ended for what is only reserved`() async throws {
        let budget = MemoryBudget(limit: 1_000_000)
        let ended = Journal()
        let accounts = (0..<2).map { _ in ConnectionAccount(limit: 10_000_000, of: budget) }
        for (number, account) in accounts.enumerated() { account.observe(onWait: {}, onShed: { ended.note("ended \(number)") }) }
        try await accounts[0].reserve(3_000_000)
        accounts[1].charge(900_000)
        #expect(ended.lines == [] && budget.held == 3_900_000)
        // Another answer waits, on whatever connection.
        let waiting = ConnectionAccount(limit: 10_000_000, of: budget)
        let isAsked = Journal()
        waiting.observe(onWait: { isAsked.note("waits") }, onShed: {})
        // The one answer that a connection may make in any case.
        try await waiting.reserve(1)
        let other = Task { try await waiting.reserve(100) }
        await isAsked.wait(for: "waits")
        #expect(waiting.admit())
        accounts[0].giveUp(reserved: 3_000_000)
        #expect(!waiting.admit())
        try await other.value
        // What is there counts, not what is reserved.
        accounts[0].charge(200_000)
        #expect(ended.lines == ["ended 1"])
    }

    // What others leave unread does not keep a client waiting that reads.
    @Test func `a connection that holds nothing makes one answer though everything is taken, and few do at a time`() async throws {
        let budget = MemoryBudget(limit: 1_000_000)
        let greedy = ConnectionAccount(limit: 10_000_000, of: budget)
        greedy.charge(1_000_000)
        let accounts = (0..<10).map { _ in ConnectionAccount(limit: 10_000_000, of: budget) }
        let journal = Journal()
        for (number, account) in accounts.enumerated() { account.observe(onWait: { journal.note("\(number) waits") }, onShed: {}) }
        for account in accounts.prefix(8) { try await account.reserve(2_000) }
        let late = Task { try await accounts[8].reserve(2_000) }
        await journal.wait(for: "8 waits")
        #expect(accounts[8].admit())
        accounts[0].giveUp(reserved: 2_000)
        #expect(!accounts[8].admit())
        try await late.value
        // Not for a second call of a connection, nor for one that holds something.
        accounts[1].giveUp(reserved: 2_000)
        greedy.observe(onWait: { journal.note("greedy waits") }, onShed: {})
        let calls = [accounts[2], greedy].map { account in (account, Task { try await account.reserve(2_000) }) }
        await journal.wait(for: "2 waits")
        await journal.wait(for: "greedy waits")
        for (account, call) in calls {
            #expect(account.admit())
            account.close()
            _ = await #expect(throws: RPCStatus.self) { try await call.value }
        }
    }

    @Test func `a request may grow while there is enough for all, then only that of a connection which holds little`() {
        let budget = MemoryBudget(limit: 64 << 20)
        let (large, small) = (ConnectionAccount(limit: 16 << 20, of: budget), ConnectionAccount(limit: 16 << 20, of: budget))
        large.charge(30 << 20)
        small.charge(1 << 20)
        #expect(large.admitsGrowth && small.admitsGrowth)
        budget.charge(20 << 20)
        #expect(!large.admitsGrowth && small.admitsGrowth)
    }
}
