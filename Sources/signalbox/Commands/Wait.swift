extension Command {
  static let wait = Command(
    name: "wait", operands: "SIGNAL|PATTERN", kinds: [.listed(.subscribable)],
    summary: "wait for a value of a signal, or a matching one",
    details: """
      A value that the signal already holds counts. Prints the value, for a pattern preceded by the name of the signal
      and a tab. The status is 75 after a timeout, and 1 if the signal ends first.
      """,
    options: [ValueText.option] + Waiter.options,
    examples: [
      Example("signalbox wait climate.alarm --where '. == true' --timeout 1m && notify-send hot", "react to an alarm"),
      Example("signalbox wait build.done", "block until there is a value"),
    ]
  ) { invocation throws(CommandError) in
    let isRaw = invocation.has("raw")
    for signal in try invocation.operands(1...1) { try Waiter(invocation).wait(for: signal, isRaw: isRaw) }
  }
}
