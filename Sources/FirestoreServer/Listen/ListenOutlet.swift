// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import FirestoreWire

/// The way back to whoever listens.
protocol ListenOutlet: AnyObject, Sendable {
    /// False while what was sent has not gone out: then nothing more is made.
    var isWritable: Bool { get }
    func send(_ responses: [ListenResponse])
    func finish(_ status: RPCStatus?)
    /// Takes requests, or lets them wait with whoever sends them.
    func setReading(_ isOn: Bool)
}
