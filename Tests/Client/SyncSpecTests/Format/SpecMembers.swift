// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What is wrong with a case, or with the client it runs: one line per difference.
struct SpecFailure: Error, CustomStringConvertible {
    var lines: [String]

    init(_ lines: [String]) { self.lines = lines }
    init(_ line: String) { lines = [line] }

    var description: String { lines.joined(separator: "\n") }
}

/// The members of a JSON object, each of which must be asked for: a member that is never asked for fails the case.
struct SpecMembers {
    let place: String
    private var rest: [(name: String, node: JSONNode)]

    init(_ node: JSONNode) throws {
        place = node.place
        rest = try node.entries()
        let names = rest.map(\.name)
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw node.failure("the member \"\(name)\" occurs twice")
        }
    }

    /// Reads all members of an object with `body` and fails if any is left.
    static func read<Result>(_ node: JSONNode, _ body: (inout SpecMembers) throws -> Result) throws -> Result {
        var members = try SpecMembers(node)
        let result = try body(&members)
        guard let left = members.rest.first else { return result }
        throw node.failure("the member \"\(left.name)\" is not known here")
    }

    /// A member, which may be null; nil if it is absent.
    mutating func take(_ name: String) -> JSONNode? {
        guard let index = rest.firstIndex(where: { equalUTF8($0.name, name) }) else { return nil }
        return rest.remove(at: index).node
    }

    mutating func require(_ name: String) throws -> JSONNode {
        guard let node = take(name) else { throw FirestoreError.invalidArgument("\"\(name)\" is missing", at: place) }
        return node
    }

    /// The members that have not been asked for yet.
    var names: [String] { rest.map(\.name) }

    mutating func ignoreRest() { rest = [] }
}

/// Scalars without the second spellings that proto3 allows: a number in quotes is no number here.
extension JSONNode {
    func wholeNumber() throws -> Int64 {
        guard case .number = json else { throw failure("a whole number is expected") }
        return try integer()
    }

    func count() throws -> Int {
        guard let number = Int(exactly: try wholeNumber()), number >= 0 else { throw failure("a number from 0 is expected") }
        return number
    }

    func version() throws -> DocumentVersion { DocumentVersion(microseconds: Int64(try count())) }

    func targetID() throws -> Int32 {
        guard let id = Int32(exactly: try count()) else { throw failure("the id of a target is expected") }
        return id
    }

    func targetIDs() throws -> [Int32] { try elements().map { try $0.targetID() } }

    func strings() throws -> [String] { try elements().map { try $0.string() } }

    func token() throws -> ByteSlice { ByteSlice([UInt8](try string().utf8)) }

    /// The value of a step that has none.
    func isTrue() throws {
        guard try boolean() else { throw failure("true is expected") }
    }

    func exactly(_ count: Int) throws -> [JSONNode] {
        let elements = try elements()
        guard elements.count == count else { throw failure("\(count) elements are expected, but there are \(elements.count)") }
        return elements
    }

    /// SY-214
    func specError() throws -> FirestoreError {
        try SpecMembers.read(self) { members in
            let node = try members.require("code")
            guard let code = FirestoreError.Code(rawValue: try node.count()), code != .ok else {
                throw node.failure("the number of an error is expected")
            }
            return FirestoreError(code, try members.take("message")?.string() ?? "as the scenario says")
        }
    }
}
