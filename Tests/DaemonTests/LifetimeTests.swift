import Glibc
import GraphEngine
import Testing

@testable import Daemon

@Suite struct `A daemon that is released` {
  @Test func `leaves nothing behind, whatever was under way`() throws {
    var program: pid_t?
    weak var hub: Hub?
    weak var runtime: GraphRuntime?
    do {
      let daemon = try HostKind.inProcess.start(
        """
          g:
            signals:
              pid: {exec: [sh, -c, 'echo $$; exec sleep 1000'], hold: true}
              a: {input: {}, backpressure: true}
              slow: {input: {}}
              clock: {interval: 10ms, pipe: [{debounce: 1s}]}
              lazy: {from: a, lazy: true}
              cold: {from: a, pipe: [{delay: 1s}], cold: true}
              file: {file: /tmp/none}
              tail: {tail: /tmp/none}
              program: {exec: [yes]}
              sums: {from: a, pipe: [{group_by: {key: ., max_keys: 10, pipe: [count]}}]}
              chosen: {switch: {on: a, cases: {x: clock, y: lazy}, unmatched: ignore}}
            actions: {act: {exec: [cat]}}
        """, server: "{limits: {client: {sends: 1}}}")
      let loop = try #require(daemon.host as? LoopHost)
      hub = loop.daemon.hub
      runtime = loop.daemon.hub.runtime
      let (listens, sends, calls) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
      _ = try listens.ask("subscribe g.*")
      while program == nil {
        let line = try listens.line()
        if line.contains("g.pid"), let number = line.number(behind: #""value":""#) { program = pid_t(number) }
      }
      _ = try listens.ask("subscribe g.cold")
      try sends.say("send g.a 1", "send g.a 2", "send g.a 3")
      try calls.say(#"{"op":"call","id":1,"action":"g.act"}"#)
      _ = try listens.ask("ping")
      #expect(hub != nil && runtime != nil)
    }
    #expect(hub == nil && runtime == nil)
    #expect(kill(try #require(program), 0) == -1 && errno == ESRCH)
  }
}
