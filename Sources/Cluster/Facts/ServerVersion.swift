internal import JSON

/// The version of a server as far as the streams that it makes tell it, and when such a server syncs files to disk.
package struct ServerVersion: Equatable, Sendable {
  /// The version, `2.12.8`, or the first part of it.
  package let text: String
  /// True if it has a setting for syncing.
  package let hasSyncSetting: Bool

  /// Reads the reply to the creation of a stream: servers tell their version from 2.11 on, and the compression from 2.10
  /// on.
  init?(creation payload: [UInt8]) {
    guard case .object(let reply)? = try? JSONParser.value(onThisThread: payload.span),
      let configuration = reply.nested("config")
    else { return nil }
    let version = configuration.nested("metadata")?.string("_nats.ver")
    hasSyncSetting = version != nil || configuration["compression"] != nil
    text = version ?? (hasSyncSetting ? "2.10" : "2.9")
  }

  package var syncing: String {
    hasSyncSetting
      ? "files are synced every two minutes, unless the server's configuration has \"sync_interval: always\", which it "
        + "tells no client"
      : "files are synced every one or two minutes: a majority that loses power loses acknowledged values; from 2.10 on "
        + "\"sync_interval: always\" prevents that"
  }
}
