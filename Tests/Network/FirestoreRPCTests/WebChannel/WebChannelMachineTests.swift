// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreRPC

/// One session as a machine: state × event (WC-18 … WC-24, WC-32 … WC-35, WC-41, WC-43, WC-56, WC-60, WC-61, WC-70).
struct WebChannelMachineTests {
    /// A machine and what it has done, as short texts.
    struct Bench {
        var machine: WebChannelMachine
        var now: Int64 = 0

        init(_ change: (inout WebChannelMachine.Limits) -> Void = { _ in }) {
            var limits = WebChannelMachine.Limits()
            change(&limits)
            machine = WebChannelMachine(limits: limits, now: 0)
        }

        mutating func maps(_ maps: (Int, String?)...) throws -> [String] {
            Bench.text(try machine.take(maps.map { WebChannelForm.Map(id: $0.0, text: $0.1.map { Array($0.utf8) }) }))
        }

        mutating func open(_ number: Int, after id: Int, poll: Int64? = nil) -> [String] {
            Bench.text(machine.open(number, after: id, pollsFor: poll, now: now))
        }

        mutating func send(_ contents: String...) -> [String] {
            for content in contents { machine.send(Array(content.utf8)) }
            return Bench.text(machine.flush(now: now))
        }

        mutating func finish(_ error: String?, endsAnswer: Bool = false) -> [String] {
            machine.finish(error.map { Array($0.utf8) }, endsAnswer: endsAnswer, now: now)
            return Bench.text(machine.flush(now: now))
        }

        mutating func wait(_ milliseconds: Int64) -> [String] {
            now += milliseconds
            return Bench.text(machine.tick(now: now))
        }

        mutating func terminate() -> [String] { Bench.text(machine.terminate(now: now)) }

        var reply: String { String(decoding: machine.reply(now: now).drop { $0 != 0x5B }, as: UTF8.self) }

        static func text(_ actions: [WebChannelMachine.Action]) -> [String] {
            actions.map {
                switch $0 {
                case .receive(let text): "receive " + String(decoding: text, as: UTF8.self)
                case .begin(let number): "begin \(number)"
                case .write(let number, let bytes): "write \(number) " + String(decoding: bytes.drop { $0 != 0x0A }.dropFirst(), as: UTF8.self)
                case .end(let number): "end \(number)"
                case .becameWritable: "room"
                case .forget: "forget"
                }
            }
        }
    }

    // MARK: Forward

    @Test func `messages reach the stream in order, each once`() throws {
        var bench = Bench()
        #expect(try bench.maps((0, "a")) == ["receive a"])
        // The same POST again, with one more.
        #expect(try bench.maps((0, "x"), (1, "b")) == ["receive b"])
        // Overtaken by later ones.
        #expect(try bench.maps((3, "d")) == [])
        #expect(try bench.maps((5, "f"), (4, nil)) == [])
        #expect(try bench.maps((3, "y")) == [])
        #expect(try bench.maps((2, "c")) == ["receive c", "receive d", "receive f"])
        #expect(try bench.maps((2, "c"), (5, "f")) == [])
        #expect(try bench.maps() == [])
        #expect(try bench.maps((6, nil)) == [])
        #expect(try bench.maps((7, "h")) == ["receive h"])
    }

    @Test func `waiting messages are bounded, and a rejected request has no effect`() throws {
        var bench = Bench {
            $0.maps = 3
            $0.mapBytes = 10
            $0.tightBytes = 5
        }
        #expect(try bench.maps((1, "1234"), (2, "5678")) == [])
        #expect(throws: WebChannelProblem.self) { try bench.maps((3, "abc")) }
        #expect(throws: WebChannelProblem.self) { try bench.maps((3, "a"), (4, "b")) }
        bench.machine.setTight(true)
        #expect(throws: WebChannelProblem.self) { try bench.maps((3, "a")) }
        bench.machine.setTight(false)
        #expect(bench.machine.heldBytes == 8)
        #expect(try bench.maps((0, "0")) == ["receive 0", "receive 1234", "receive 5678"])
        // Not taken by the stream yet.
        #expect(throws: WebChannelProblem.self) { try bench.maps((3, "a")) }
        for size in [1, 4, 4] { bench.machine.taken(size) }
        #expect(bench.machine.heldBytes == 0)
        // One request is taken whatever its size.
        #expect(try bench.maps((3, "a long message, longer than the bound")).count == 1)
    }

