internal import Linux

/// The manual pages that the client can print.
enum ManualPages {
  static let names = ["signalbox", "signalbox.yaml"]

  static func page(named name: String, of commands: [Command]) -> ManualPage? {
    switch name {
    case "signalbox": client(commands)
    case "signalbox.yaml": configuration
    default: nil
    }
  }
}
