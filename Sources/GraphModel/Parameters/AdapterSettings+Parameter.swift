extension AdapterSettings: ParameterValue {
  package static var typeName: String { "a mapping, whose keys are the adapter's" }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> AdapterSettings? {
    let reader = reading.reader(node)
    reader.context.adapterSecrets += secrets(in: reader)
    return read(reader, reserved: ["as"])
  }
}
