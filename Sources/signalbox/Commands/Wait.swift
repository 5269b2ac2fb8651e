internal import JSON

extension Command {
  static let wait = Command(
    name: "wait", operands: "SIGNAL|PATTERN", kinds: [.listed(.subscribable)],
    summary: "wait until a signal has a value, or one that fits",
    details: """
      A value that the signal holds already counts. The value is printed, and for a pattern the name of the signal and a
      tab before it. Ends with status 75 when the time is over, with 1 when the signal ends first.
      """,
    options: [ValueText.option] + Waiter.options,
    examples: [
      Example("signalbox wait climate.alarm --where '. == true' --timeout 1m && notify-send hot", "act on an alarm"),
      Example("signalbox wait build.done", "block until something happens"),
    ]
  ) { invocation throws(CommandError) in
    let isRaw = invocation.has("raw")
    for signal in try invocation.operands(1...1) { try Waiter(invocation).wait(for: signal, isRaw: isRaw) }
  }
}
