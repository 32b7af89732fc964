// SPDX-License-Identifier: Apache-2.0
import FirestoreConsole
import FirestoreCore
import FirestoreRPC
import Foundation
import Logging

/// The console of a running server: the file that `hearth console` reads, and the messages about it.
struct ConsoleAddressFile: Sendable {
    let address: ConsoleAddress
    /// Where the address stands; nil if it could not be written.
    private let file: String?

    /// Writes the address down.
    init(_ token: ConsoleToken, at address: RPCAddress, _ plan: ServerPlan, _ log: Logger) {
        let reachable = address.reachable
        let scheme = plan.usesTLS ? "https" : "http"
        self.address = ConsoleAddress(page: "\(scheme)://\(reachable)/console/", token: token.text)
        var file: String?
        do throws(FirestoreError) {
            let path =
                if let data = plan.data {
                    ConsoleAddress.path(inData: data)
                } else {
                    ConsoleAddress.path(inRuntime: try ConsoleAddress.runtimeDirectory(plan.environment), port: address.port)
                }
            try self.address.write(to: path)
            file = path
        } catch {
            // The server itself does not need the file.
            log.warning("`hearth console` will not find this server", metadata: ["reason": "\(CommandMessage.text(of: error))"])
        }
        self.file = file
        log.info("the console is shown", metadata: ["page": "\(self.address.page)", "file": file.map { "\($0)" } ?? "-"])
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Removes the file, if it is still this server's.
    func remove() {
        guard let file, ConsoleAddress(reading: file) == address else { return }
        unlink(file)
    }
}
