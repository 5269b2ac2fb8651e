extension AdapterSettings: ParameterValue {
  static var typeName: String { "a mapping, whose keys are the adapter's" }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> AdapterSettings? {
    read(reading.reader(node), reserved: ["as"])
  }
}
