internal import Linux

/// A listening socket of the gateway.
final class GatewayListener {
  private let unix: UnixListener?
  private let tcp: TCPListener?

  let number: Int32
  /// The address, for messages.
  let address: String

  /// Any user of the machine, and maybe of others, can connect by TCP; on a Unix socket the permissions decide.
  var needsToken: Bool { tcp != nil }

  /// Listens at `HOST:PORT`, with a numeric address, or at `unix:PATH`.
  convenience init(_ address: String) throws(StartFailure) {
    if address.hasPrefix("unix:") {
      try self.init(path: String(address.dropFirst(5)))
    } else {
      try self.init(tcp: address)
    }
  }

  private init(path: String) throws(StartFailure) {
    if let reason = SocketPath.refusal(of: path) { throw StartFailure("--listen unix:\(reason)", status: 64) }
    let listener: UnixListener
    do throws(ListenError) { listener = try UnixListener(path: path, mode: 0o660) } catch {
      throw StartFailure("--listen unix:\(path): \(error)", status: 73)  // EX_CANTCREAT
    }
    address = "unix:\(path)"
    number = listener.descriptor.number
    unix = consume listener
    tcp = nil
  }

  private init(tcp address: String) throws(StartFailure) {
    guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
      throw StartFailure("--listen must be HOST:PORT or unix:PATH, not \(address)", status: 64)  // EX_USAGE
    }
    let host = address[..<colon]
    let bare = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
    let listener: TCPListener
    do throws(Errno) { listener = try TCPListener(host: String(bare), port: port) } catch {
      throw StartFailure("--listen \(address): \(error)", status: 69)  // EX_UNAVAILABLE
    }
    self.address = "http://\(host):\(listener.port)/"
    number = listener.descriptor.number
    tcp = consume listener
    unix = nil
  }

  /// Adopts a socket from the service manager.
  init(inherited number: Int32) throws(StartFailure) {
    let descriptor = OwnedDescriptor(owning: number)
    self.number = number
    do throws(Errno) {
      if ServiceManager.isListeningUnixSocket(number) {
        let listener = try UnixListener(inherited: descriptor)
        address = "unix:\(listener.path ?? "")"
        unix = consume listener
        tcp = nil
      } else {
        let listener = try TCPListener(inherited: descriptor)
        address = "port \(listener.port)"
        tcp = consume listener
        unix = nil
      }
    } catch { throw StartFailure("cannot use the socket of the service manager: \(error)", status: 71) }  // EX_OSERR
  }

  /// Removes the file of a Unix socket that was created here.
  func unlink() { unix?.unlink() }
}

extension GatewayListener {
  /// The default: reachable from this machine alone.
  static let defaultAddress = "127.0.0.1:8765"

  /// Returns the sockets from the service manager, otherwise those of the command line.
  static func all(_ addresses: [String]) throws(StartFailure) -> [GatewayListener] {
    let inherited: [ServiceManager.InheritedDescriptor]
    do throws(Errno) { inherited = try ServiceManager.takeDescriptors() } catch {
      throw StartFailure("\(error)", status: 71)  // EX_OSERR
    }
    var listeners: [GatewayListener] = []
    for descriptor in inherited { listeners.append(try GatewayListener(inherited: descriptor.number)) }
    if !listeners.isEmpty { return listeners }
    for address in addresses.isEmpty ? [defaultAddress] : addresses { listeners.append(try GatewayListener(address)) }
    return listeners
  }
}
