import CSystemd
import Glibc

/// A listening TCP socket.
package struct TCPListener: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// The port, including one chosen by the system.
  package let port: UInt16

  /// Listens at a numeric IPv4 or IPv6 address (`getaddrinfo(3)`); for port 0, the system chooses one.
  package init(host: String, port: UInt16) throws(Errno) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
      throw Errno(EINVAL, call: "listen address", subject: host)
    }
    defer { freeaddrinfo(found) }
    let name = "\(host):\(port)"
    let number = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if number == -1 { throw .last("socket", name) }
    let socket = OwnedDescriptor(owning: number)
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    if Glibc.bind(number, found.pointee.ai_addr, found.pointee.ai_addrlen) == -1 { throw .last("bind", name) }
    if listen(number, SOMAXCONN) == -1 { throw .last("listen", name) }
    try socket.setBlocking(false)
    self.port = try Self.port(of: socket)
    descriptor = socket
  }

  /// Takes ownership of a listening socket.
  package init(inherited descriptor: consuming OwnedDescriptor) throws(Errno) {
    try descriptor.setBlocking(false)
    port = try Self.port(of: descriptor)
    self.descriptor = descriptor
  }

  /// The port has the same offset in both address families.
  private static func port(of socket: borrowing OwnedDescriptor) throws(Errno) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let number = socket.number
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    if result == -1 { throw .last("getsockname") }
    return UInt16(bigEndian: address.sin6_port)
  }
}
