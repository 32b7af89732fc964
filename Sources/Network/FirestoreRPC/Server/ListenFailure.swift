// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Explains to the operator why a server cannot listen.
enum ListenFailure {
    static func status(_ error: any Error, at address: RPCAddress) -> RPCStatus {
        if error is SocketAddressError || error is SocketAddressError.UnknownHost {
            return RPCStatus(
                .invalidArgument,
                "\"\(address.host)\" is not a known host; listen on an address of this machine, such as 127.0.0.1, "
                    + "or * for all of them")
        }
        guard let code = (error as? IOError)?.errnoCode else {
            return RPCStatus(.unavailable, "listening on \(address) failed: \(error)")
        }
        switch code {
        case EADDRINUSE:
            return RPCStatus(.alreadyExists, "\(address) is in use (EADDRINUSE): stop what listens there, or choose another port")
        case EACCES:
            return RPCStatus(.permissionDenied, "listening on \(address) is not permitted (EACCES): ports below 1024 need privileges")
        case EADDRNOTAVAIL:
            return RPCStatus(
                .invalidArgument,
                "\(address) is not an address of this machine (EADDRNOTAVAIL); listen on one of its own, such as 127.0.0.1, "
                    + "or on * for all of them")
        case EAFNOSUPPORT:
            return RPCStatus(
                .invalidArgument, "this machine does not offer the kind of address that \(address) is (EAFNOSUPPORT); choose another one")
        case EMFILE, ENFILE:
            return RPCStatus(
                .resourceExhausted, "listening on \(address) needs a file descriptor, and none is left; raise the limit (ulimit -n)")
        default:
            return RPCStatus(.unavailable, "listening on \(address) failed: \(String(cString: strerror(code))) (error \(code))")
        }
    }
}
