// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire
import Testing

/// What a scenario means, and that nothing in it is overlooked.
struct FormatTests {
    private static func specCase(_ steps: String, _ more: String = "") throws -> SpecCase {
        try SpecCase(SpecSource(name: "case", json: try JSON("{\"config\": {\"numClients\": 1}, \(more) \"steps\": [\(steps)]}".utf8)))
    }

    private static func step(_ text: String) throws -> SpecStep { try specCase(text).steps[0] }

    private static func query(_ text: String) throws -> ClientTarget { try SpecValues.query(JSONNode(try JSON(text.utf8))) }

    private static func value(_ text: String) throws -> String { try SpecValues.value(JSONNode(try JSON(text.utf8))).json.text() }

    @Test(arguments: [
        // An action is missing, unknown, or one of two.
        #"{}"#, #"{"userListne": {"targetId": 2, "query": "a"}}"#, #"{"drainQueue": true, "restart": true}"#,
        #"{"drainQueue": true, "expectedSnapshotEvent": []}"#, #"{"watchProto": {}}"#, #"{"drainQueue": false}"#,
        #"{"drainQueue": 1}"#, #"{"comment": "a", "drainQueue": true}"#, #"{"drainQueue": true, "drainQueue": true}"#,
        // Listeners and writes.
        #"{"userListen": {"targetId": 2}}"#, #"{"userListen": {"targetId": "2", "query": "a"}}"#,
        #"{"userListen": {"targetId": 2, "query": "a", "more": 1}}"#, #"{"userListen": [2, "a"]}"#,
        #"{"userListen": {"targetId": 2, "query": "a", "options": {"source": "server"}}}"#,
        #"{"userListen": {"targetId": 2, "query": "a", "options": {"includeMetadata": true}}}"#,
        #"{"userUnlisten": [2]}"#, #"{"userUnlisten": [2, "a", 3]}"#, #"{"userSet": ["a/b"]}"#, #"{"userSet": ["a", {}]}"#,
        #"{"userSet": ["a/b", {"c": "<DELETE>"}]}"#, #"{"userPatch": ["a/b", {"c": {"d": "<DELETE>"}}]}"#,
        #"{"userPatch": ["a/b", {"c..d": 1}]}"#, #"{"userSet": ["a/b", 3]}"#, #"{"userDelete": ["a/b"]}"#,
        #"{"userDelete": "a/b/c"}"#, #"{"loadBundle": 3}"#,
        // Frames.
        #"{"watchAck": 2}"#, #"{"watchAck": ["2"]}"#, #"{"watchAck": [2.5]}"#, #"{"watchCurrent": [[2]]}"#,
        #"{"watchCurrent": [2, "t"]}"#, #"{"watchRemove": [2]}"#, #"{"watchRemove": {"targetIds": [2], "cause": {}}}"#,
        #"{"watchRemove": {"targetIds": [2], "cause": {"code": 17}}}"#,
        #"{"watchRemove": {"targetIds": [2], "cause": {"code": 7, "details": []}}}"#,
        #"{"watchEntity": {"targets": [2]}}"#, #"{"watchEntity": {"doc": {"key": "a/b", "version": 1}, "targets": [2]}}"#,
        #"{"watchEntity": {"doc": {"key": "a/b", "version": 1, "value": {}}, "docs": [], "targets": [2]}}"#,
        #"{"watchEntity": {"key": "a/b", "doc": {"key": "a/b", "version": 1, "value": {}}}}"#,
        #"{"watchEntity": {"doc": {"key": "a/b", "version": "1", "value": {}}}}"#,
        #"{"watchEntity": {"doc": {"key": "a/b", "version": 1, "value": {}, "options": {"hasLocalMutation": true}}}}"#,
        #"{"watchFilter": {"targetIds": [2, 4], "keys": []}}"#, #"{"watchFilter": {"targetIds": [2]}}"#,
        #"{"watchFilter": {"targetIds": [2], "keys": ["a"]}}"#,
        #"{"watchFilter": {"targetIds": [2], "keys": [], "bloomFilter": {"hash": 1}}}"#,
        #"{"watchFilter": {"targetIds": [2], "keys": [], "bloomFilter": {"bits": {"bitmap": 1}}}}"#,
        #"{"watchSnapshot": {"version": 1}}"#, #"{"watchSnapshot": {"targetIds": []}}"#, #"{"watchSnapshot": 1000}"#,
        #"{"watchStreamClose": {"error": {"code": 14}}}"#, #"{"watchStreamClose": {"error": 14, "runBackoffTimer": true}}"#,
        #"{"writeAck": {}}"#, #"{"writeAck": {"version": -1}}"#, #"{"failWrite": {"code": 7}}"#, #"{"failWrite": {"error": {"code": 0}}}"#,
        // The client.
        #"{"runTimer": "write_stream"}"#, #"{"enableNetwork": "true"}"#, #"{"changeUser": 3}"#, #"{"triggerLruGC": "1"}"#,
        #"{"failDatabase": true}"#, #"{"failDatabase": ["Eat"]}"#, #"{"failDatabase": "Allocate target"}"#,
        // Expectations.
        #"{"drainQueue": true, "expectedState": {"activeTarget": {}}}"#, #"{"drainQueue": true, "expectedState": []}"#,
        #"{"drainQueue": true, "expectedState": {"activeTargets": {"two": {"queries": ["a"]}}}}"#,
        #"{"drainQueue": true, "expectedState": {"activeTargets": {"2": {"queries": []}}}}"#,
        #"{"drainQueue": true, "expectedState": {"activeTargets": {"2": {"queries": ["a"], "token": ""}}}}"#,
        #"{"drainQueue": true, "expectedState": {"activeTargets": {"2": {"queries": ["a"], "targetPurpose": "Listen"}}}}"#,
        #"{"drainQueue": true, "expectedState": {"activeLimboDocs": "a/b"}}"#,
        #"{"drainQueue": true, "expectedState": {"userCallbacks": {"acknowledged": []}}}"#,
        #"{"drainQueue": true, "expectedState": {"numOutstandingWrites": "1"}}"#,
        #"{"drainQueue": true, "expectedState": {"indexes": []}}"#,
        #"{"drainQueue": true, "expectedSnapshotsInSyncEvents": true}"#,
        #"{"drainQueue": true, "expectedSnapshotEvents": [{"query": "a", "errorCode": 0}]}"#,
        #"{"drainQueue": true, "expectedSnapshotEvents": [{"query": "a", "errorCode": 99}]}"#,
        #"{"drainQueue": true, "expectedSnapshotEvents": [{"query": "a", "fromCache": true, "hasPendingWrites": 0}]}"#,
        #"{"drainQueue": true, "expectedSnapshotEvents": [{"query": "a", "fromCache": true, "hasPendingWrites": true, "changed": []}]}"#,
        #"{"drainQueue": true, "expectedSnapshotEvents": [{"query": "a", "fromCache": true, "hasPendingWrites": true, "added": ["a/b"]}]}"#,
    ])
    func `what is not known fails the case`(text: String) {
        #expect(throws: (any Error).self) { try Self.specCase(text) }
    }

