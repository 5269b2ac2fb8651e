import Glibc

/// The address of a Unix socket in the file system.
struct UnixAddress {
  /// The maximum path length in bytes for `sockaddr_un`, including the terminating zero.
  static let capacity = 108

  private var storage = sockaddr_un()
  let path: String

  init(path: String) throws(Errno) {
    self.path = path
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < Self.capacity, !bytes.contains(0) else {
      throw Errno(bytes.count < Self.capacity ? EINVAL : ENAMETOOLONG, call: "socket path", subject: path)
    }
    storage.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Calls a closure with the address as a C structure.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Returns the path that a socket is bound to (`getsockname(2)`); `nil` if it has none.
  static func name(of descriptor: borrowing OwnedDescriptor) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let number = descriptor.number
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    let familySize = MemoryLayout<sa_family_t>.size
    guard result == 0, length > familySize else { return nil }
    let name = withUnsafeBytes(of: address.sun_path) { bytes in
      Array(bytes.prefix(Int(length) - familySize).prefix { $0 != 0 })
    }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
