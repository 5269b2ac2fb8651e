import TestSupport

/// A daemon with a graph for each case of a request, and a gateway in front of it.
final class Example {
  static let configuration = """
    signalbox: 1
    graphs:
      climate:
        signals:
          raw: {input: {endable: true, type: number}}
          smooth: {from: raw, pipe: [{map: ". * 2"}], hold: true, replay: 100000}
          level: {property: {initial: 5}}
          none: {input: {}, pipe: [{filter: ". == null"}]}
          cold: {interval: 1h, cold: true}
      jobs:
        signals:
          pushed: {input: {}, hold: true}
        actions:
          echo: {exec: [/bin/cat]}
          fail: {exec: [/bin/false]}
          sleep: {exec: [/bin/sleep, "1000"]}
    """

  let daemon: RunningDaemon
  let gateway: RunningGateway

  init(_ configuration: String = Example.configuration) throws {
    daemon = try RunningDaemon(configuration)
    gateway = try RunningGateway(daemon)
  }

  deinit {
    gateway.kill()
    daemon.stop()
  }
}
