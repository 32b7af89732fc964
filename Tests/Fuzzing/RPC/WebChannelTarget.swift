// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

@testable import FirestoreRPC

/// Requests of WebChannel, and sessions. The first byte chooses: even, a form and a URL; odd, events of a session.
enum WebChannelTarget {
    static func run(_ input: [UInt8]) {
        var reader = InputReader(input)
        if reader.byte() & 1 == 0 { request(Array(input.dropFirst())) } else { session(&reader) }
    }

    // MARK: Requests

    private static func request(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for method in ["GET", "POST"] { _ = try? WebChannelRequest(method: method, query: RequestTarget.parse("/?" + text).query) }
        precondition(WebChannelFrame.units(Array(text.utf8)) == text.utf16.count, "a length is wrong")
        guard let form = try? WebChannelForm(ByteSlice(input)) else { return }
        precondition(form.maps.count <= WebChannelForm.mostMaps, "a form has more messages than it may have")
        precondition(zip(form.maps, form.maps.dropFirst()).allSatisfy { $0.id < $1.id }, "messages are not in order, or one is there twice")
        precondition(form.maps.allSatisfy { $0.id >= 0 && ($0.text?.count ?? 0) <= input.count }, "a message is larger than its form")
    }

    // MARK: Sessions

    /// A client that checks what it sees.
    private struct Client {
        var machine: WebChannelMachine
        var now: Int64 = 0
        /// The next message that the stream has to get, and those sent so far.
        var nextReceived = 0
        var sentMaps: Set<Int> = []
        /// What the stream sent, by number.
        var contents: [Int: [UInt8]] = [:]
        /// What the client has taken in.
        var last = 0
        /// What open answers have brought.
        var answers: [Int: [Int]] = [:]
        var begun: Set<Int> = []
        var lastAnswer = 0
        var isForgotten = false
        var hasRoom = true

        mutating func perform(_ actions: [WebChannelMachine.Action]) {
            for action in actions {
                precondition(!isForgotten, "a forgotten session does something")
                switch action {
                case .receive(let text):
                    precondition(text == Array(String(nextReceived).utf8), "a message is lost, repeated or out of order")
                    nextReceived += 1
                    machine.taken(text.count)
                case .begin(let number): precondition(answers[number] != nil && begun.insert(number).inserted, "an answer begins twice")
                case .write(let number, let bytes):
                    precondition(begun.contains(number) && answers[number] != nil, "something is written to an answer that is not open")
                    read(bytes, of: number)
                case .end(let number):
                    precondition(begun.contains(number), "an answer ends before it begins")
                    take(number, all: true)
                case .becameWritable:
                    precondition(machine.isWritable, "there is no room")
                case .forget: isForgotten = true
                }
            }
            precondition(machine.heldBytes >= 0, "less than nothing is held")
        }

        private mutating func read(_ bytes: [UInt8], of number: Int) {
            let text = Array(String(decoding: bytes, as: UTF8.self).utf16)
            guard let mark = text.firstIndex(of: 0x0A), Int(String(decoding: text[..<mark], as: UTF16.self)) == text.count - mark - 1,
                case .array(let arrays)? = try? JSON(String(decoding: text[(mark + 1)...], as: UTF16.self).utf8)
            else { preconditionFailure("a frame cannot be read") }
            for array in arrays {
                guard case .array(let parts) = array, parts.count == 2, case .number(let digits) = parts[0], let id = Int(digits) else {
                    preconditionFailure("an array has no number")
                }
                precondition(answers[number]?.last.map { $0 + 1 == id } ?? (id <= last + 1), "array \(id) comes after a gap")
                let content = parts[1].bytes()
                precondition(contents.updateValue(content, forKey: id) ?? content == content, "array \(id) has changed")
                answers[number]?.append(id)
            }
        }

        /// The client has read an answer, or a part of it.
        mutating func take(_ number: Int, all: Bool, part: Int = 0) {
            guard let ids = answers.removeValue(forKey: number) else { return }
            for id in all ? ids[...] : ids.prefix(part) where id > last { last = id }
        }
    }

    private static func session(_ reader: inout InputReader) {
        var limits = WebChannelMachine.Limits()
        limits.arrays = 8
        limits.bytes = 200
        limits.tightBytes = 60
        limits.maps = 6
        limits.mapBytes = 40
        limits.frame = 50
        var client = Client(machine: WebChannelMachine(limits: limits, now: 0))
        while !reader.isAtEnd, !client.isForgotten {
            let argument = Int(reader.byte())
            switch reader.byte() % 10 {
            case 0:
                let first = max(0, client.nextReceived - 2 + argument % 5)
                let maps = (first...(first + argument / 64)).map { WebChannelForm.Map(id: $0, text: Array(String($0).utf8)) }
                if let actions = try? client.machine.take(maps) { client.perform(actions) }
            case 1, 2:
                client.lastAnswer += 1
                let acknowledged = argument % 7 == 0 ? client.last - argument % 3 : client.last
                client.answers[client.lastAnswer] = []
                client.perform(
                    client.machine.open(client.lastAnswer, after: acknowledged, pollsFor: argument % 2 == 0 ? nil : 5_000, now: client.now))
            case 3:
                client.take(client.lastAnswer, all: false, part: argument % 4)
                client.machine.lost(client.lastAnswer, now: client.now)
            case 4, 5:
                for _ in 0...(argument % 4) { client.machine.send(Array("[\"\(String(repeating: "é", count: argument % 50))\"]".utf8)) }
                client.perform(client.machine.flush(now: client.now))
            case 6:
                client.now += Int64(argument) * 400
                client.perform(client.machine.tick(now: client.now))
            case 7: client.machine.setTight(argument % 2 == 0)
            case 8:
                let length = WebChannelFrame.frame([]).count
                precondition(client.machine.reply(now: client.now).count > length, "a POST has no answer")
            default:
                guard argument > 200 else { continue }
                switch argument % 4 {
                case 0: client.perform(client.machine.terminate(now: client.now))
                case 1: client.perform(client.machine.endAnswer(now: client.now))
                default:
                    client.machine.finish(argument % 4 == 2 ? nil : Array("[{\"error\":{}}]".utf8), endsAnswer: argument % 3 == 0, now: client.now)
                    client.perform(client.machine.flush(now: client.now))
                }
            }
        }
    }
}
