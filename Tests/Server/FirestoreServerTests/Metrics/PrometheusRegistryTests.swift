// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Testing

@testable import FirestoreServer

struct PrometheusRegistryTests {
    @Test func `counters, levels and durations as text`() {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "things_total", dimensions: [("kind", "a \"b\"\\\n")], factory: registry)
        counter.increment(by: 2)
        Counter(label: "things_total", dimensions: [("kind", "a \"b\"\\\n")], factory: registry).increment()
        Meter(label: "level", factory: registry).set(1.5)
        let timer = Timer(label: "wait.seconds", factory: registry)
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(90_000_000_000)
        let lines = registry.text.split(separator: "\n").map(String.init)
        for expected in [
            "# TYPE things_total counter", #"things_total{kind="a \"b\"\\\n"} 3"#, "# TYPE level gauge", "level 1.5",
            "# TYPE wait_seconds histogram", #"wait_seconds_bucket{le="0.001"} 0"#, #"wait_seconds_bucket{le="0.0025"} 1"#,
            #"wait_seconds_bucket{le="60"} 1"#, #"wait_seconds_bucket{le="+Inf"} 2"#, "wait_seconds_sum 90.002", "wait_seconds_count 2",
        ] {
            #expect(lines.contains(expected), "\(expected)")
        }
    }

    @Test func `a destroyed metric is gone`() {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "things_total", factory: registry)
        counter.increment()
        counter.destroy()
        #expect(!registry.text.contains("things_total 1"))
    }

    @Test func `calls count by method and code, unknown methods under one name`() {
        let registry = PrometheusRegistry()
        let metrics = ServerMetrics(factory: registry)
        metrics.connectionOpened()
        for (path, code) in [
            (FirestoreMethod.commit.path, FirestoreError.Code.ok), (FirestoreMethod.commit.path, .aborted), ("/nobody/Knows", .unimplemented),
        ] {
            metrics.restCallStarted(path)
            metrics.restCallEnded(path, CallFigures(code: code, duration: .milliseconds(3), received: 10, sent: 5))
        }
        metrics.callStarted(FirestoreMethod.listen.path)
        metrics.requestRefused(.permissionDenied, isGRPC: true)
        metrics.requestRefused(.permissionDenied, isGRPC: false)
        metrics.connectionRefused()
        let text = registry.text
        for expected in [
            #"hearth_calls_total{method="Commit",transport="rest",code="OK"} 1"#,
            #"hearth_calls_total{method="Commit",transport="rest",code="ABORTED"} 1"#,
            #"hearth_calls_total{method="other",transport="rest",code="UNIMPLEMENTED"} 1"#,
            #"hearth_calls_open{method="Listen"} 1"#, #"hearth_calls_open{method="Commit"} 0"#,
            #"hearth_received_bytes_total{method="Commit"} 20"#, #"hearth_call_duration_seconds_count{method="Commit"} 2"#,
            "hearth_connections 1", "hearth_connections_refused_total 1",
            #"hearth_requests_refused_total{transport="grpc",code="PERMISSION_DENIED"} 1"#,
            #"hearth_requests_refused_total{transport="rest",code="PERMISSION_DENIED"} 1"#,
        ] {
            #expect(text.contains(expected + "\n"), "\(expected)")
        }
        #expect(!text.contains("Knows"))
    }
}
