// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreWire

/// Paths of the admin API.
struct AdminRouterTests {
    private static let database = "/v1/projects/p/databases/(default)"

    @Test(arguments: [
        ("POST", "/v1/projects/p/databases", AdminMethod.createDatabase, #"{"parent":"projects/p"}"#),
        ("GET", database, .getDatabase, #"{"name":"projects/p/databases/(default)"}"#),
        ("HEAD", "/v1/projects/p/databases/%28default%29", .getDatabase, #"{"name":"projects/p/databases/(default)"}"#),
        ("PATCH", database, .updateDatabase, #"{"database":{"name":"projects/p/databases/(default)"}}"#),
        ("DELETE", database, .deleteDatabase, #"{"name":"projects/p/databases/(default)"}"#),
        ("POST", "/v1/projects/p/databases:restore", .restoreDatabase, #"{"parent":"projects/p"}"#),
        ("POST", database + ":exportDocuments", .exportDocuments, #"{"name":"projects/p/databases/(default)"}"#),
        ("POST", database + ":undelete", .undeleteDatabase, #"{"name":"projects/p/databases/(default)"}"#),
        ("GET", database + "/collectionGroups/-/indexes", .listIndexes, #"{"parent":"projects/p/databases/(default)/collectionGroups/-"}"#),
        ("GET", database + "/collectionGroups/c/fields/%60a%2Fb%60", .getField, #"{"name":"projects/p/databases/(default)/collectionGroups/c/fields/`a/b`"}"#),
        ("PATCH", database + "/collectionGroups/c/fields/*", .updateField, #"{"field":{"name":"projects/p/databases/(default)/collectionGroups/c/fields/*"}}"#),
        ("POST", database + "/operations/o:cancel", .cancelOperation, #"{"name":"projects/p/databases/(default)/operations/o"}"#),
        ("GET", "/v1/projects/p/locations", .listLocations, #"{"name":"projects/p"}"#),
        ("GET", "/v1/projects/p/locations/local", .getLocation, #"{"name":"projects/p/locations/local"}"#),
        ("GET", "/v1/projects/p/locations/-/backups", .listBackups, #"{"parent":"projects/p/locations/-"}"#),
    ])
    func `a verb and a path are a method`(verb: String, path: String, method: AdminMethod, request: String) throws {
        let call = try #require(try AdminRouter.match(verb: verb, path: path))
        #expect(call.method == method)
        #expect(try call.request(body: .empty).text() == request)
    }

    @Test(arguments: ["/v1/projects/p", "/v1/projects/p/databases/d/documents", "/v1/projects/p/databases/d/documents/a/b", "/v2/projects/p/databases", "/v1/projects//databases", "/v1/projects/p/databases/d:nothing"])
    func `other paths are none of its`(path: String) throws {
        for verb in ["POST", "PATCH"] { #expect((try? AdminRouter.match(verb: verb, path: path)) == nil, "\(verb) \(path)") }
    }

    @Test func `an encoded slash makes no other resource`() {
        #expect(throws: FirestoreError.self) { try AdminRouter.match(verb: "GET", path: "/v1/projects/p/databases/d%2Fe") }
        #expect(throws: FirestoreError.self) { try AdminRouter.match(verb: "GET", path: "/v1/projects/p/databases/%FF") }
    }

    @Test func `every method has a path of its own`() throws {
        let paths = AdminMethod.allCases.map(\.path)
        #expect(Set(paths).count == paths.count)
        for (method, route) in AdminMethod.routes { #expect(["GET", "POST", "PATCH", "DELETE"].contains(route.verb), "\(method)") }
    }

    @Test func `the URL sets what the body does not`() throws {
        let call = try #require(
            try AdminRouter.match(
                verb: "PATCH", path: Self.database,
                query: [("updateMask", "delete_protection_state,name"), ("alt", "json"), ("$alt", "json;enum-encoding=int"), ("prettyPrint", "false")]))
        let request = try call.request(body: ByteSlice(Array(#"{"deleteProtectionState":2}"#.utf8)))
        #expect(request.text() == #"{"database":{"deleteProtectionState":"DELETE_PROTECTION_ENABLED","name":"projects/p/databases/(default)"},"updateMask":"deleteProtectionState,name"}"#)
        #expect(call.text(.object([("a", .boolean(true))])) == Array(#"{"a":true}"#.utf8))
        for query in [("pageSize", "many"), ("nothing", "1"), ("updateMask.paths", "a")] {
            let list = try #require(try AdminRouter.match(verb: "GET", path: Self.database + "/collectionGroups/-/fields", query: [query]))
            #expect(throws: FirestoreError.self) { try list.request(body: .empty) }
        }
    }
}
