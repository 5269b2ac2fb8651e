import GraphCatalogue
package import GraphModel
import GraphTools
package import Signals

/// A configuration with its inputs, so that it can be read again unchanged.
package struct StoredConfiguration {
  package var configuration: Configuration
  /// The places of the sources and operators of its signals, for explanations; none in a configuration that runs.
  let stepPlaces: StepPlaces
  /// The signals whose state was reset after it was saved; they start without one.
  private(set) var discarded: Set<String> = []
  private let source: ConfigurationSource
  private let inputs: RecordedInputs

  /// Reads a configuration and records its inputs.
  package init(
    reading source: ConfigurationSource, _ world: ConfigurationInputs = .system
  ) throws(ConfigurationError) {
    self.source = source
    inputs = RecordedInputs()
    configuration = try Configuration.load(source, inputs: inputs.recording(world))
    stepPlaces = StepPlaces()
  }

  /// Reads the configuration again; returns it as it is if nothing that it was read from has changed.
  package func reread(
    _ source: ConfigurationSource, _ world: ConfigurationInputs
  ) throws(ConfigurationError) -> StoredConfiguration {
    guard source == self.source, discarded.isEmpty else {
      return try StoredConfiguration(reading: source, world).evaluated(as: configuration)
    }
    guard let changed = inputs.changed(in: world) else { return self }
    return try StoredConfiguration(reading: source, changed).evaluated(as: configuration)
  }

  /// Returns the configuration with its expressions evaluated in the way of another one.
  package func evaluated(as other: Configuration) -> StoredConfiguration {
    var stored = self
    stored.configuration.readsText = other.readsText
    return stored
  }

  /// The encoded form for a snapshot.
  package var bytes: [UInt8] {
    var writer = StateEncoder()
    switch source {
    case .alone(let path):
      writer.byte(0)
      writer.text(path)
    case .withAdditions(let path):
      writer.byte(1)
      writer.text(path)
    }
    inputs.encode(to: &writer)
    if !discarded.isEmpty { discarded.sorted().encode(to: &writer) }
    return writer.bytes
  }

  /// Reads a configuration again from its encoded form.
  package init(_ bytes: [UInt8]) throws(StateError) {
    var reader = StateDecoder(bytes)
    let isAlone = try reader.byte() == 0
    let path = try reader.text()
    source = isAlone ? .alone(path) : .withAdditions(path)
    inputs = try RecordedInputs(from: &reader)
    if !reader.isAtEnd { discarded = Set(try [String](from: &reader)) }
    do throws(ConfigurationError) {
      (configuration, stepPlaces) = try Configuration.loadWithPlaces(
        source, inputs: inputs.inputs, isRecorded: true)
    } catch {
      throw StateError("this version rejects the configuration that it was written with")
    }
  }

  /// Returns the configuration with more signals to reset.
  func discarding(_ names: Set<String>) -> StoredConfiguration {
    var configuration = self
    configuration.discarded.formUnion(names)
    return configuration
  }

  /// Returns the configuration with one more file, read after all others.
  func adding(_ text: String, named name: String) throws(ConfigurationError) -> Configuration {
    try Configuration.load(.withAdditions(source.path), inputs: inputs.inputs.adding(text, named: name))
  }
}
