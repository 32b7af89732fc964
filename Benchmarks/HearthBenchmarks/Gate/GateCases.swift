// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreWire

/// The paths of `make bench-gate`, whose instructions are counted and compared with `Benchmarks/gate.json`.
///
/// A count is of use only if it is the same in every run: inputs are fixed, clocks stand still, and where a path can do with one thread,
/// it has one. Each path is warm after a few hundred operations.
enum GateCases {
    static var all: [BenchmarkCase] {
        [
            codec, GateDatabaseCases.pointRead, GateDatabaseCases.commit, GateDatabaseCases.firstTwenty, GateDatabaseCases.listener,
            GateConnection.get, rules, restDecode, webChannelEncode, GateCacheCases.write,
        ]
    }

    static let database = DatabaseID(projectID: "gate")
    static let collection = CollectionPath(trusted: "coll")
    static let time = DocumentVersion(microseconds: 1_750_000_000_000_000)

    /// Keys and values have the same length for all numbers up to 100.
    static func key(_ number: Int) -> DocumentKey { DocumentKey(collection: collection, id: Document1KB.id(number)) }

    static func fields(_ number: Int) -> FieldBytes { Document1KB(number: 10_000 + number).fields }

    /// The fields that the n-th write gives to document n % 100: in each round those of another number, so that every write changes values.
    static func content(_ number: Int) -> Int { (number + 1 + number / GateDatabase.count) % GateDatabase.count }

    /// The writes of two rounds.
    static var changes: [Write] {
        (0..<2 * GateDatabase.count).map { Write(key: key($0 % GateDatabase.count), operation: .set(fields(content($0)))) }
    }

    /// A path that one thread runs from one end to the other.
    private static func path(_ name: String, prepare: @escaping () throws -> () throws -> Void) -> BenchmarkCase {
        BenchmarkCase(name) {
            let operation = try prepare()
            return BenchmarkCase.Contenders(ours: { for _ in 0..<$0 { try operation() } })
        }
    }

    private static var codec: BenchmarkCase {
        path("codec: a document with an array of maps, encoded and decoded") {
            {
                let fields = try DocumentEncoder.encode(BookTags.sample, options: EncodingOptions()).fields
                blackHole(try DocumentDecoder.decode(BookTags.self, from: fields))
            }
        }
    }

    private static var rules: BenchmarkCase {
        path("rules: a decision that reads a role document") {
            let rules = try RuleSet(RulesCases.role)
            let documents = RulesCases.Documents()
            let request = RulesCases.request(.get([RulesCases.key]))
            return {
                guard try rules.decide(request, documents).isGranted else { throw BenchmarkFailure("the document of the gate is denied") }
            }
        }
    }

    /// From the text of a request to the writes of the commit.
    private static var restDecode: BenchmarkCase {
        path("REST: a commit of 10 documents of 1 KB, decoded") {
            let writes = (0..<10).map { Write(key: key($0), operation: .set(fields($0))) }
            let message = ByteSlice(CommitRequest(database: database, writes: writes).encoded())
            let body = ByteSlice(try FirestoreMethod.commit.requestJSON(message).bytes())
            return {
                let call = try RESTRouter.match(verb: "POST", path: "/v1/projects/gate/databases/(default)/documents:commit")
                guard let bytes = try call?.requestBytes(body: body), try CommitRequest(decoding: bytes).writes.count == 10 else {
                    throw BenchmarkFailure("the commit of the gate has lost writes")
                }
            }
        }
    }

    /// From the documents of a snapshot to the bytes of an answer.
    private static var webChannelEncode: BenchmarkCase {
        path("WebChannel: a snapshot of 10 documents of 1 KB, encoded") {
            let documents = (0..<10).map { Document(key: key($0), createTime: time, updateTime: time, fields: fields($0)) }
            var responses = documents.map { ListenResponse.documentChange(database, $0, targets: [2], removedFrom: []) }
            responses.append(.targetChange(TargetChange(.current, targets: [2], readTime: time)))
            return {
                var session = WebChannelMachine(now: 0)
                _ = session.open(1, after: 0, pollsFor: nil, now: 0)
                for response in responses { session.send(try FirestoreMethod.listen.responseJSON(of: response.encoded())) }
                guard case .write(1, let bytes)? = session.flush(now: 0).first, bytes.count > 10_000 else {
                    throw BenchmarkFailure("the answer of the gate has no documents")
                }
            }
        }
    }
}
