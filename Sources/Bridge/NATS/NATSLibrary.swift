internal import CNATS

/// The results of libnats in words.
enum NATSLibrary {
  static func text(of status: natsStatus) -> String {
    natsStatus_GetText(status).map { String(cString: $0) }?.lowercased() ?? "unknown"
  }
}
