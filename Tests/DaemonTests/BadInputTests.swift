import Testing

private let graphs = """
  g:
    signals:
      in: {input: {type: number}}
      out: {from: in}
  """

@Suite struct `Bad input` {
  @Test(arguments: HostKind.allCases)
  func `ten kinds of bad line cost an error each, and a subscription misses nothing`(kind: HostKind) throws {
    let client = try kind.start(graphs, server: "{limits: {line: 2KiB, depth: 8}}").connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    let bad: [(line: [UInt8], code: String)] = [
      (Array("{not json}".utf8), "bad_json"),
      (Array(#"{"op":"ping","x_":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8), "bad_json"),
      (Array(#"{"op":"ping","x_":"\#(String(repeating: "x", count: 3000))"}"#.utf8), "too_long"),
      (Array(#"{"op":"ping","x_":[[[[[[[[1]]]]]]]]}"#.utf8), "too_deep"),
      (Array(#"{"signal":"g.in"}"#.utf8), "bad_request"),
      (Array(#"{"op":"sned","signal":"g.in"}"#.utf8), "unknown_op"),
      (Array(#"{"op":"get","signal":"g.in","sginal":1}"#.utf8), "bad_request"),
      (Array(#"{"op":"get","signal":"g.inn"}"#.utf8), "unknown_signal"),
      (Array(#"{"op":"send","signal":"g.out","value":1}"#.utf8), "not_an_input"),
      (Array(#"{"op":"send","signal":"g.in","value":"1"}"#.utf8), "bad_value"),
    ]
    for (number, bad) in bad.enumerated() {
      try client.write(bad.line + [0x0a])
      try client.say("send g.in \(number)")
      let error = try client.line()
      #expect(error.hasPrefix(#"{"reply":"error","#) && error.contains(#""error":{"code":"\#(bad.code)""#), "\(error)")
      try client.expect(#"{"event":"next","signal":"g.in","seq":\#(number + 1),"value":\#(number)}"#)
    }
    try client.expectNothing()
  }

  @Test(
    arguments: HostKind.allCases, [#"{"\ud800":1}"#, #"{"op":"ping","x_\ud800":1}"#, #"{"op":"ping","x_":"\udc00"}"#])
  func `a lone surrogate is a bad value wherever it stands`(kind: HostKind, line: String) throws {
    let client = try kind.start(graphs).connect()
    #expect(try client.ask(line).contains(#""code":"bad_value""#))
    #expect(try client.ask("ping") == #"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `what is replied to a very long word is short`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    let word = String(repeating: "x", count: 100_000)
    for line in [word, "get \(word)", "subscribe g.\(word)", "describe \(word)"] {
      #expect(try client.ask(line).utf8.count < 1000)
    }
  }

  @Test(arguments: HostKind.allCases) func `the error of a line that is not JSON has the byte and no id`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    let error = try client.ask(#"{"op":"ping","id":1,}"#)
    #expect(error.hasPrefix(#"{"reply":"error","error":{"code":"bad_json","message":"#))
    #expect(error.hasSuffix(#""offset":20}}"#), "\(error)")
  }

  @Test(arguments: HostKind.allCases) func `lines may be cut anywhere, blank, commented and ended by two bytes`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.write("\n\r\n   \n# a comment\n  {\"op\":")
    try client.write("\"pi")
    try client.write("ng\"}\r\nping\r\n")
    try client.expect(#"{"reply":"ping"}"#, #"{"reply":"ping"}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `an overlong line is skipped up to its end`(kind: HostKind) throws {
    let client = try kind.start(graphs, server: "{limits: {line: 100}}").connect()
    try client.write(String(repeating: "x", count: 300_000))
    #expect(try client.line().contains(#""code":"too_long""#))
    try client.write(String(repeating: "y", count: 300_000) + "\nping\n")
    try client.expect(#"{"reply":"ping"}"#)
    try client.say(String(repeating: "z", count: 101), "# " + String(repeating: "z", count: 98))
    #expect(try client.line().contains(#""code":"too_long""#))
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `an unfinished line closes the connection after its time`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {unfinished: 30ms}}")
    let (slow, other) = (try daemon.connect(), try daemon.connect())
    try slow.write("{\"op\":\"pi")
    try slow.expectEnd()
    try other.expectNothing()
  }
}

@Suite struct `Half-close` {
  @Test(arguments: HostKind.allCases) func `the daemon closes when nothing is left to come`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.write("ping\nget g.in")
    try client.finish()
    try client.expect(#"{"reply":"ping"}"#)
    #expect(try client.line().contains(#""code":"no_value""#))
    try client.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `a last line without its end counts unless it could be half a value`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let watcher = try daemon.connect()
    try watcher.say("subscribe g.in")
    _ = try watcher.line()
    for line in ["send g.in 12", #"{"op":"send","signal":"g.in","value":13}"#, #"{"op":"send","signal":"g.in","val"#] {
      let client = try daemon.connect()
      try client.write(line)
      try client.finish()
      if line.hasSuffix("val") { #expect(try client.line().contains("bad_json")) }
      try client.expectEnd()
    }
    try watcher.expect(#"{"event":"next","signal":"g.in","seq":1,"value":13}"#)
    try watcher.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `with a live subscription it stays open, until take has ended it`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.in","take":2}"#)
    try client.finish()
    _ = try client.line()
    try sender.say("send g.in 1")
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
    try sender.say("send g.in 2")
    try client.expect(
      #"{"event":"next","signal":"g.in","seq":2,"value":2}"#, #"{"event":"ended","signal":"g.in","reason":"take"}"#)
    try client.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `what a client sent before it closed is carried out`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let watcher = try daemon.connect()
    try watcher.say("subscribe g.in")
    _ = try watcher.line()
    do {
      let client = try daemon.connect()
      try client.say((1...3000).map { #"{"op":"send","id":1,"signal":"g.in","value":\#($0)}"# }.joined(separator: "\n"))
    }
    for value in 1...3000 {
      try watcher.expect(#"{"event":"next","signal":"g.in","seq":\#(value),"value":\#(value)}"#)
    }
  }
}
