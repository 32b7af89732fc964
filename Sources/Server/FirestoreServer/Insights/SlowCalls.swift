// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase
package import Logging

/// Measures the calls of clients: logs slow ones, counts all of them by their shapes, and finds the documents that are written most.
///
/// A server without it has none of the costs. The console's own calls do not come here.
package final class SlowCalls: DatabaseFront {
    private struct State {
        var shapes: ShapeTable
        var documents = HotDocuments()
        /// Queries that are being explained.
        var explaining = 0
    }

    /// More are not explained at a time: a server that is slow because it has much to do must not get more.
    private static let mostExplained = 4

    package let threshold: Duration
    private let clock: any WallClock
    private let now: @Sendable () -> ContinuousClock.Instant
    private let log: SlowCallLog
    private let state: Mutex<State>

    /// - Parameters:
    ///   - threshold: From this duration on a call is slow.
    ///   - mostShapes: The number of shapes that are remembered.
    package init(
        threshold: Duration, mostShapes: Int = 500, clock: any WallClock = SystemClock(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, log: Logger
    ) {
        self.threshold = threshold
        self.clock = clock
        self.now = now
        self.log = SlowCallLog(log)
        state = Mutex(State(shapes: ShapeTable(most: mostShapes)))
    }

    package func service(inFrontOf service: any JudgedService, of database: DatabaseID) -> any JudgedService {
        func measured(_ inner: some JudgedService) -> any JudgedService {
            MeasuredService(inner, explainer: inner.unjudged, database: database, calls: self)
        }
        return measured(service)
    }

    // MARK: Measuring

    /// A call that has begun.
    struct Begun: Sendable {
        let context: RequestContext
        let meter: CallMeter
        let start: ContinuousClock.Instant
    }

    func begin(_ context: RequestContext) -> Begun {
        let meter = CallMeter()
        var context = context
        context.meter = meter
        return Begun(context: context, meter: meter, start: now())
    }

    /// A call has ended.
    ///
    /// - Parameter explanation: How a query is answered, for which nothing is read.
    func end(
        _ begun: Begun, _ shape: CallShape, in database: DatabaseID, _ code: FirestoreError.Code,
        explanation: (@Sendable () async throws(FirestoreError) -> QueryExplanation)? = nil
    ) {
        let call = MeasuredCall(
            database: database, shape: shape, duration: now() - begun.start, costs: begun.meter.figures, trace: begun.context.trace,
            code: code)
        let isSlow = call.duration >= threshold
        let time = clock.now()
        let (explains, known) = state.withLock { state in
            state.shapes.add(call, isSlow: isSlow, at: time)
            let explains = isSlow && explanation != nil && state.explaining < Self.mostExplained
            if explains { state.explaining += 1 }
            return (explains, isSlow ? state.shapes.plan(of: call) : nil)
        }
        guard isSlow else { return }
        guard explains, let explanation else { return log.note(call, plan: known) }
        Task {
            let plan = (try? await explanation()).map { QueryPlanNote($0) }
            state.withLock { state in
                state.explaining -= 1
                if let plan { state.shapes.note(plan, of: call) }
            }
            log.note(call, plan: plan)
        }
    }

    func wrote(_ writes: [Write], to database: DatabaseID) {
        let name = DatabaseName(database)
        state.withLock { $0.documents.add(writes, to: name) }
    }

    func conflict(at path: String, in database: DatabaseID) {
        let name = DatabaseName(database)
        state.withLock { $0.documents.addConflict(at: path, in: name) }
    }

    // MARK: What was found

    /// Everything, as the console's API shows it: shapes with the greatest part of the time first.
    package var json: JSON {
        let (rows, documents) = state.withLock { ($0.shapes.rows, $0.documents) }
        let sorted = rows.sorted { ($0.value.total, $1.key.shape.text) > ($1.value.total, $0.key.shape.text) }
        return .object([
            ("threshold", .number(seconds: threshold)), ("shapes", .array(sorted.map { Self.json($0.key, $0.value) })),
            ("written", .array(documents.written.first(HotDocuments.shown).map { Self.json($0.element, $0.count, $0.error) })),
            ("contended", .array(documents.contended.first(HotDocuments.shown).map { Self.json($0.element, $0.count, $0.error) })),
        ])
    }

    /// Begins anew: what was found before is forgotten.
    package func forget() {
        state.withLock { state in
            state.shapes = ShapeTable(most: state.shapes.most)
            state.documents = HotDocuments()
        }
    }

    /// Returns when the slow calls that have ended before are logged.
    package func finishLog() async { await log.finish() }

    private static func json(_ key: ShapeTable.Key, _ row: ShapeTable.Row) -> JSON {
        var members: [(name: String, value: JSON)] = [
            ("database", .string(key.database.database.resourceName)), ("method", .string(key.shape.method)),
            ("shape", .string(key.shape.text)), ("count", .number(row.count)), ("slow", .number(row.slow)),
            ("total", .number(seconds: row.total)), ("longest", .number(seconds: row.longest)),
        ]
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            if let duration = row.durations.quantile(part) { members.append((name, .number(seconds: min(duration, row.longest)))) }
        }
        members += [("read", .number(row.read)), ("returned", .number(row.returned))]
        if let time = row.lastSlow { members.append(("lastSlow", .string(DocumentVersion(microseconds: time).timestamp.text))) }
        if let plan = row.plan {
            members.append(("plan", .string(plan.sentence)))
            if let index = plan.missing { members.append(("index", IndexConfigurationEntry.whole(index))) }
        }
        return .object(members)
    }

    private static func json(_ name: HotDocuments.Name, _ count: Int, _ error: Int) -> JSON {
        .object([
            ("database", .string(name.database.database.resourceName)), ("path", .string(name.path)), ("count", .number(count)),
            ("error", .number(error)),
        ])
    }
}
