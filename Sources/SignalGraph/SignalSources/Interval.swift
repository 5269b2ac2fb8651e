import ReactiveCore

extension SourceDeclaration {
  static let interval = SourceDeclaration(
    "interval", "Counts from 0, one number after each span of time.", kind: .source,
    Parameter<Duration>("interval", "the span, 1 ms or more", .only),
    check: { $0 < .milliseconds(1) ? "an interval is 1ms or more" : nil }
  ) { context, interval in
    context.ticks(every: interval)
  }
}
