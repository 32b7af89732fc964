// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
@testable import FirestoreTransfer
import TestSupport
import Testing

struct EntityTests {
    static let database = DatabaseID(projectID: "library")
    private let reader = EntityReader(database: database)

    @Test func `a pending timestamp is not written`() throws {  // SY-D9
        let document = TransferredDocument(
            key: DocumentKey(trusted: "c/1"), fields: FieldBytes(FieldMap([("list", .array([.map(FieldMap([("at", try pendingTimestamp.value)]))]))])))
        let error = #expect(throws: FirestoreError.self) { _ = try EntityWriter(database: Self.database).bytes(document) }
        #expect(error?.code == .internal && error?.location == "c/1")
    }

    private func read(_ bytes: [UInt8]) -> Result<TransferredDocument, FirestoreError> { bytes.withUnsafeBytes { reader.document($0) } }

    /// An entity `cities/SF` with properties as given.
    private func entity(key: Bool = true, _ properties: [(inout MessageBytes) -> Void]) -> [UInt8] {
        var entity = MessageBytes()
        if key {
            entity.appendMessage(EntityField.key) { key in
                key.append(EntityField.app, text: "s~library")
                key.appendMessage(EntityField.path) { path in
                    path.appendGroup(EntityField.element) { element in
                        element.append(EntityField.elementType, text: "cities")
                        element.append(EntityField.elementName, text: "SF")
                    }
                }
            }
        }
        for property in properties { entity.appendMessage(EntityField.property, property) }
        return entity.bytes
    }

    private static func property(
        _ name: String, meaning: Int = 0, multiple: Bool = false, _ fill: @escaping (inout MessageBytes) -> Void = { _ in }
    ) -> (inout MessageBytes) -> Void {
        { property in
            if meaning != 0 { property.append(EntityField.meaning, integer: meaning) }
            property.append(EntityField.name, text: name)
            property.append(EntityField.multiple, integer: multiple ? 1 : 0)
            property.appendMessage(EntityField.value, fill)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `written entities are read back`(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed, database: Self.database)
        for document in random.documents(20) {
            #expect(try read(try EntityWriter(database: Self.database).bytes(document)).get() == document)
        }
    }

    @Test func `a vector without components is stored as well`() throws {
        let document = TransferredDocument(key: DocumentKey(trusted: "a/b"), fields: FieldBytes(FieldMap([("v", .vector([]))])))
        #expect(try read(try EntityWriter(database: Self.database).bytes(document)).get() == document)
    }

    @Test func `types of Datastore that mean the same are understood`() throws {
        let bytes = entity([
            Self.property("text", meaning: 15) { $0.append(EntityField.string, text: "long") },
            Self.property("short", meaning: 16) { $0.append(EntityField.string, bytes: [0xFF]) },
            Self.property("list", multiple: true) { $0.append(EntityField.integer, integer: 1) },
            Self.property("other") { $0.append(EntityField.boolean, integer: 1) },
            // The elements of an array need not stand together.
            Self.property("list", multiple: true) { $0.append(EntityField.integer, integer: 2) },
        ])
        let expected = FieldMap([
            ("text", .string("long")), ("short", .bytes([0xFF])), ("list", .array([.integer(1), .integer(2)])), ("other", .boolean(true)),
        ])
        #expect(try read(bytes).get() == TransferredDocument(key: DocumentKey(trusted: "cities/SF"), fields: FieldBytes(expected)))
    }

    @Test func `a value that Firestore does not have is rejected with document and field`() {
        func nested(_ properties: [(inout MessageBytes) -> Void]) -> [UInt8] {
            entity([Self.property("outer", meaning: 19, multiple: true) { $0.append(EntityField.string, bytes: entity(key: false, properties)) }])
        }
        let cases: [(bytes: [UInt8], message: String, location: String?)] = [
            (entity([Self.property("user") { $0.appendGroup(8) { _ in } }]), "user of Google's accounts", "cities/SF, field user"),
            (entity([Self.property("phone", meaning: 11) { $0.append(3, text: "1") }]), "meaning 11", "cities/SF, field phone"),
            (nested([Self.property("a.b", meaning: 17) { $0.append(3, text: "1") }]), "meaning 17", "cities/SF, field outer[0].`a.b`"),
            (entity([Self.property("time", meaning: 7) { $0.append(3, text: "1") }]), "does not fit its meaning 7", "cities/SF, field time"),
            (entity([Self.property("v", meaning: 31, multiple: true) { $0.append(1, integer: 1) }]), "does not fit its meaning 31", "cities/SF, field v"),
            (entity([Self.property("twice") { _ in }, Self.property("twice") { _ in }]), "more than once", "cities/SF, field twice"),
            (entity([Self.property("text") { $0.append(3, bytes: [0xFF]) }]), "not valid UTF-8", "cities/SF, field text"),
            (entity(key: false, []), "no key", nil), ([0xFF], "not an entity", nil), ([0x6A, 0x00], "path of the key is empty", nil),
        ]
        for (bytes, message, location) in cases {
            guard case .failure(let error) = read(bytes) else {
                Issue.record("\(message) is taken")
                continue
            }
            #expect(error.message.contains(message), "\(error)")
            #expect(error.location == location, "\(error)")
        }
    }

    @Test func `entities of a namespace and ids with slashes are not documents`() {
        var entity = MessageBytes()
        entity.appendMessage(EntityField.key) { key in
            key.append(EntityField.namespace, text: "tenant")
            key.appendMessage(EntityField.path) { $0.appendGroup(1) { $0.append(2, text: "a"); $0.append(4, text: "b") } }
        }
        guard case .failure(let error) = read(entity.bytes) else { return #expect(Bool(false)) }
        #expect(error.message.contains("namespace"))
        entity.removeAll()
        entity.appendMessage(EntityField.key) { key in
            key.appendMessage(EntityField.path) { $0.appendGroup(1) { $0.append(2, text: "a"); $0.append(4, text: "b/c/d") } }
        }
        guard case .failure(let slash) = read(entity.bytes) else { return #expect(Bool(false)) }
        #expect(slash.message.contains("no id that a document can have"))
    }

    @Test func `entities inside entities end somewhere`() {
        var bytes = entity(key: false, [])
        for _ in 0..<200 {
            let inner = bytes
            bytes = entity(key: false, [Self.property("m", meaning: 19) { $0.append(3, bytes: inner) }])
        }
        let deep = bytes
        guard case .failure(let error) = read(entity([Self.property("m", meaning: 19) { $0.append(3, bytes: deep) }])) else {
            return #expect(Bool(false))
        }
        #expect(error.message.contains("nest deeper"))
        // Groups too.
        guard case .failure = read([UInt8](repeating: 0x0B, count: 100_000)) else { return #expect(Bool(false)) }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `whatever the bytes are, there is a document or an error`(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed, database: Self.database)
        let documents = random.documents(5)
        for document in documents {
            let bytes = try EntityWriter(database: Self.database).bytes(document)
            for _ in 0..<60 {
                var damaged = bytes
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: damaged.removeLast(Int.random(in: 0...damaged.count, using: &random.generator))
                case 1: damaged[Int.random(in: 0..<damaged.count, using: &random.generator)] = UInt8.random(in: 0...255, using: &random.generator)
                default: damaged = (0..<Int.random(in: 0..<200, using: &random.generator)).map { _ in UInt8.random(in: 0...255, using: &random.generator) }
                }
                if case .failure(let error) = read(damaged) { #expect([.dataLoss, .invalidArgument].contains(error.code)) }
            }
        }
    }
}