    @Test func `while all sessions hold much, a long message is taken only if it need not wait`() throws {
        var bench = Bench {
            $0.tightBytes = 5
            $0.arrays = 1
        }
        bench.machine.setTight(true)
        #expect(throws: WebChannelProblem.self) { try bench.maps((1, "overtaken")) }
        #expect(try bench.maps((0, "in order")) == ["receive in order"])
        bench.machine.taken(8)
        // Nothing new is no reason to reject, and a stream without capacity is one to wait.
        #expect(try bench.maps((0, "in order")) == [])
        _ = bench.send("[1]")
        #expect(!bench.machine.isWritable)
        #expect(throws: WebChannelProblem.self) { try bench.maps((1, "a long message")) }
        #expect(try bench.maps((1, "short")) == ["receive short"])
    }

    @Test func `a POST answers whether there is a back channel, what is on the wire, and how much is open`() throws {
        var bench = Bench()
        #expect(bench.reply == "[0,0,0]")
        #expect(bench.send("[1]", "[22]", "[3]") == [])
        #expect(bench.reply == "[0,0,10]")
        #expect(bench.open(1, after: 0) == ["begin 1", "write 1 [[1,[1]],[2,[22]],[3,[3]]]"])
        #expect(bench.reply == "[1,3,10]")
        bench.machine.lost(1, now: 0)
        #expect(bench.reply == "[0,3,10]")
    }

    // MARK: Back

    @Test func `a GET is answered immediately, and its messages are retained until the next one acknowledges them`() throws {
        var bench = Bench()
        #expect(bench.open(1, after: 0) == ["begin 1", "write 1 [[1,[\"noop\"]]]"])
        #expect(bench.send("[\"a\"]") == ["write 1 [[2,[\"a\"]]]"])
        #expect(bench.send("[\"b\"]", "[\"c\"]") == ["write 1 [[3,[\"b\"]],[4,[\"c\"]]]"])
        bench.machine.lost(1, now: 0)
        #expect(bench.send("[\"d\"]") == [])
        #expect(bench.open(2, after: 2) == ["begin 2", "write 2 [[3,[\"b\"]],[4,[\"c\"]],[5,[\"d\"]]]"])
        // Lost once more: nothing new was taken in.
        bench.machine.lost(2, now: 0)
        #expect(bench.open(3, after: 2) == ["begin 3", "write 3 [[3,[\"b\"]],[4,[\"c\"]],[5,[\"d\"]]]"])
    }

    @Test(arguments: [
        (-1, "write 2 [[2,[2]],[3,[3]]]"), (0, "write 2 [[2,[2]],[3,[3]]]"), (1, "write 2 [[2,[2]],[3,[3]]]"), (2, "write 2 [[3,[3]]]"), (3, "write 2 [[4,[\"noop\"]]]"),
        (99, "write 2 [[4,[\"noop\"]]]"),
    ])
    func `an old AID returns the remaining messages, a future one acknowledges all`(after: Int, expected: String) {
        var bench = Bench()
        _ = bench.send("[1]")
        _ = bench.open(1, after: 0)
        _ = bench.send("[2]", "[3]")
        bench.machine.lost(1, now: 0)
        _ = bench.open(9, after: 1)
        bench.machine.lost(9, now: 0)
        #expect(bench.open(2, after: after) == ["begin 2", expected])
    }

    @Test func `a second GET replaces the first, and the loss of the first is then ignored`() {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        #expect(bench.open(2, after: 1) == ["end 1", "begin 2", "write 2 [[2,[\"noop\"]]]"])
        bench.machine.lost(1, now: 0)
        #expect(bench.send("[1]") == ["write 2 [[3,[1]]]"])
        // Of polls too.
        var polls = Bench()
        #expect(polls.open(1, after: 0, poll: 5_000) == [])
        #expect(polls.open(2, after: 0, poll: 5_000) == ["begin 1", "end 1"])
        #expect(polls.send("[1]") == ["begin 2", "write 2 [[1,[1]]]", "end 2"])
    }

