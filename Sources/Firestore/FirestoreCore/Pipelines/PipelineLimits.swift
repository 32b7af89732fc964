// SPDX-License-Identifier: Apache-2.0

/// The limits of one execution of a pipeline.
package struct PipelineLimits: Sendable, Hashable {
    /// The memory for rows and values that the execution holds, in bytes.
    package var memory: Int

    /// The size of a page of rows, in bytes.
    package var page: Int

    package init(memory: Int = 128 << 20, page: Int = 1 << 20) { (self.memory, self.page) = (memory, page) }

    /// The depth of an expression, its functions and literals together. A text or a message that nests deeper is refused while it is read.
    package static let expressionDepth = 100
    /// How deep pipelines nest in pipelines.
    package static let pipelineDepth = 20
    /// The depth of a value that an expression constructs.
    package static let valueDepth = 64
}
