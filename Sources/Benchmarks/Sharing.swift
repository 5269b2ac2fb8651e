import ReactiveCore

/// The cost of a value with many observers or many senders.
func sharing() -> [Measurement?] {
  [
    measure("1,000 observers, per delivery", atMost: .value, events: 4_000, per: 1_000, reference: handWrittenFanOut) {
      let (signal, input) = Numbers.pipe()
      for _ in 0..<1_000 { signal.observeValues { sink &+= $0 } }
      return feeding(input)
    },
    measure("property set, derived property, observer", atMost: .value, reference: handWrittenProperty) {
      let property = MutableProperty(0)
      let derived = property.map { $0 &+ 1 }
      derived.signal.observeValues { sink &+= $0 }
      return { count in
        for number in 0..<count { property.value = number }
        withExtendedLifetime(derived) {}
      }
    },
    twoThreads(),
  ]
}

private func handWrittenFanOut() -> (Int) -> Void {
  let source = Source()
  for _ in 0..<1_000 { source.observe(hidden { sink &+= $0 }) }
  return { count in for number in 0..<count { source.send(number) } }
}

/// A value that sends its changes to a source.
private final class Holder {
  let changes = Source()
  var value = 0 { didSet { changes.send(value) } }
}

private func handWrittenProperty() -> (Int) -> Void {
  let (property, derived) = (Holder(), Holder())
  property.changes.observe(mapping({ $0 &+ 1 }, hidden { derived.value = $0 }))
  derived.changes.observe(adding())
  return { count in
    for number in 0..<count { property.value = number }
  }
}
