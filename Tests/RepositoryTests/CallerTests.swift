// SPDX-License-Identifier: Apache-2.0
import Testing

/// No request reaches a database without a caller: every method of a database takes the context of a request, and the server makes
/// contexts in one place, from what it has found out about the caller.
struct CallerTests {
    private static let maker = "Sources/Server/FirestoreServer/Calls/CallIdentification.swift"
    private static let folders = ["FirestoreServer/", "FirestoreGateway/", "FirestoreConsole/"].map { "Sources/Server/\($0)" }

    @Test(arguments: ["RequestContext(", ".embedded", "RequestContext.init"])
    func `the server makes contexts only where callers are identified`(text: String) throws {
        for file in Repository.swiftFiles where Self.folders.contains(where: file.path.hasPrefix) && file.path != Self.maker {
            #expect(try !file.text.contains(text), "\(file) makes a context of its own")
        }
    }

    @Test func `the server reads the header of callers only where they are identified`() throws {
        for file in Repository.swiftFiles where Self.folders.contains(where: file.path.hasPrefix) {
            guard !["UnprovedAuthentication", "ConsoleAuthentication"].contains(where: { file.path.hasSuffix("/\($0).swift") }) else { continue }
            #expect(try !file.text.contains("\"authorization\""), "\(file) looks at tokens by itself")
        }
    }
}
