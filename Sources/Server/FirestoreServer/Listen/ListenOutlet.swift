// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import FirestoreWire

/// The output side of a Listen stream.
protocol ListenOutlet: AnyObject, Sendable {
    /// False while sent data is not yet written: then no further frames are made.
    var isWritable: Bool { get }
    func send(_ responses: [ListenResponse])
    func finish(_ status: RPCStatus?)
    /// Resumes or pauses the delivery of requests.
    func setReading(_ isOn: Bool)
}
