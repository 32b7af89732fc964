// SPDX-License-Identifier: Apache-2.0

/// The limits of one execution of a pipeline.
package struct PipelineLimits: Sendable, Hashable {
    /// The memory for rows and values that the execution holds, in bytes.
    package var memory: Int

    /// The size of a page of rows, in bytes.
    package var page: Int

    /// The size of a row of the result, in bytes. A row is one message, which must fit through every transport.
    package var row: Int

    /// How long it may run, the time in which it waits for its turn or for a slow reader not counted.
    package var duration: Duration

    package init(memory: Int = 128 << 20, page: Int = 1 << 20, row: Int = 16 << 20, duration: Duration = .seconds(60)) {
        (self.memory, self.page, self.row, self.duration) = (memory, page, row, duration)
    }

    /// The depth of an expression, its functions and literals together. A text or a message that nests deeper is refused while it is read.
    package static let expressionDepth = 100
    /// How deep pipelines nest in pipelines.
    package static let pipelineDepth = 20
    /// The depth of a value that an expression constructs.
    package static let valueDepth = 64
}
