import Glibc

/// Something that takes bytes from outside, as libFuzzer tries it: whatever the bytes are, `run` returns.
protocol FuzzTarget {
  static func run(_ bytes: [UInt8])
}

private let targets: [String: any FuzzTarget.Type] = [
  "lines": LinesTarget.self, "configuration": ConfigurationTarget.self, "json": JSONTarget.self,
  "expressions": ExpressionsTarget.self,
]

/// The target that `FUZZ_TARGET` in the environment names.
private let target: any FuzzTarget.Type = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else { fatalError("FUZZ_TARGET is one of \(targets.keys.sorted())") }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the run: a promise of the code under test was not kept.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
  if !holds { fatalError("not kept: " + promise()) }
}
