// SPDX-License-Identifier: Apache-2.0
import FirestoreSemantics

/// Where an execution has stopped between two pages. It is continued over another snapshot of the same moment.
package struct PipelinePosition: Sendable {
    /// The documents that the source has not passed yet.
    var rest: ResultPage.Rest
    /// How many rows the stages that count have yet to take.
    var counts: [Int]
}

/// What an execution makes of the result of a pipeline.
package enum PipelinePart: Sendable {
    case everything
    /// All of it, if the sources have to look at no more than a number of documents, whatever the data.
    case few(Int)
    /// The first page, and where the second one begins. Only for a pipeline that streams.
    case firstPage
    case page(PipelinePosition)

    /// Whether the execution may give up.
    package var isAttempt: Bool { if case .few = self { true } else { false } }
}

/// The page that an execution makes. Used by one thread.
final class PipelinePages {
    /// Where it begins; nil for the first page.
    let start: PipelinePosition?
    /// The size of a page, in bytes.
    let size: Int
    /// The size of the rows so far.
    var bytes = 0
    /// Where the next one begins; nil if there is none.
    private(set) var next: PipelinePosition?

    /// nil where the whole result is made.
    init?(_ part: PipelinePart, size: Int) {
        switch part {
        case .everything, .few: return nil
        case .firstPage: start = nil
        case .page(let position): start = position
        }
        self.size = size
    }

    var isFull: Bool { bytes >= size }

    func begin(_ chain: StageChain) {
        guard let start else { return }
        chain.sort?.order = .given
        for (stage, rest) in zip(chain.counting, start.counts) { stage.rest = rest }
    }

    func end(_ chain: StageChain, rest: ResultPage.Rest) {
        if case .nothing = rest { return }
        next = PipelinePosition(rest: rest, counts: chain.counting.map(\.rest))
    }
}

extension CheckedPipeline {
    /// Whether every row of its source leads to its own rows, so that the rows can be made a page at a time.
    package var isStreaming: Bool {
        guard case .scope = source, isAlone, !writes else { return false }
        var isBehindFilters = true
        for stage in stages {
            switch stage.stage {
            case .filter: continue
            // Perhaps the source has its order.
            case .sort where isBehindFilters: break
            case .shape, .offset, .limit, .sample(.fraction), .bind, .unnest, .replace: break
            case .sort, .sample(.rows), .aggregate, .union, .nearest: return false
            }
            isBehindFilters = false
        }
        return true
    }
}
