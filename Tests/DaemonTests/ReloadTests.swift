import Foundation
import TestSupport
import Testing

private let before = """
  kept: {signals: {in: {input: {}, hold: true, replay: 5}}}
  changing: {signals: {in: {input: {}, hold: true}}}
  leaving: {signals: {in: {input: {}}}}
  """

private let after = """
  kept: {signals: {in: {input: {}, hold: true, replay: 5, doc: new}}}
  changing: {signals: {in: {input: {type: number}, hold: true}}}
  coming: {signals: {in: {property: {initial: 7}}}}
  """

@Suite struct `Reload` {
  private static let verdict = """
    {"reply":"reload","generation":2,"kept":["kept.in"],"changed":["changing.in"],"added":["coming.in"],\
    "removed":["leaving.in"],"needs_restart":[]}
    """

  @Test(arguments: HostKind.allCases) func `the verdict names what was kept, changed, added and removed`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(before)
    let client = try daemon.connect()
    try daemon.folder.writeConfiguration(after)
    #expect(try client.ask("reload") == Self.verdict)
    #expect(try client.ask("hello").contains(#""generation":2"#))
  }

  @Test(arguments: HostKind.allCases)
  func `a place is that in the configuration that runs, or where a template is used`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start("g: {signals: {in: {input: {}}}}")
    let client = try daemon.connect()
    let describe = #"{"op":"describe","signal":"g.in","place":true}"#
    #expect(try client.ask(describe).hasSuffix(#","place":"\#(daemon.folder("signalbox.yaml")):4:17"}"#))
    // Moved, and otherwise equal; a file that is not loaded yet moves nothing.
    try daemon.folder.write(
      """
      signalbox: 1
      templates:
        pair:
          parameters: {name: }
          signals:
            ${name}_in: {input: {}}
      graphs:
        g:
          use: {pair: [{name: a}, {name: b}]}
          signals:
            in: {input: {}}
          actions:
            act: {exec: [/bin/true]}
      """, to: "signalbox.yaml")
    #expect(try client.ask(describe).hasSuffix(#":4:17"}"#))
    #expect(try client.ask("reload").contains(#""kept":["g.in"]"#))
    #expect(try client.ask(describe).hasSuffix(#"signalbox.yaml:11:7"}"#))
    let graph = try client.ask(#"{"op":"describe","graph":"g","place":true}"#)
    for (signal, place) in [("a_in", "9:18"), ("b_in", "9:29"), ("act.enabled", "13:7")] {
      let description = try #require(graph.firstRange(of: #""signal":"g.\#(signal)""#))
      let rest = graph[description.upperBound...]
      let told = try #require(rest.firstRange(of: #""place":""#))
      let text = rest[told.upperBound...].prefix { $0 != "\"" }
      #expect(text.hasSuffix("signalbox.yaml:\(place)"), "\(signal)")
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a declaration is told as it was written whatever ends the lines of its file`(lineEnd: String) throws {
    let daemon = try HostKind.inProcess.start("g: {signals: {in: {input: {}}}}")
    let client = try daemon.connect()
    let text = """
      signalbox: 1
      graphs:
        g:
          signals:
            # first

            # second
            in:
              hold: true  # kept

              input: {}
            out: {from: in}

      """
    try daemon.folder.write(text.replacing("\n", with: lineEnd), to: "signalbox.yaml")
    #expect(try client.ask("reload").contains(#""reply":"reload""#))
    #expect(
      try client.ask(#"{"op":"describe","signal":"g.in","text":true}"#)
        .contains(##""text":"# second\nin:\n  hold: true  # kept\n\n  input: {}""##))
    #expect(
      try client.ask(#"{"op":"describe","signal":"g.out","text":true}"#).contains(#""text":"out: {from: in}""#))
  }

  @Test func `a declaration is told as it was written when it was loaded, and its secrets are not`() throws {
    let before = """
      signalbox: 1
      server:
        connections: {hub: {mqtt: "mqtt://localhost:1", user: me, password: "${SECRET:-open sesame}"}}
      templates: {pair: {parameters: {name: }, signals: {"${name}_in": {input: {}}}}}
      graphs:
        g:
          use: {pair: [{name: a}]}
          signals:
            # What people send; "open sesame" opens
            in:
              hold: true  # the last one
          # less indented

              input: {}

            # of the next one
            out: {from: in}
      """
    let daemon = try HostKind.inProcess.start("g: {signals: {in: {input: {}}}}")
    let client = try daemon.connect()
    func text(_ signal: String) throws -> String? {
      let answer = try client.ask(#"{"op":"describe","signal":"\#(signal)","text":true}"#)
      let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
      return object?["text"] as? String
    }
    #expect(try text("g.in") == nil, "a flow mapping has no lines of its own")
    try daemon.folder.write(before, to: "signalbox.yaml")
    #expect(try client.ask("reload").contains(#""code""#) == false)
    #expect(
      try text("g.in") == """
        # What people send; "…" opens
        in:
          hold: true  # the last one
        # less indented

          input: {}
        """)
    #expect(try text("g.out") == "# of the next one\nout: {from: in}")
    #expect(try text("g.a_in") == nil)
    try daemon.folder.write(before.replacing("# of the next one", with: "# of another"), to: "signalbox.yaml")
    #expect(try text("g.out") == "# of the next one\nout: {from: in}")
    _ = try client.ask("reload")
    #expect(try text("g.out") == "# of another\nout: {from: in}")
  }

  @Test(arguments: HostKind.allCases) func `a dry run reports what a reload would do and what signals would forget`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(
      """
        g:
          signals:
            in: {input: {}}
            sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}, {map: . * 2}], replay: 3}
            late: {from: sum, lazy: true, pipe: [{debounce: 1s}, {merge: {interval: 1h}}]}
            plain: {from: sum, pipe: [{map: . + 1}]}
            gone: {property: {initial: 5}}
            over: {value: 1, pipe: [{skip_repeats: }]}
            hidden: {from: sum, private: true, pipe: [{take: 9}]}
            shown: {from: hidden, pipe: [pairwise]}
            cold: {from: sum, cold: true, pipe: [{skip: 1}]}
            asleep: {from: sum, lazy: true, pipe: [{skip: 1}]}
      """)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.say("send g.in 1", "send g.in 2")
    _ = try other.ask("subscribe g.late")
    _ = try other.ask("subscribe g.cold")
    try daemon.folder.writeConfiguration(
      """
        g:
          signals:
            in: {input: {}}
            sum: {from: in, pipe: [{scan: {initial: 1, next: $state + .}}, {map: . * 2}], replay: 3}
            late: {from: sum, lazy: true, pipe: [{debounce: 1s}, {merge: {interval: 1h}}]}
            plain: {from: sum, pipe: [{map: . + 1}]}
            over: {value: 2, pipe: [{skip_repeats: }]}
            hidden: {from: sum, private: true, pipe: [{take: 9}]}
            shown: {from: hidden, pipe: [pairwise]}
            cold: {from: sum, cold: true, pipe: [{skip: 1}]}
            asleep: {from: sum, lazy: true, pipe: [{skip: 1}]}
      """)
    let answer =
      #"{"reply":"reload","generation":2,"kept":["g.in"],"#
      + #""changed":["g.sum","g.late","g.plain","g.over","g.shown","g.cold","g.asleep"],"#
      + #""added":[],"removed":["g.gone"],"needs_restart":[],"dry_run":true,"losses":["#
      + #"{"signal":"g.sum","because":"changed","memories":["scan"],"values":2},"#
      + #"{"signal":"g.late","because":"computed from g.sum","memories":["debounce","interval"],"values":0},"#
      + #"{"signal":"g.gone","because":"removed","memories":[],"values":1},"#
      + #"{"signal":"a private signal","because":"computed from g.sum","memories":["take"],"values":0},"#
      + #"{"signal":"g.shown","because":"computed from a private signal","memories":["pairwise"],"values":0},"#
      + #"{"signal":"g.cold","because":"computed from g.sum","memories":["skip"],"values":0}]}"#
    #expect(try client.ask(#"{"op":"reload","dry_run":true}"#) == answer)
    #expect(try client.ask("hello").contains(#""generation":1"#))
    #expect(try client.ask("get g.sum") == #"{"reply":"get","signal":"g.sum","seq":2,"value":6}"#)
    #expect(try client.ask(#"{"op":"reload","dry_run":true}"#) == answer)
    try client.say("send g.in 3")
    #expect(try client.ask("get g.sum") == #"{"reply":"get","signal":"g.sum","seq":3,"value":12}"#)
  }

  @Test(arguments: HostKind.allCases, [true, false])
  func `a dry run names what remembers in durable graphs too, and within operators`(
    kind: HostKind, isDurable: Bool
  ) throws {
    let declarations = { (count: Int) in
      """
      g:
        durable: \(isDurable)
        signals:
          in: {input: {}}
          mean: {from: in, pipe: [{window: {count: \(count)}}]}
          sum: {from: in, pipe: [{scan: {initial: \(count), next: $state + .}}], hold: true}
          each: {from: in, pipe: [{group_by: {key: ., max_keys: \(count), pipe: [count, {map: .}, {debounce: 1s}]}}]}
          runs: {from: in, pipe: [{flat_map: {latest: {value: \(count), pipe: [{map: .}, {delay: 1h}]}}}]}
          asleep: {from: sum, lazy: true, pipe: [{skip: 1}]}
          awake: {from: sum, lazy: true, pipe: [{skip: 1}]}
      """
    }
    let daemon = try kind.start(declarations(5))
    let client = try daemon.connect()
    try client.say("send g.in 1", "subscribe g.awake")
    _ = try client.lines(1)
    try daemon.folder.writeConfiguration(declarations(6))
    let answer = try client.ask(#"{"op":"reload","dry_run":true}"#)
    for loss in [
      #""signal":"g.mean","because":"changed","memories":["window"]"#,
      #""signal":"g.sum","because":"changed","memories":["scan"],"values":1"#,
      #""signal":"g.each","because":"changed","memories":["count","debounce","group_by"]"#,
      #""signal":"g.runs","because":"changed","memories":["delay","flat_map"]"#,
      #""signal":"g.awake","because":"computed from g.sum","memories":["skip"]"#,
    ] {
      #expect(answer.contains(loss), "\(loss) in \(answer)")
    }
    #expect(!answer.contains(#""signal":"g.asleep","because""#))
  }

  @Test func `a dry run of a wrong configuration is refused like a reload, and leaves no trace`() throws {
    let daemon = try HostKind.inProcess.start(before)
    let client = try daemon.connect()
    try daemon.folder.writeConfiguration("  kept: {signals: {in: {imput: {}}}}")
    #expect(try client.ask(#"{"op":"reload","dry_run":true}"#).contains(#""code":"bad_config""#))
    #expect(try client.ask("stats").contains(#""last_reload""#) == false)
  }

  @Test(arguments: HostKind.allCases) func `subscribers receive what it means for them`(kind: HostKind) throws {
    let daemon = try kind.start(before)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.say(
      "send kept.in 1", "send changing.in true", "subscribe leaving.in",
      #"{"op":"subscribe","signal":"*.in","subscription":"all","replay":0}"#)
    _ = try client.lines(2)
    try daemon.folder.writeConfiguration(after)
    #expect(try other.ask("reload") == Self.verdict)
    let told = Set(try client.lines(3))
    #expect(
      told == [
        #"{"event":"interrupted","signal":"leaving.in","reason":"removed"}"#,
        #"{"event":"interrupted","subscription":"all","signal":"leaving.in","reason":"removed"}"#,
        #"{"event":"subscribed","subscription":"all","signal":"coming.in","seq":0}"#,
      ])
    try client.expect(#"{"event":"next","subscription":"all","signal":"coming.in","seq":1,"value":7}"#)
    try client.say("send kept.in 2", "send changing.in 3", "send leaving.in 4")
    try client.expect(
      #"{"event":"next","subscription":"all","signal":"kept.in","seq":2,"value":2}"#,
      #"{"event":"next","subscription":"all","signal":"changing.in","seq":2,"value":3}"#)
    #expect(try client.line().contains(#""code":"unknown_signal""#))
    #expect(try client.ask("get kept.in") == #"{"reply":"get","signal":"kept.in","seq":2,"value":2}"#)
  }

  @Test func `a pattern is subscribed again to an ended signal only if that has changed`() throws {
    let daemon = try HostKind.inProcess.start(
      "  kept: {signals: {in: {input: {endable: true}}}}\n  changing: {signals: {in: {input: {endable: true}}}}")
    let client = try daemon.connect()
    try client.say(
      "subscribe *.in", #"{"op":"send","signal":"kept.in","event":"completed"}"#,
      #"{"op":"send","signal":"changing.in","event":"completed"}"#)
    _ = try client.lines(3)
    try daemon.folder.writeConfiguration(
      "  kept: {signals: {in: {input: {endable: true}}}}\n  changing: {signals: {in: {input: {}}}}")
    try client.say("reload")
    try client.expect(#"{"event":"subscribed","signal":"changing.in","seq":0}"#)
    #expect(try client.line().contains(#""changed":["changing.in"]"#))
  }

  @Test(arguments: HostKind.allCases) func `under load nothing is lost for signals that did not change`(
    kind: HostKind
  ) throws {
    func graphs(adding number: Int) -> String {
      """
        kept:
          signals:
            in: {input: {}}
            sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}]}
        changing: {signals: {out: {from: kept.in, pipe: [{map: . + \(number)}]}}}
      """
    }
    let daemon = try kind.start(graphs(adding: 0), server: "{limits: {output: 100KiB}}")
    let (sender, client, stalled) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    for signal in ["kept.in", "kept.sum", "changing.out"] {
      let request = #"{"op":"subscribe","signal":"\#(signal)"}"#
      _ = (try client.ask(request), try stalled.ask(request))
    }
    let administrator = try daemon.connect()
    var lines: [String] = []
    for round in 0..<10 {
      try sender.write((1...200).map { "send kept.in \(round * 200 + $0)\n" }.joined())
      try daemon.folder.writeConfiguration(graphs(adding: round + 1), server: "{limits: {output: 100KiB}}")
      #expect(try administrator.ask("reload").contains(#""kept":["kept.in","kept.sum"],"#))
      try sender.write((1...100).map { "send kept.in \(-$0)\n" }.joined())
      try sender.expectNothing()
      try client.say("ping")
      lines += try client.lines(upTo: #"{"reply":"ping"}"#)
    }
    for signal in ["kept.in", "kept.sum", "changing.out"] {
      let story = Story(lines, of: signal)
      #expect(story.isExact && story.dropped == 0 && story.numbers.count == 3000, "\(signal)")
    }
    // The state of a kept signal includes every value.
    let sum = 2000 * 2001 / 2 - 10 * 100 * 101 / 2
    #expect(lines.last { $0.contains("kept.sum") }?.hasSuffix("\"value\":\(sum)}") == true)
    try stalled.say("ping")
    let late = try stalled.lines(upTo: #"{"reply":"ping"}"#)
    for signal in ["kept.in", "kept.sum", "changing.out"] {
      let story = Story(late, of: signal)
      #expect(story.isExact && UInt64(story.numbers.count) + story.dropped == 3000, "\(signal)")
    }
  }

  @Test(arguments: HostKind.allCases) func `a bad file is refused with its errors and the old one runs on`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(before)
    let client = try daemon.connect()
    try client.say("subscribe kept.in")
    _ = try client.line()
    try daemon.folder.writeConfiguration("g: {signals: {in: {inptu: {}}}}")
    let answer = try client.ask("reload")
    #expect(answer.hasPrefix(#"{"reply":"error","op":"reload","error":{"code":"bad_config","message":"#), "\(answer)")
    #expect(answer.contains(#""errors":[{"severity":"error","file":"#) && answer.contains(#""line":4"#))
    try client.say("send kept.in 1")
    try client.expect(#"{"event":"next","signal":"kept.in","seq":1,"value":1}"#)
    #expect(try client.ask("hello").contains(#""generation":1"#))
  }

  @Test(arguments: HostKind.allCases) func `limits apply at once and a changed socket needs a restart`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(before)
    let client = try daemon.connect()
    try daemon.folder.writeConfiguration(
      before, server: "{limits: {line: 100, depth: 3}, socket: {path: /tmp/other, mode: '0600'}}")
    #expect(try client.ask("reload").hasSuffix(#""needs_restart":["server.socket.path","server.socket.mode"]}"#))
    try client.say(String(repeating: "x", count: 101), #"{"op":"ping","x_":[[[1]]]}"#)
    #expect(try client.line().contains("too_long"))
    #expect(try client.line().contains("too_deep"))
  }
}
