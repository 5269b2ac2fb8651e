import ReactiveCore

func time(_ name: String, _ count: Int = 5_000_000, _ body: (Int) -> Void) {
  var best: [Double] = []
  for _ in 0..<7 {
    let clock = ContinuousClock()
    let spent = clock.measure { body(count) }
    best.append(Double(spent.components.attoseconds) / 1e9 / Double(count))
  }
  best.sort()
  print(name, best[3], best[0])
}
nonisolated(unsafe) var sink = 0
func run() {
  time("send") { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.observeValues { sink &+= $0 }
    for i in 0..<count { input.send(value: i) }
  }
  time("mapfiltermap") { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.observeValues { sink &+= $0 }
    for i in 0..<count { input.send(value: i) }
  }
  time("tenmaps") { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }.map { $0 &+ 6 }
      .map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }.observeValues { sink &+= $0 }
    for i in 0..<count { input.send(value: i) }
  }
  time("1000", 5000) { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    for _ in 0..<1000 { signal.observeValues { sink &+= $0 } }
    for i in 0..<count { input.send(value: i) }
  }
  time("observe+dispose", 500000) { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    for _ in 0..<count { signal.observeValues { sink &+= $0 }?.dispose() }
    _ = input
  }
  time("build chain 5", 200000) { count in
    let (signal, input) = Signal<Int, Never>.pipe()
    for _ in 0..<count {
      signal.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.observeValues {
        sink &+= $0
      }?.dispose()
    }
    _ = input
  }
}
run()
