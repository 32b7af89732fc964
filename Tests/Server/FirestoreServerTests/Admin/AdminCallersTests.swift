// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Who may call the admin API.
struct AdminCallersTests {
    private func outcome(_ server: ServerFixture, _ method: AdminMethod, _ name: String, token: String?) async throws -> String {
        let request = try AdminMessage.getDatabaseRequest.bytes(.object([("name", .string(name)), ("parent", .string(name))]))
        let metadata = RPCMetadata(token.map { [("authorization", "Bearer \($0)")] } ?? [])
        let call = FakeUnaryCall(ByteSlice(request), info: RPCCallInfo(path: method.path, metadata: metadata))
        guard case .unary(let handle)? = server.admin.method(at: method.path) else { return "no method" }
        handle([call])
        do { return "ok \(try await call.result().get().count > 0)" } catch { return "\(error.code) \(error.message)" }
    }

    // OT-28
    @Test func `users and callers without credentials learn nothing from any method`() async throws {
        let authentication = FakeAuthentication()
        authentication.add("user", .user(id: "ada", claims: FieldMap([])))
        authentication.add("admin", .administrator)
        let server = ServerFixture(authentication: authentication, isDevelopment: false)
        _ = try await server.open()
        for method in AdminMethod.allCases {
            var seen: Set<String> = []
            for name in ["projects/library/databases/(default)", "projects/library/databases/missing", "nonsense"] {
                for token in ["user", nil] as [String?] { seen.insert(try await outcome(server, method, name, token: token)) }
            }
            #expect(seen.count == 1 && seen.first?.hasPrefix("permissionDenied") == true, "\(method): \(seen)")
        }
        let wrong = try await outcome(server, .getDatabase, "projects/library/databases/(default)", token: "stolen")
        #expect(wrong.hasPrefix("unauthenticated"))
        #expect(try await outcome(server, .getDatabase, "projects/library/databases/(default)", token: "admin") == "ok true")
    }

    @Test func `in development mode the administrator is named, too`() async throws {
        let server = ServerFixture()
        _ = try await server.open()
        let name = "projects/library/databases/(default)"
        #expect(try await outcome(server, .getDatabase, name, token: nil).hasPrefix("permissionDenied"))
        #expect(try await outcome(server, .getDatabase, name, token: "owner") == "ok true")
    }

    @Test func `credentials of MongoDB are unimplemented`() async throws {
        let server = ServerFixture()
        for method in [AdminMethod.createUserCreds, .listUserCreds, .deleteUserCreds] {
            #expect(try await outcome(server, method, "projects/p/databases/d", token: "owner").hasPrefix("unimplemented"), "\(method)")
        }
    }
}
