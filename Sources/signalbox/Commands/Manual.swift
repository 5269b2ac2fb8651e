internal import Linux

extension Command {
  static let manual = Command(
    name: "manual", operands: "[PAGE]", kinds: [.word(ManualPages.names)],
    summary: "print a page of the manual, for man(1)",
    details: """
      The pages are signalbox (this program; the default) and signalbox.yaml (the configuration). Packages install them;
      signalboxd --manual prints the daemon's.
      """,
    isOffline: true,
    examples: [
      Example("signalbox manual | man -l -", "read it"),
      Example("signalbox manual signalbox.yaml > signalbox.yaml.5", "keep one"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(0...1).first ?? ManualPages.names[0]
    guard let page = ManualPages.page(named: name, of: commands) else {
      throw .usage("the pages are \(ManualPages.names.joined(separator: " and ")), not \(name)")
    }
    invocation.output.text(page.text)
  }
}
