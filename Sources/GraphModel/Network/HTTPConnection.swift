import Base
import JSON

/// The settings of a connection to an HTTP server.
enum HTTPConnection: PeerSettingsReader {
  static let keys = ["headers", "concurrent", "timeout", "tls", "proxy", "limit"]

  private static let defaultTimeout = Duration.seconds(30)
  private static let defaultLimit = 1 << 20
  private static let greatestLimit = 64 << 20

  static func read(_ address: Reader?, _ mapping: MappingReader) -> PeerSettings? {
    let errors = mapping.problems.errorCount
    let url = address.flatMap { self.address($0) }
    var settings = PeerSettings(values: ["url": .string(url?.origin ?? "")])
    settings.base = url?.base ?? ""
    if let address {
      settings.show([address])
      settings.secrets = SecretText(address, where: SecretText.isHidden)?.secrets ?? []
    }
    if let headers = mapping.optional("headers") { read(headers: headers, into: &settings) }
    let concurrent = mapping.optional("concurrent")?.int(in: 1...1_000) ?? 4
    settings.values["concurrent"] = .number(Double(concurrent))
    let timeout =
      mapping.optional("timeout")?.duration(in: .milliseconds(1)...DurationText.longest) ?? defaultTimeout
    settings.values["timeout"] = .number(timeout / .seconds(1))
    if let tls = mapping.optional("tls") {
      settings.values["tls"] = TLSFiles.read(tls).map { .object($0) }
      if url?.isEncrypted == false { tls.problems.error("tls is for an address that begins with https:", at: tls) }
    }
    if let proxy = mapping.optional("proxy") { read(proxy: proxy, of: url, into: &settings) }
    let limit = mapping.optional("limit")?.size(in: 1...greatestLimit) ?? defaultLimit
    settings.values["limit"] = .number(Double(limit))
    return mapping.problems.errorCount == errors ? settings : nil
  }

  private static func address(_ reader: Reader) -> HTTPAddress? {
    guard let text = reader.text(), !reader.isOpen else { return nil }
    do throws(HTTPAddressError) { return try HTTPAddress(text) } catch {
      reader.problems.error(error.message, at: reader)
      return nil
    }
  }

  private static func read(headers: Reader, into settings: inout PeerSettings) {
    var values = JSONObject()
    for entry in headers.entries() ?? [] {
      if let problem = HeaderRules.problem(inName: entry.name, isComputed: false) {
        headers.problems.error(problem, at: entry.key)
        continue
      }
      guard let value = SecretText(Reader(entry.value, headers.context)) else { continue }
      if let problem = HeaderRules.problem(inValue: value.text) {
        headers.problems.error(problem, at: entry.value)
        continue
      }
      values[entry.name] = .string(value.text)
      settings.secrets += value.secrets
    }
    settings.values["headers"] = .object(values)
  }

  private static func read(proxy reader: Reader, of address: HTTPAddress?, into settings: inout PeerSettings) {
    guard let text = SecretText(reader, where: SecretText.isHidden), !reader.isOpen else { return }
    settings.secrets += text.secrets
    guard ["http://", "https://", "socks5://", "socks5h://"].contains(where: text.text.hasPrefix) else {
      return reader.problems.error("expected the address of a proxy: http://…, https://… or socks5://…", at: reader)
    }
    if address?.isSocket == true {
      return reader.problems.error("a socket of this machine needs no proxy", at: reader)
    }
    settings.values["proxy"] = .string(text.text)
  }
}
