// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore
import FirestoreEvents
import FirestoreRPC
import FirestoreStorage
import Logging

/// A trigger of an open database, while it is delivered.
struct TriggerDelivery: Sendable {
    let webhook: WebhookTrigger
    let runner: TriggerRunner
    private let metrics: EventMetrics?
    private let record: TriggerRecord

    init(
        _ webhook: WebhookTrigger, of database: any LoggedDatabase, shelf: DeadLetterStore, over connections: HTTPConnectionPool,
        settings: RunnerSettings, metrics factory: (any MetricsFactory)?, log: Logger
    ) {
        let metrics = factory.map { EventMetrics(webhook, factory: $0) }
        let journal = EventJournal(webhook, log: log)
        let record = TriggerRecord()
        self.webhook = webhook
        self.metrics = metrics
        self.record = record
        var trigger = webhook.trigger
        trigger.definition = webhook.source
        runner = TriggerRunner(
            trigger, of: database, to: Webhook(webhook, over: connections, clock: settings.clock), shelf: shelf, settings: settings
        ) { report in
            metrics?.note(report)
            record.note(report)
            journal.note(report)
        }
    }

    var status: TriggerStatus {
        get async {
            var status = TriggerStatus(webhook)
            status.failure = record.failure
            status.state = await runner.isOff ? .off : status.failure == nil ? .on : .failing
            status.pending = await runner.pending
            status.lag = await runner.lag
            status.delivered = record.delivered
            return status
        }
    }

    func refresh() async {
        metrics?.refresh(pending: await runner.pending, lag: await runner.lag, isOff: await runner.isOff)
    }
}
