// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

/// Which project and which databases a folder of Firebase's command line is deployed to.
struct DeployPlanTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        _ = try folder.file("a.json", "{}")
        _ = try folder.file("b.json", "{}")
    }

    private func project(
        _ json: String = #"{"firestore": {"indexes": "a.json"}}"#, rc: String? = nil, option: String? = nil, variable: String? = nil
    ) throws -> FirebaseProject {
        let path = try folder.file("firebase.json", json)
        if let rc { _ = try folder.file(".firebaserc", rc) }
        return try FirebaseProject(try FirebaseFile(path), option: option, variable: variable, environment: ["HOME": folder.path])
    }

    private func databases(_ json: String, rc: String? = nil, only: String? = nil, database: String? = nil) throws -> [String] {
        let project = try project(json, rc: rc)
        let selection = try #require(DeployPlan.Selection(only ?? "firestore"))
        let plan = try DeployPlan(FirebaseFile(folder.file("firebase.json")), project, selection, database: database)
        return plan.indexes.map(\.database)
    }

    @Test func `the only alias of firebaserc is the project, and the option names an alias or an id`() throws {
        let rc = "// ours\n" + #"{"projects": {"default": "app"}}"#
        #expect(try project(rc: rc).id == "app")
        #expect(try project(rc: rc, option: "default").id == "app")
        #expect(try project(rc: rc, option: "other").id == "other")
        #expect(try project(#"{"firestore": {"indexes": "a.json"}}"#, rc: "{}").id == nil)
        #expect(try project(#"{"firebase": "old", "firestore": {"indexes": "a.json"}}"#, rc: "{}").id == "old")
    }

    @Test func `several aliases need a choice`() throws {
        let rc = #"{"projects": {"default": "app", "staging": "app-staging"}}"#
        let error = #expect(throws: FirestoreError.self) { try project(rc: rc) }
        #expect(error?.message == "no project is chosen; name one with --project: default (app), staging (app-staging)")
        #expect(try project(rc: rc, option: "staging").id == "app-staging")
        #expect(try project(rc: rc, variable: "app").id == "app")
    }

    @Test func `what firebase use has chosen counts`() throws {
        let settings = JSON.object([("activeProjects", .object([(folder.url.standardizedFileURL.path, .string("staging"))]))])
        _ = try folder.write(settings.bytes(), to: ".config/configstore/firebase-tools.json")
        let rc = #"{"projects": {"default": "app", "staging": "app-staging"}}"#
        #expect(try project(rc: rc).id == "app-staging")
        #expect(try project(rc: rc, option: "default").id == "app")
    }

    @Test func `an environment that contradicts the files is refused`() throws {
        let rc = #"{"projects": {"default": "app"}}"#
        #expect(throws: FirestoreError.self) { try project(rc: rc, variable: "other") }
        #expect(try project(rc: rc, option: "default", variable: "other").id == "app")
        #expect(try project(rc: rc, variable: "app").id == "app")
    }

    @Test func `databases come from the object, the list, and the targets`() throws {
        #expect(try databases(#"{"firestore": {"indexes": "a.json"}}"#) == ["(default)"])
        #expect(try databases(#"{"firestore": {"database": "x", "indexes": "a.json"}}"#) == ["x"])
        _ = try folder.file("store.json", #"{"firestore": {"database": "y", "indexes": "a.json"}}"#)
        #expect(try databases(#"{"firestore": "store.json"}"#) == ["y"])
        let rc = #"{"projects": {"default": "app"}, "targets": {"app": {"firestore": {"shops": ["s1", "s2"]}}}}"#
        let list = #"{"firestore": [{"target": "shops", "indexes": "a.json"}, {"database": "x", "indexes": "b.json"}]}"#
        #expect(try databases(list, rc: rc) == ["s1", "s2", "x"])
        #expect(try databases(list, rc: rc, only: "firestore:shops") == ["s1", "s2"])
        #expect(try databases(list, rc: rc, database: "s2") == ["s2"])
    }

    @Test(arguments: [
        #"{"firestore": []}"#, #"{"firestore": [{"indexes": "a.json"}]}"#, #"{"firestore": {}}"#, #"{}"#,
        #"{"firestore": [{"target": "shops", "indexes": "a.json"}]}"#, #"{"firestore": {"indexes": "missing.json"}}"#,
        #"{"firestore": [{"database": "x", "indexes": "a.json"}, {"database": "x", "indexes": "b.json"}]}"#,
        #"{"firestore": "missing.json"}"#, #"{"firestore": {"indexes": ["a.json"]}}"#,
    ])
    func `a file that leaves open what goes where is refused`(json: String) {
        #expect(throws: FirestoreError.self) { try databases(json) }
    }

    @Test func `a database or a target that the file does not have is refused`() {
        let json = #"{"firestore": {"indexes": "a.json"}}"#
        #expect(throws: FirestoreError.self) { try databases(json, database: "x") }
        #expect(throws: FirestoreError.self) { try databases(#"{"firestore": [{"database": "x", "indexes": "a.json"}]}"#, only: "firestore:y") }
    }

    @Test func `hooks and members that are not known are named`() throws {
        let file = try FirebaseFile(
            folder.file("f.json", #"{"firestore": {"predeploy": "make", "edition": "enterprise", "rule": "x", "indexes": "a.json"}}"#))
        #expect(file.notes.count == 3 && file.notes.allSatisfy { $0.contains("f.json:1:") })
    }

    @Test(arguments: ["", "hosting", "firestore:", "firestore:a:b", "rules,", "functions:f"])
    func `only takes words about Firestore`(text: String) {
        #expect(DeployPlan.Selection(text) == nil)
    }
}
