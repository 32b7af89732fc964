// SPDX-License-Identifier: Apache-2.0

/// Applies the server's policy to the requests of one connection.
struct ConnectionDoor {
    /// nil without a socket: requests from the same process are not checked.
    private let doorkeeper: Doorkeeper?
    /// The last accepted authority. Nearly every call of a connection has the same.
    private var knownAuthority: String?

    init(_ doorkeeper: Doorkeeper?) { self.doorkeeper = doorkeeper }

    /// The origin of the page that sends the request, if it is from a page and allowed.
    mutating func admit(_ head: RequestHead) -> Result<String?, HTTPRefusal> {
        guard let doorkeeper else { return .success(head.origins.first) }
        let isPlain = head.origins.isEmpty && head.hosts.isEmpty && !head.isForwarded
        if isPlain, let knownAuthority, knownAuthority == head.authority { return .success(nil) }
        do throws(HTTPRefusal) {
            let page = try doorkeeper.admit(head)
            // Not the authority that an open path was requested under.
            if isPlain, !doorkeeper.isOpen(head) { knownAuthority = head.authority }
            return .success(page)
        } catch {
            return .failure(error)
        }
    }
}
