// SPDX-License-Identifier: Apache-2.0
package import CoreMetrics
import FirestoreCore
import HearthBase

/// Stores metrics and writes them as text for Prometheus: the backend of swift-metrics for this server.
package final class PrometheusRegistry: MetricsFactory {
    /// One metric with one set of labels.
    private struct Series {
        let labels: String
        let value: any PrometheusValue
    }

    private struct Family {
        let type: String
        /// In the order in which they were created.
        var series: [Series] = []
    }

    /// By name. Names and labels are Hearth's, in ASCII.
    private let families = Mutex<[String: Family]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        value(label, dimensions, "counter") { PrometheusCounter() }
    }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        value(label, dimensions, "counter") { PrometheusGauge() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        value(label, dimensions, "gauge") { PrometheusGauge() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return value(label, dimensions, "histogram") { PrometheusHistogram(bounds: Distribution.sizes) } }
        return value(label, dimensions, "gauge") { PrometheusGauge() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        value(label, dimensions, "histogram") { PrometheusHistogram(bounds: Distribution.seconds) }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// All metrics, in the text format 0.0.4.
    package var text: String {
        let families = families.withLock { $0 }
        var text = PrometheusText()
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text.begin(name, family.type)
            for series in family.series { series.value.write(name, series.labels, to: &text) }
        }
        return text.text
    }

    /// The metric with this name and these labels, created if it does not exist.
    private func value<Value: PrometheusValue>(
        _ label: String, _ dimensions: [(String, String)], _ type: String, make: () -> Value
    ) -> Value {
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        return families.withLock { families -> Value in
            var family = families[name] ?? Family(type: type)
            for series in family.series where series.labels == labels {
                if let value = series.value as? Value { return value }
            }
            let value = make()
            family.series.append(Series(labels: labels, value: value))
            families[name] = family
            return value
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                let rest = family.series.filter { $0.value !== handler }
                if rest.count < family.series.count { families[name]?.series = rest }
            }
        }
    }
}
