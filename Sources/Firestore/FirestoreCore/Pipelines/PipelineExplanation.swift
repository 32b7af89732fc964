// SPDX-License-Identifier: Apache-2.0

/// How a pipeline is executed: a text for people, the only form in which the protocol carries it.
package struct PipelineExplanation: Sendable, Hashable {
    /// Lines without an end of line behind the last one. Does not begin with a brace.
    package var text: String

    package init(text: String) { self.text = text }
}
