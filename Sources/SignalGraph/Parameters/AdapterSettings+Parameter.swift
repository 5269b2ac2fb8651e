extension AdapterSettings: ParameterValue {
  static var typeName: String { "a mapping, whose keys are the adapter's" }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> AdapterSettings? {
    let reader = reading.reader(node)
    reader.context.adapterSecrets += secrets(in: reader)
    return read(reader, reserved: ["as"])
  }
}
