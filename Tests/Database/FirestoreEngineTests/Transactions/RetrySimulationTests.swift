// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Many clients on one contested document, step by step in a random order: the line alone, without an engine or a thread (TX-9).
@Suite struct RetrySimulationTests {
    /// What a transaction reads, in order. All together, if it is `parallel`.
    enum Reads: CaseIterable {
        case counter, settingsFirst, counterFirst, parallel, collectionFirst
    }

    /// How retries name what they retry.
    enum Naming: CaseIterable {
        case rightly
        /// As threads that share a function of the official Python client: the first one that was begun after a thread has begun anew,
        /// or none in between.
        case shared
    }

    private static let settings = DocumentKey(trusted: "c/settings")
    private static let counter = DocumentKey(trusted: "d/counter")
    private static let collection = DocumentKey(trusted: "d")

    private static func places(_ reads: Reads) -> [DocumentKey] {
        switch reads {
        case .counter: [counter]
        case .settingsFirst, .parallel: [settings, counter]
        case .counterFirst: [counter, settings]
        case .collectionFirst: [collection, counter]
        }
    }

    private struct Client {
        var left: Int
        var attempt = 0
        var id: UInt64?
        var named: UInt64?
        /// What is next: reads, then the commit.
        var step = 0
        /// The version of the counter that it relies on, by the moment of its first read.
        var version: Int?
        /// The version that it has read.
        var read: Int?
        var isWaiting = false
        var waitsInRead = false
        /// It has waited in a read, and its turn begins.
        var isCalled = false
        /// It has forgotten the shared note, and has not begun yet.
        var hasForgotten = false
        var order: [Int] = []

        var isDone: Bool { left == 0 && attempt == 0 }
    }

    private struct World {
        var random: SeededGenerator
        let reads: Reads
        let naming: Naming
        var line = RetryLine()
        var clients: [Client]
        var version = 0
        var lastID: UInt64 = 0
        var note: UInt64?
        var (attempts, committed, failed) = (0, 0, 0)

        init(clients: Int, each: Int, _ reads: Reads, _ naming: Naming, seed: UInt64) {
            random = SeededGenerator(seed: seed)
            (self.reads, self.naming) = (reads, naming)
            self.clients = Array(repeating: Client(left: each), count: clients)
        }

        /// Runs to the end. Every transaction that neither waits nor is done may be next.
        mutating func run() {
            while true {
                let ready = clients.indices.filter { !clients[$0].isWaiting && !clients[$0].isDone }
                guard let next = ready.randomElement(using: &random) else { return }
                step(next)
            }
        }

        private mutating func wake(_ ids: [UInt64]) {
            for index in clients.indices where clients[index].isWaiting {
                if let id = clients[index].id, ids.contains(id) {
                    (clients[index].isWaiting, clients[index].isCalled) = (false, clients[index].waitsInRead)
                    clients[index].waitsInRead = false
                }
            }
        }

        private mutating func step(_ index: Int) {
            guard clients[index].id != nil else { return begin(index) }
            let places = RetrySimulationTests.places(reads)
            if clients[index].step < places.count { return read(index, at: places[clients[index].order[clients[index].step]]) }
            commit(index)
        }

        private mutating func begin(_ index: Int) {
            if clients[index].attempt == 0, !clients[index].hasForgotten {
                note = nil
                clients[index].hasForgotten = true
                return
            }
            lastID += 1
            attempts += 1
            let id = lastID
            let order = Array(0..<RetrySimulationTests.places(reads).count)
            clients[index].order = reads == .parallel ? order.shuffled(using: &random) : order
            (clients[index].id, clients[index].step, clients[index].version, clients[index].read) = (id, 0, nil, nil)
            if clients[index].attempt == 0 {
                clients[index].left -= 1
                clients[index].named = nil
            }
            clients[index].hasForgotten = false
            clients[index].attempt += 1
            let earlier = naming == .shared ? note : clients[index].named
            if clients[index].named == nil { clients[index].named = id }
            if note == nil { note = id }
            if let earlier { clients[index].isWaiting = line.begin(id, retrying: earlier, of: .administrator, now: 0) == .wait }
            wake(line.takeFreed())
        }

        private mutating func read(_ index: Int, at place: DocumentKey) {
            guard let id = clients[index].id else { return }
            var begins = clients[index].isCalled
            if !begins {
                let entry = line.read(id, at: [place], now: 0)
                wake(line.takeFreed())
                guard entry != .wait else {
                    (clients[index].isWaiting, clients[index].waitsInRead) = (true, true)
                    return
                }
                begins = entry == .goOnInTurn
            }
            clients[index].isCalled = false
            // The moment moves with the turn, unless what was read has changed.
            let isSame = clients[index].read.map { $0 == version } ?? true
            if clients[index].version == nil || begins && isSame { clients[index].version = version }
            if place != RetrySimulationTests.settings { clients[index].read = clients[index].version }
            clients[index].step += 1
        }

        private mutating func commit(_ index: Int) {
            guard let id = clients[index].id else { return }
            let places = RetrySimulationTests.places(reads)
            clients[index].id = nil
            let written = [RetrySimulationTests.counter, RetrySimulationTests.collection]
            if clients[index].read == version, line.conflict(of: id, at: places + written, now: 0) == nil {
                version += 1
                committed += 1
                clients[index].attempt = 0
                wake(line.leave(id, now: 0))
                return
            }
            let lost = reads == .collectionFirst ? written : [RetrySimulationTests.counter]
            wake(line.abort(id, of: .administrator, at: lost, now: 0))
            guard clients[index].attempt == 5 else { return }
            failed += 1
            clients[index].attempt = 0
            // The client rolls back what is over.
            wake(line.leave(id, now: 0))
        }
    }

    @Test(arguments: Reads.allCases, Naming.allCases)
    func `no client uses up five attempts, in whatever order documents are read and whatever retries name`(
        reads: Reads, naming: Naming
    ) {
        for clients in 2...16 {
            var total = (attempts: 0, committed: 0)
            for seed: UInt64 in 0..<UInt64(TestScale.isFull ? 200 : 20) {
                var world = World(clients: clients, each: 12, reads, naming, seed: seed)
                world.run()
                #expect(world.failed == 0, "\(clients) clients, seed \(seed)")
                #expect(world.committed == clients * 12, "\(clients) clients, seed \(seed): someone waits for ever")
                total.attempts += world.attempts
                total.committed += world.committed
            }
            if naming == .rightly {
                #expect(Double(total.attempts) <= 1.3 * Double(total.committed), "\(clients) clients: \(total)")
            }
        }
    }
}
