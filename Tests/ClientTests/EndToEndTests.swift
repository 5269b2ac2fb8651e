import Foundation
import Linux
import TestSupport
import Testing

/// The client with the real daemon, both as processes.
struct EndToEndTests {
  private static let configuration = """
    signalbox: 1
    graphs:
      climate:
        signals:
          raw: {input: {type: object, endable: true}}
          celsius: {from: raw, pipe: [{filter: .unit == "C"}, {map: .value}], hold: true}
          limit: {property: {initial: 25, type: number}}
    """

  @Test func `values go in and come out, and the graph follows its file`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    defer { daemon.stop() }
    let socket = daemon.socket

    #expect(try Client.run("ping", socket: socket).status == 0)
    #expect(try Client.run("get", "climate.limit", socket: socket).output == "25\n")
    #expect(try Client.run("get", "climate.celsius", socket: socket).status == 75)
    #expect(try Client.run("send", "climate.raw", #"{"unit":"C","value":1.50}"#, socket: socket).status == 0)
    #expect(try Client.run("wait", "climate.celsius", "--where", ". > 1", socket: socket).output == "1.50\n")
    #expect(
      try Client.run("get", "climate.celsius", "climate.limit", socket: socket).output
        == "climate.celsius\t1.50\nclimate.limit\t25\n")
    #expect(try Client.run("send", "climate.limit", "\"hot\"", socket: socket).status == 65)
    #expect(
      try Client.run("send", "climate.limt", "3", socket: socket).errors.contains("did you mean \"climate.limit\""))
    #expect(try Client.run("list", "climate.*", socket: socket).output.split(separator: "\n").count == 3)

    try daemon.write(Self.configuration.replacingOccurrences(of: "initial: 25", with: "initial: 30"))
    #expect(try Client.run("reload", socket: socket).output.contains("climate.limit"))
    #expect(try Client.run("get", "climate.limit", socket: socket).output == "30\n")
    try daemon.write(Self.configuration.replacingOccurrences(of: "filter", with: "filtre"))
    let refused = try Client.run("reload", socket: socket)
    #expect(refused.status == 78)
    #expect(refused.errors.contains("signalbox.yaml:6:"))
    #expect(try Client.run("send", "--event", "completed", "climate.raw", socket: socket).status == 0)
    #expect(try Client.run("send", "climate.raw", "{}", socket: socket).status == 1)
  }

  @Test func `values prints what signals hold, with its time and number`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    defer { daemon.stop() }
    let socket = daemon.socket
    #expect(try Client.run("values", "climate.c*", socket: socket).status == 75)
    #expect(try Client.run("send", "climate.raw", #"{"unit":"C","value":1.50}"#, socket: socket).status == 0)
    let lines = try Client.run("values", socket: socket).output.split(separator: "\n")
    let cells = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(cells.map { $0[0] } == ["climate.celsius", "climate.limit"])
    #expect(cells.map { $0[1] } == ["1.50", "25"])
    #expect(cells.allSatisfy { $0[2].hasSuffix("Z") && $0[3] == "1" && $0[4].isEmpty })
    #expect(try Client.run("values", "*.lim*", socket: socket).output.hasPrefix("climate.limit\t25\t"))
    #expect(try Client.run("values", "--history", "1h", "climate.limit", socket: socket).status == 0)
  }

  @Test func `stats has every count for Prometheus`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    defer { daemon.stop() }
    #expect(try Client.run("send", "climate.raw", #"{"unit":"C","value":1}"#, socket: daemon.socket).status == 0)
    let metrics = try Client.run("stats", "--prometheus", socket: daemon.socket).output
    #expect(metrics.contains("\nsignalbox_up 1\n"))
    #expect(metrics.contains("\nsignalbox_build_info{version=\""))
    let down = try Client.run("stats", "--prometheus", socket: "/nowhere/socket")
    #expect(down.status == 69 && down.output.hasSuffix("\nsignalbox_up 0\n"))
    #expect(metrics.contains("\nsignalbox_signal_values_total{signal=\"climate.raw\"} 1\n"))
    #expect(metrics.contains("\n# TYPE signalbox_signal_latency_seconds summary\n"))
    #expect(metrics.contains("\nsignalbox_signal_latency_seconds_count{signal=\"climate.raw\"} 0\n"))
    #expect(metrics.contains("# TYPE signalbox_connections gauge\nsignalbox_connections 1\n"))
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") {
      let judged = try Client.run(program: "/usr/bin/promtool", ["check", "metrics"], input: metrics)
      #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    }
  }

  @Test func `stats has the same for OpenMetrics, with limits beside what is used`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    defer { daemon.stop() }
    #expect(try Client.run("reload", socket: daemon.socket).status == 0)
    let metrics = OpenMetrics(try Client.run("stats", "--openmetrics", socket: daemon.socket).output)
    #expect(metrics.mistakes.isEmpty)
    #expect(metrics.samples["signalbox_up"] == 1 && metrics.samples["signalbox_last_reload_succeeded"] == 1)
    #expect(metrics.samples.keys.contains { $0.hasPrefix("signalbox_build_info{version=\"") })
    #expect(metrics.samples["signalbox_signal_values_total{signal=\"climate.raw\"}"] == 0)
    #expect(metrics.samples["signalbox_limit{limit=\"user.connections\"}"] == 1000)
    #expect(metrics.samples["signalbox_limit_used{limit=\"user.connections\"}"] == 1)
    let table = try Client.run("stats", socket: daemon.socket).output
    #expect(table.contains("daemon limits user.connections\t1 of 1000\n"))
    let start = try #require(metrics.samples["signalbox_start_time_seconds"])
    #expect(abs(Date().timeIntervalSince1970 - start) < 600)
    let down = try Client.run("stats", "--openmetrics", socket: "/nowhere/socket")
    #expect(down.status == 69 && OpenMetrics(down.output).samples == ["signalbox_up": 0])
    #expect(OpenMetrics(down.output).mistakes.isEmpty)
  }

  @Test func `check finds every error without a daemon`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    defer { daemon.stop() }
    let right = try Client.run("check", daemon.configuration)
    #expect(right.status == 0)
    #expect(right.output == "\(daemon.configuration): 1 graph, 3 signals, no errors\n")
    try daemon.write(Self.configuration.replacingOccurrences(of: "map", with: "mpa"))
    let wrong = try Client.run("check", daemon.configuration)
    #expect(wrong.status == 78)
    #expect(wrong.errors.hasPrefix("\(daemon.configuration):6:60: error: "))
    #expect(wrong.errors.hasSuffix("signalbox: 1 error\n"))
    let json = try Client.run("check", "--format", "json", daemon.configuration)
    #expect(json.status == 78)
    #expect(json.output.hasPrefix(#"[{"severity":"error","file":"\#(daemon.configuration)","line":6,"column":60,"#))
    #expect(try Client.run("check", "/nonexistent.yaml").status == 66)
  }

  @Test func `a rejected reload shows the source lines as check does, where they can be read`() throws {
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {type: number}, hold: true}
      """
    let daemon = try RunningDaemon(graph)
    defer { daemon.stop() }
    try daemon.write(graph.replacing("hold: true", with: "hold: yes, hlod: true"))
    let check = try Client.run("check", daemon.configuration)
    let reload = try Client.run("reload", socket: daemon.socket)
    #expect(check.status == 78 && reload.status == 78)
    let excerpts = check.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(excerpts.contains { $0.contains("^~~") }, "\(check)")
    #expect(excerpts.allSatisfy { reload.errors.contains($0 + "\n") }, "\(reload)")
    #expect(reload.errors.contains("\(daemon.configuration):5:"))
  }
}
