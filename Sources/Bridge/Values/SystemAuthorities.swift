internal import Glibc

/// The file of the authorities that this machine trusts, where the libraries do not find it by themselves.
///
/// They look where Debian has it; programs that are built there run on other systems, too.
enum SystemAuthorities {
  /// Debian's place first, then those of Fedora, of openSUSE, and of Alpine.
  private static let places = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// The file; `nil` where it is in Debian's place, or nowhere.
  static let elsewhere = elsewhere { access($0, R_OK) == 0 }

  static func elsewhere(isReadable: (String) -> Bool) -> String? {
    guard let place = places.first(where: isReadable), place != places[0] else { return nil }
    return place
  }
}
