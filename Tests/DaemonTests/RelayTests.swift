import Testing

private let graphs = "g: {signals: {in: {input: {}}, more: {input: {}}}}"

private func event(_ number: Int, _ value: String) -> String {
  #"{"event":"next","signal":"g.in","seq":\#(number),"value":\#(value)}"#
}

private func send(_ value: String) -> String { #"{"op":"send","signal":"g.in","value":\#(value)}"# + "\n" }

/// Values of an input without dependents are copied from line to line, several at once.
@Suite struct `Values that only pass` {
  @Test(arguments: HostKind.allCases) func `keep their bytes and are counted`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    let values = [
      "18446744073709551615", "1.10", "-0", "1e3", #""\u00e9\/é""#, #"{"b" :1,"a":[ 2.50,{}],"b":3}"#, "null", "[]",
    ]
    try client.write(values.map(send).joined())
    for (index, value) in values.enumerated() { #expect(try client.line() == event(index + 1, value)) }
  }

  @Test(arguments: HostKind.allCases) func `stand before and behind what else their client has asked for`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.write(
      send("1") + "subscribe g.in\n" + send("2") + send("3") + send("01") + send("4")
        + "unsubscribe g.in\n" + send("5") + "get g.in\n")
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":1}]}"#, event(2, "2"), event(3, "3"))
    #expect(try client.line().contains(#""code":"bad_json""#))
    try client.expect(event(4, "4"), #"{"reply":"unsubscribe"}"#)
    #expect(try client.line().contains(#""code":"no_value""#))
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `are as many as each subscriber has asked for`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let (few, all, chosen, sender) = try (daemon.connect(), daemon.connect(), daemon.connect(), daemon.connect())
    try few.say(#"{"op":"subscribe","signal":"g.in","take":2}"#)
    try all.say(#"{"op":"subscribe","signal":"g.in"}"#)
    for client in [few, all] { _ = try client.line() }
    try sender.write(["1", "2", "3"].map(send).joined())
    try few.expect(event(1, "1"), event(2, "2"), #"{"event":"ended","signal":"g.in","reason":"take"}"#)
    try all.expect(event(1, "1"), event(2, "2"), event(3, "3"))
    // From here on a filter needs the values.
    try chosen.say(#"{"op":"subscribe","signal":"g.in","where":". > 4"}"#)
    _ = try chosen.line()
    try sender.write(["4", "5"].map(send).joined())
    try all.expect(event(4, "4"), event(5, "5"))
    try chosen.expect(event(5, "5"))
    try few.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `wait for their time as they were written, the newest of them`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (paced, plain, sender) = try (daemon.connect(), daemon.connect(), daemon.connect())
    try paced.say(#"{"op":"subscribe","signal":"g.in","every":"200ms"}"#)
    try plain.say("subscribe g.in")
    for client in [paced, plain] { _ = try client.line() }
    try sender.write(["1.0", "2", "3.00"].map(send).joined())
    try plain.expect(event(1, "1.0"), event(2, "2"), event(3, "3.00"))
    try paced.expect(event(1, "1.0"), event(3, "3.00"))
    try sender.write(["4", #"{"b" :1,"b":2}"#].map(send).joined())
    try paced.expect(event(5, #"{"b" :1,"b":2}"#))
    try sender.write(send("6"))
    try plain.expect(event(4, "4"), event(5, #"{"b" :1,"b":2}"#), event(6, "6"))
    // From here on a filter needs the values; one is still waiting unparsed.
    let chosen = try daemon.connect()
    try chosen.say(#"{"op":"subscribe","signal":"g.in","where":". > 7"}"#)
    _ = try chosen.line()
    try paced.expect(event(6, "6"))
    try sender.write(["7", "8.0"].map(send).joined())
    try chosen.expect(event(8, "8.0"))
    try paced.expect(event(8, "8.0"))
  }

  @Test(arguments: HostKind.allCases) func `come in order among those of other signals`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.*")
    _ = try client.line()
    let other = #"{"op":"send","signal":"g.more","value":0}"# + "\n"
    try client.write(send("1") + send("2") + other + send("3") + "ping\n")
    try client.expect(
      event(1, "1"), event(2, "2"), #"{"event":"next","signal":"g.more","seq":1,"value":0}"#, event(3, "3"),
      #"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `reach all others when one in their midst takes nothing in any more`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let clients = try (0..<3).map { _ in try daemon.connect() }
    for client in clients {
      try client.say("subscribe g.in")
      _ = try client.line()
    }
    try clients[1].closeReading()
    for number in 1...3 {
      try clients[1].write(send("\(number)"))
      for client in [clients[0], clients[2]] { try client.expect(event(number, "\(number)")) }
    }
  }
}
