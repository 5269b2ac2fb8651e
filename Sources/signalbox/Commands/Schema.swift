internal import GraphTools

extension Command {
  static let schema = Command(
    name: "schema", operands: "", summary: "print the JSON Schema of a configuration, for editors",
    details: """
      Draft-07, as yaml-language-server reads it: name it in the first line of a file,
      # yaml-language-server: $schema=/usr/share/signalbox/signalbox.schema.json
      """,
    isOffline: true,
    examples: [Example("signalbox schema > signalbox.schema.json", "for the settings of an editor")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    invocation.output.text(ConfigurationSchema.text)
  }
}
