import Glibc

/// The parsers of external bytes, as libFuzzer calls them: they return for any input.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "lines": { LinesTarget.run($0) }, "configuration": { ConfigurationTarget.run($0) }, "json": { JSONTarget.run($0) },
  "expressions": { ExpressionsTarget.run($0) }, "http": { HTTPTarget.run($0) },
  "bridge": { BridgeTarget.run($0) },
]

/// The target named by `FUZZ_TARGET` in the environment.
private let target = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else { fatalError("FUZZ_TARGET is one of \(targets.keys.sorted())") }
  return target
}()

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the run if the code under test violates a promise.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
  if !holds { fatalError("not kept: " + promise()) }
}
