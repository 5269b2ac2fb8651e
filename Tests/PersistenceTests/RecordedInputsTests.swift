import GraphModel
import Signals
import Testing

@testable import Persistence

/// What a configuration has read, by names that are compared by their bytes.
struct RecordedInputsTests {
  private static let names = ["\u{e9}", "e\u{301}"]

  /// Inputs in which each name stands for its own bytes, and the first one's value can be changed.
  private func inputs(first: String = names[0]) -> ConfigurationInputs {
    @Sendable func value(_ name: String) -> String { Array(name.utf8) == Array(Self.names[0].utf8) ? first : name }
    return ConfigurationInputs(
      environment: { value($0) }, readFile: { path, _ in .success(Array(value(path).utf8)) },
      listDirectory: { .success([value($0)]) })
  }

  @Test func `names that differ in their bytes alone are recorded each`() throws {
    let record = RecordedInputs()
    let recording = record.recording(inputs())
    for name in Self.names {
      _ = (recording.environment(name), recording.readFile(name, 9), recording.listDirectory(name))
    }
    var writer = StateEncoder()
    record.encode(to: &writer)
    var reader = StateDecoder(writer.bytes)
    let recorded = try RecordedInputs(from: &reader).inputs
    for name in Self.names {
      #expect(recorded.environment(name).map { Array($0.utf8) } == Array(name.utf8))
      #expect(try recorded.readFile(name, 9).get() == Array(name.utf8))
      #expect(try recorded.listDirectory(name).get().map { Array($0.utf8) } == [Array(name.utf8)])
    }
  }

  @Test(arguments: ["environment", "file", "folder"])
  func `a change of the form of characters alone is one`(source: String) {
    let record = RecordedInputs()
    let recording = record.recording(inputs())
    switch source {
    case "environment": _ = recording.environment(Self.names[0])
    case "file": _ = recording.readFile(Self.names[0], 9)
    default: _ = recording.listDirectory(Self.names[0])
    }
    #expect(record.changed(in: inputs()) == nil)
    #expect(record.changed(in: inputs(first: Self.names[1])) != nil)
  }
}
