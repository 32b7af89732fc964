// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What takes the rows of a stage: the next stage, or the end of a pipeline. Used by one thread.
protocol RowReceiver: AnyObject {
    /// Takes a row, which is valid during the call. `.stop`: no further row is wanted.
    func take(_ row: Row) throws(FirestoreError) -> ScanStep

    /// There are no more rows, or no more are wanted: passes what it holds. Called once, before `end` of the stages behind it: ends that
    /// called one another would take the stack of all of them.
    func end() throws(FirestoreError)
}

/// The end of a pipeline.
final class RowEnd: RowReceiver {
    private let body: (Row) throws(FirestoreError) -> ScanStep

    init(_ body: @escaping (Row) throws(FirestoreError) -> ScanStep) { self.body = body }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep { try body(row) }

    func end() {}
}

/// Says in failures which stage has failed. Those of the stages behind it say so already.
final class FailurePlace: RowReceiver {
    private let place: String
    private let stage: any RowReceiver

    init(_ place: String, _ stage: any RowReceiver) { (self.place, self.stage) = (place, stage) }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        do throws(FirestoreError) { return try stage.take(row) } catch { throw error.failed(at: place) }
    }

    func end() throws(FirestoreError) {
        do throws(FirestoreError) { try stage.end() } catch { throw error.failed(at: place) }
    }
}

extension FirestoreError {
    /// What ends a request because of its rows names the stage; what ends it for another reason would name any.
    func failed(at place: String) -> FirestoreError { code == .invalidArgument ? placed(place) : self }
}