    @Test func `a poll is one answer, and an empty one after its time is a noop`() {
        var bench = Bench()
        _ = bench.send("[1]", "[2]")
        #expect(bench.open(1, after: 0, poll: 25_000) == ["begin 1", "write 1 [[1,[1]],[2,[2]]]", "end 1"])
        #expect(bench.open(2, after: 2, poll: 5_000) == [])
        #expect(bench.wait(4_999) == [])
        #expect(bench.wait(1) == ["begin 2", "write 2 [[3,[\"noop\"]]]", "end 2"])
        #expect(bench.open(3, after: 3, poll: 0) == [])
        #expect(bench.wait(0) == ["begin 3", "write 3 [[4,[\"noop\"]]]", "end 3"])
        #expect(bench.open(4, after: 4, poll: 5_000) == [])
        #expect(bench.send("[1]") == ["begin 4", "write 4 [[5,[1]]]", "end 4"])
        #expect(bench.wait(60_000) == [])
    }

    @Test func `many arrays are several frames`() {
        var bench = Bench { $0.frame = 10 }
        #expect(bench.send("[1234]", "[5]", "[6]", "[\"a longer one\"]", "[7]") == [])
        #expect(
            bench.open(1, after: 0) == ["begin 1", "write 1 [[1,[1234]],[2,[5]]]", "write 1 [[3,[6]]]", "write 1 [[4,[\"a longer one\"]]]", "write 1 [[5,[7]]]"])
    }

    // MARK: Flow

    @Test func `much that is unacknowledged ends the GET, and the stream waits for the next`() {
        var bench = Bench { $0.arrays = 4 }
        _ = bench.open(1, after: 0)
        #expect(bench.send("[2]", "[3]") == ["write 1 [[2,[2]],[3,[3]]]"])
        #expect(bench.machine.isWritable)
        #expect(bench.send("[4]") == ["write 1 [[4,[4]]]", "end 1"])
        #expect(!bench.machine.isWritable)
        // The client may still be reading.
        #expect(bench.reply == "[1,4,\(bench.machine.heldBytes)]")
        _ = bench.wait(10_000)
        #expect(bench.reply == "[0,4,\(bench.machine.heldBytes)]")
        // It has not read all: it gets the rest, and the GET ends again.
        #expect(bench.open(2, after: 2) == ["begin 2", "write 2 [[3,[3]],[4,[4]]]", "end 2"])
        #expect(!bench.machine.isWritable)
        #expect(bench.open(3, after: 4) == ["begin 3", "write 3 [[5,[\"noop\"]]]", "room"])
        #expect(bench.machine.isWritable)
    }

    @Test func `bytes count too, and less is held while all sessions hold much`() {
        var bench = Bench {
            $0.bytes = 100
            $0.tightBytes = 20
        }
        _ = bench.open(1, after: 0)
        #expect(bench.send("[\"12345678901234\"]") == ["write 1 [[2,[\"12345678901234\"]]]"])
        bench.machine.setTight(true)
        #expect(bench.send("[3]") == ["write 1 [[3,[3]]]", "end 1"])
        #expect(bench.open(2, after: 3) == ["begin 2", "write 2 [[4,[\"noop\"]]]", "room"])
        // Half of the lesser bound is capacity, not half of the usual one.
        #expect(bench.send("[\"123456789012\"]", "[6]") == ["write 2 [[5,[\"123456789012\"]],[6,[6]]]", "end 2"])
        let rest = bench.open(3, after: 4)
        #expect(!rest.contains("room") && !bench.machine.isWritable)
    }

    // MARK: Time

    @Test func `a silent GET receives keep-alives, and a session without one is forgotten`() {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        #expect(bench.wait(19_999) == [])
        #expect(bench.wait(1) == ["write 1 [[2,[\"noop\"]]]"])
        #expect(bench.wait(10_000) == [])
        #expect(bench.send("[3]") == ["write 1 [[3,[3]]]"])
        #expect(bench.wait(19_999) == [])
        #expect(bench.wait(1) == ["write 1 [[4,[\"noop\"]]]"])
        bench.machine.lost(1, now: bench.now)
        #expect(bench.wait(89_999) == [])
        #expect(bench.wait(1) == ["forget"])
        #expect(bench.machine.isOver)
        #expect(bench.wait(1) == [])
        var left = Bench()
        // Messages do not keep a session that is not read.
        #expect(left.send("[1]") == [])
        #expect(left.wait(29_999) == [])
        #expect(left.wait(1) == ["forget"])
    }

    @Test func `a silent GET with much unacknowledged is ended instead`() {
        var bench = Bench { $0.tightBytes = 10 }
        _ = bench.open(1, after: 0)
        _ = bench.send("[\"1234567890\"]")
        #expect(bench.wait(20_000) == ["write 1 [[3,[\"noop\"]]]", "end 1"])
        #expect(bench.open(2, after: 3) == ["begin 2", "write 2 [[4,[\"noop\"]]]"])
        #expect(bench.wait(20_000) == ["write 2 [[5,[\"noop\"]]]"])
    }

    // MARK: Ends

    @Test func `after an error the session idles until the client ends it`() throws {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        #expect(bench.finish("[{\"error\":1}]") == ["write 1 [[2,[{\"error\":1}]]]"])
        #expect(!bench.machine.isWritable)
        #expect(bench.send("[3]") == [])
        #expect(bench.finish(nil) == [])
        #expect(try bench.maps((0, "a")) == [])
        #expect(bench.reply == "[1,2,\(bench.machine.heldBytes)]")
        #expect(bench.terminate() == ["end 1", "forget"])
    }

    @Test func `an error waits for the next GET, and is forgotten in the end`() {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        bench.machine.lost(1, now: 0)
        #expect(bench.finish("[{\"error\":1}]") == [])
        #expect(bench.open(2, after: 1) == ["begin 2", "write 2 [[2,[{\"error\":1}]]]"])
        #expect(bench.wait(90_000) == ["end 2", "forget"])
    }

    @Test func `a good end closes the channel and the GET`() {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        #expect(bench.finish(nil) == ["write 1 [[2,[\"close\"]]]", "end 1"])
        #expect(bench.open(2, after: 2) == ["begin 2", "write 2 [[3,[\"noop\"]]]"])
        var absent = Bench()
        #expect(absent.finish(nil) == [])
        #expect(absent.open(1, after: 0) == ["begin 1", "write 1 [[1,[\"close\"]]]", "end 1"])
    }

    @Test func `a server that stops ends GETs after the last message`() {
        var bench = Bench()
        _ = bench.open(1, after: 0)
        #expect(bench.finish("[{\"error\":1}]", endsAnswer: true) == ["write 1 [[2,[{\"error\":1}]]]", "end 1"])
        var idle = Bench()
        _ = idle.open(1, after: 0)
        _ = idle.finish("[{\"error\":1}]")
        #expect(Bench.text(idle.machine.endAnswer(now: 0)) == ["write 1 [[3,[\"noop\"]]]", "end 1"])
        #expect(Bench.text(idle.machine.endAnswer(now: 0)) == [])
        var poll = Bench()
        _ = poll.open(1, after: 0, poll: 25_000)
        #expect(Bench.text(poll.machine.endAnswer(now: 0)) == ["begin 1", "write 1 [[1,[\"noop\"]]]", "end 1"])
    }

    @Test func `a terminated session gives nothing any more`() throws {
        var bench = Bench()
        _ = bench.send("[1]")
        _ = bench.open(1, after: 0)
        #expect(bench.terminate() == ["end 1", "forget"])
        #expect(try bench.maps((0, "a")) == [])
        #expect(bench.send("[2]") == [])
        #expect(bench.finish(nil) == [])
        #expect(bench.open(2, after: 0) == ["begin 2", "end 2"])
        #expect(bench.machine.heldBytes == 0)
        var poll = Bench()
        _ = poll.open(1, after: 0, poll: 25_000)
        #expect(poll.terminate() == ["begin 1", "end 1", "forget"])
    }
}
