// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes all bytes to a descriptor. Returns nil, or the system's error number.
func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var start = 0
    while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            start += count
        } else if errno == EAGAIN {
            // The terminal is in non-blocking mode: wait for capacity.
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&room, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return nil
}
