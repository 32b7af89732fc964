// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOSSL

/// The certificates that requests trust. Read for the first request, which takes milliseconds: the system has more than a hundred.
package final class HTTPTrust: Sendable {
    private let file: String?
    private let known = Mutex<NIOSSLContext?>(nil)

    /// - Parameter file: A PEM file; nil for the certificates of the system.
    package init(file: String? = nil) { self.file = file }

    /// Blocks the first time.
    func context() throws -> NIOSSLContext {
        if let context = known.withLock({ $0 }) { return context }
        var settings = TLSConfiguration.makeClientConfiguration()
        if let file { settings.trustRoots = .file(file) }
        let context = try NIOSSLContext(configuration: settings)
        known.withLock { $0 = context }
        return context
    }
}
