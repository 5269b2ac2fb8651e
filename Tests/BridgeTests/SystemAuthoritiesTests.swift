import Testing

@testable import Bridge

@Suite struct `Authorities of the system` {
  @Test(arguments: [
    ([], nil), (["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"], nil),
    (["/etc/pki/tls/certs/ca-bundle.crt"], "/etc/pki/tls/certs/ca-bundle.crt"),
  ])
  func `are looked for where they are on other systems than Debian`(files: [String], expected: String?) {
    #expect(SystemAuthorities.elsewhere { files.contains($0) } == expected)
  }
}