    @Test func `cases have known members and tags`() throws {
        let step = #"{"drainQueue": true}"#
        #expect(try Self.specCase(step, #""tags": ["no-ios"], "comment": "c", "describeName": "d", "itName": "i","#).tags == ["no-ios"])
        #expect(throws: (any Error).self) { try Self.specCase(step, #""tags": ["no-linux"],"#) }
        #expect(throws: (any Error).self) { try Self.specCase(step, #""name": "n","#) }
        #expect(throws: (any Error).self) { try Self.specCase("") }
        let text = #"{"config": {"convertToPipeline": true, "maxConcurrentLimboResolutions": 3}, "steps": [{"drainQueue": true}]}"#
        let decoded = try SpecCase(SpecSource(name: "c", json: try JSON(text.utf8)))
        #expect(decoded.configuration.concurrentLimboResolutions == 3 && decoded.configuration.clientCount == 1)
    }

    @Test func `queries are those of the public API`() throws {
        guard case .document(let key) = try Self.query(#""a/b""#) else {
            Issue.record("a path of a document is a document")
            return
        }
        #expect(key.path == "a/b")
        #expect(try Self.query(#""a/b""#) == Self.query(#"{"path": "a/b", "filters": [], "orderBys": []}"#))
        #expect(try Self.query(#""a""#) == Self.query(#"{"path": "a", "filters": [], "orderBys": []}"#))
        for (text, expected) in [
            (#"{"path": "a/b/c", "filters": [["x", "==", 1]]}"#, #"a/b/c where x equal {"integerValue":"1"}"#),
            (
                #"{"path": "a", "filters": [["x.y", ">", 1.5], ["z", "in", ["p", null]], ["v", "!=", true]], "orderBys": [["x.y", "desc"]]}"#,
                #"a where (x.y greaterThan {"doubleValue":1.5} and z in {"arrayValue":{"values":[{"stringValue":"p"},"#
                    + #"{"nullValue":null}]}} and v notEqual {"booleanValue":true}) order by x.y desc"#
            ),
            (#"{"path": "", "collectionGroup": "g", "limit": 3, "limitType": "LimitToFirst"}"#, "group g limit 3"),
            (
                #"{"path": "a", "limit": 2, "limitType": "LimitToLast", "orderBys": [["n", "asc"]]}"#,
                "a order by n asc limit 2 (from the end)"
            ),
            (
                #"{"path": "a", "filters": [["__name__", "==", "b"]]}"#,
                #"a where __name__ equal {"referenceValue":"projects/test-project/databases/(default)/documents/a/b"}"#
            ),
        ] { #expect(SpecText.of(try Self.query(text)) == expected) }
        for text in [
            #"{"path": "a", "filter": []}"#, #"{"path": "a", "filters": [["x", "=", 1]]}"#, #"{"path": "a", "filters": [["x", "in", 1]]}"#,
            #"{"path": "a", "limit": 2, "limitType": "First"}"#, #"{"path": "a", "limitType": "LimitToLast"}"#,
            #"{"path": "a/b", "limit": 1}"#,
            #"{"path": "a", "orderBys": [["n", "up"]]}"#, #"{"path": "a", "orderBys": ["n"]}"#, #"{"filters": []}"#, #""""#, "null",
        ] { #expect(throws: (any Error).self, "\(text)") { try Self.query(text) } }
    }

    @Test func `mirrored queries are one target`() throws {
        let first = try Self.query(#"{"path": "a", "limit": 2, "limitType": "LimitToFirst", "orderBys": [["n", "asc"]]}"#)
        let last = try Self.query(#"{"path": "a", "limit": 2, "limitType": "LimitToLast", "orderBys": [["n", "desc"]]}"#)
        #expect(first != last)
        #expect(SpecValues.target(of: first) == SpecValues.target(of: last))
        #expect(SpecValues.target(of: first) != SpecValues.target(of: try Self.query(#""a""#)))
    }

    @Test func `values are JSON`() throws {
        #expect(
            try Self.value(#"[null, true, 1, -1.5, 1e3, "s", {"a": {}}]"#) == Self.value(#"[null, true, 1, -1.5, 1000, "s", {"a": {}}]"#))
        #expect(try Self.value("1") == #"{"integerValue":"1"}"#)
        #expect(try Self.value("1.5") == #"{"doubleValue":1.5}"#)
        guard case .write(let write) = try Self.step(#"{"userPatch": ["a/b", {"c.d": 1, "e": "<DELETE>", "f": {"g": 2}}]}"#).action else {
            Issue.record("userPatch is a write")
            return
        }
        #expect(
            SpecText.of(write)
                == #"patch a/b {"c":{"mapValue":{"fields":{"d":{"integerValue":"1"}}}},"f":{"mapValue":{"fields":{"g":{"integerValue":"2"}}}}}"#
                + " mask c.d, e, f if exists is true")
    }

    @Test func `frames say what the step says`() throws {
        guard
            case .watch(let frames, let forgotten) = try Self.step(
                #"{"watchEntity": {"docs": [{"key": "a/b", "version": 7, "value": {}}, {"key": "a/c", "version": 8, "value": null}], "#
                    + #""targets": [2], "removedTargets": [4]}}"#
            ).action
        else {
            Issue.record("watchEntity is frames")
            return
        }
        #expect(frames.count == 2 && forgotten.isEmpty)
        if case .documentChange(let database, let document, let targets, let removed)? = frames.first {
            #expect(database.projectID == "test-project" && database.databaseID == "(default)")
            #expect(document.key.path == "a/b" && document.updateTime.microseconds == 7 && targets == [2] && removed == [4])
        } else {
            Issue.record("the first is a change")
        }
        if case .documentDelete(_, let key, let removed, let time)? = frames.last {
            #expect(key.path == "a/c" && removed == [2, 4] && time?.microseconds == 8)
        } else {
            Issue.record("the second is a deletion")
        }
        guard case .watch(_, let refused) = try Self.step(#"{"watchRemove": {"targetIds": [2], "cause": {"code": 7}}}"#).action else {
            return
        }
        #expect(refused == [2])
        guard
            case .watch(let filters, _) = try Self.step(
                #"{"watchFilter": {"targetIds": [2], "keys": ["a/b"], "bloomFilter": {"bits": {"bitmap": "AQ==", "padding": 1}, "hashCount": 2}}}"#
            ).action, case .filter(let filter)? = filters.first
        else {
            Issue.record("watchFilter is a filter")
            return
        }
        #expect(filter.count == 1 && filter.names == BloomFilter(bits: [1], padding: 1, hashCount: 2))
        guard
            case .watch(let damaged, _) = try Self.step(
                #"{"watchFilter": {"targetIds": [2], "keys": [], "bloomFilter": {"bits": {"bitmap": "!"}, "hashCount": 2}}}"#
            ).action, case .filter(let filter)? = damaged.first
        else { return }
        #expect(filter.names == nil, "text that is not base64 is no filter")
    }

    @Test(arguments: [
        (#""bits": {"bitmap": "AQ==", "padding": -1}, "hashCount": 1"#, BloomFilter(bits: [1], padding: -1, hashCount: 1)),
        (#""bits": {"bitmap": "AQ==", "padding": 8}, "hashCount": 1"#, BloomFilter(bits: [1], padding: 8, hashCount: 1)),
        (#""bits": {"bitmap": "", "padding": 1}, "hashCount": 1"#, BloomFilter(bits: [], padding: 1, hashCount: 1)),
        (#""bits": {"bitmap": "AQ=="}, "hashCount": -1"#, BloomFilter(bits: [1], padding: 0, hashCount: -1)),
        (#""bits": {"bitmap": "AQ=="}"#, BloomFilter(bits: [1], padding: 0, hashCount: 0)),
        (#""bits": {"bitmap": "AQ=="}, "hashCount": 9000000000"#, BloomFilter(bits: [1], padding: 0, hashCount: 9_000_000_000)),
    ]) func `a malformed bloom filter is handed to the client, which uses none`(text: String, expected: BloomFilter) throws {
        let step = try Self.step(#"{"watchFilter": {"targetIds": [2], "keys": [], "bloomFilter": {\#(text)}}}"#)
        guard case .watch(let frames, _) = step.action, case .filter(let filter)? = frames.first else {
            Issue.record("watchFilter is a filter")
            return
        }
        #expect(filter.names == expected && !expected.isValid)
    }

    @Test func `all cases that run can be read`() throws {
        for name in SpecFolder.names(in: SpecFolder.chosen) {
            for source in try SpecFolder.file(name, in: SpecFolder.chosen).cases where !source.tags.contains("multi-client") {
                #expect(throws: Never.self, "\(name): \(source.name)") { try SpecCase(source) }
            }
        }
    }

    @Test func `tags decide where a case runs`() {
        #expect(SpecFolder.skippingTag(["multi-client", "no-ios"], on: .memory) == "multi-client")
        #expect(SpecFolder.skippingTag(["eager-gc"], on: .disk) == "eager-gc")
        #expect(SpecFolder.skippingTag(["durable-persistence"], on: .memory) == "durable-persistence")
        guard !SpecFolder.hasExclusiveCases else { return }
        #expect(SpecFolder.skippingTag(["eager-gc"], on: .memory) == nil && SpecFolder.skippingTag(["no-web"], on: .disk) == nil)
    }
}
