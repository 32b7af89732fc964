// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

extension HPACKHeaders {
    /// The head of an HTTP response. Fields that are specific to HTTP/1.1 are omitted.
    init(status: Int, _ metadata: RPCMetadata) {
        self.init()
        add(name: ":status", value: String(status))
        for (name, value) in metadata.entries {
            switch name {
            case "connection", "transfer-encoding", "keep-alive", "upgrade", "proxy-connection": continue
            default: add(name: name, value: value)
            }
        }
    }
}
