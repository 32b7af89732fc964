// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

package struct ExecutePipelineRequest: Sendable {
    package var database: DatabaseID
    /// Its options are without those that the other members represent.
    package var pipeline: PipelineRequest
    package var consistency: ConsistencySelector
    /// Whether the transaction is committed when the pipeline has run.
    package var commitsTransaction: Bool
    package var explain: ExplainOptions?
    /// The form of the text that explains it.
    package var explanationForm: ExplanationForm

    /// The forms in which an explanation can be asked for.
    package enum ExplanationForm: String, Sendable {
        /// For people.
        case text
        /// For programs.
        case json
    }

    package init(
        database: DatabaseID, pipeline: PipelineRequest, consistency: ConsistencySelector = .latest, commitsTransaction: Bool = false,
        explain: ExplainOptions? = nil, explanationForm: ExplanationForm = .text
    ) {
        self.database = database
        self.pipeline = pipeline
        self.consistency = consistency
        self.commitsTransaction = commitsTransaction
        self.explain = explain
        self.explanationForm = explanationForm
    }
}

package struct ExecutePipelineResponse: Sendable {
    /// Only in the first response, and only if the request began a transaction.
    package var transaction: ByteSlice?
    package var rows: [PipelineRow]
    package var executionTime: DocumentVersion?
    package var explanation: PipelineExplanation?

    package init(
        transaction: ByteSlice? = nil, rows: [PipelineRow] = [], executionTime: DocumentVersion? = nil,
        explanation: PipelineExplanation? = nil
    ) {
        self.transaction = transaction
        self.rows = rows
        self.executionTime = executionTime
        self.explanation = explanation
    }
}
