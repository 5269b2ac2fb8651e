package import ReactiveCore
package import SignalGraph

/// A configuration and what it was read from, so that it can be read again as it was.
package struct StoredConfiguration {
  package let configuration: Configuration
  /// Signals whose state was forgotten since it was written down: they begin afresh once it goes on.
  private(set) var forgotten: Set<String> = []
  private let source: ConfigurationSource
  private let inputs: RecordedInputs

  /// Reads a configuration.
  package init(
    reading source: ConfigurationSource, _ world: ConfigurationInputs = .system
  ) throws(ConfigurationError) {
    self.source = source
    inputs = RecordedInputs()
    configuration = try Configuration.load(source, inputs: inputs.recording(world))
  }

  /// Its bytes, for a snapshot.
  package var bytes: [UInt8] {
    var writer = StateWriter()
    switch source {
    case .alone(let path):
      writer.byte(0)
      writer.text(path)
    case .withAdditions(let path):
      writer.byte(1)
      writer.text(path)
    }
    inputs.store(in: &writer)
    if !forgotten.isEmpty { forgotten.sorted().store(in: &writer) }
    return writer.bytes
  }

  /// Reads a configuration again from its bytes.
  package init(_ bytes: [UInt8]) throws(StateError) {
    var reader = StateReader(bytes)
    let isAlone = try reader.byte() == 0
    let path = try reader.text()
    source = isAlone ? .alone(path) : .withAdditions(path)
    inputs = try RecordedInputs(from: &reader)
    if !reader.isAtEnd { forgotten = Set(try [String](from: &reader)) }
    do throws(ConfigurationError) {
      configuration = try Configuration.load(source, inputs: inputs.inputs)
    } catch {
      throw StateError("the configuration that it was written with is refused by this version")
    }
  }

  /// Where the sources and operators of its signals stand.
  var stepPlaces: StepPlaces {
    (try? Configuration.loadWithPlaces(source, inputs: inputs.inputs))?.places ?? StepPlaces()
  }

  /// The same with signals whose state is forgotten.
  func forgetting(_ names: Set<String>) -> StoredConfiguration {
    var configuration = self
    configuration.forgotten.formUnion(names)
    return configuration
  }

  /// The configuration with one more file, read behind all others.
  func adding(_ text: String, named name: String) throws(ConfigurationError) -> Configuration {
    try Configuration.load(.withAdditions(source.path), inputs: inputs.inputs.adding(text, named: name))
  }
}
