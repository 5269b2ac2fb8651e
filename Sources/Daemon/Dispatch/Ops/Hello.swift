import GraphEngine
import Linux
import WireProtocol

extension Dispatcher {
  func hello(_ request: HelloRequest, _ exchange: Exchange) {
    let credentials = exchange.client.credentials
    exchange.reply(
      HelloReply(
        version: version, commit: programCommit, capabilities: Request.declarations.flatMap(\.capabilities),
        epoch: hub.epochs.process, generation: Int(hub.runtime.generation),
        user: (credentials.userID, credentials.groupID), limits: control.limits,
        paths: exchange.client.isPrivileged ? control.paths() : nil))
  }
}
