import GraphEngine
import Linux
import WireProtocol

extension HelloRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    dispatcher.hello(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func hello(_ request: HelloRequest, _ exchange: Exchange) {
    let credentials = exchange.client.credentials
    exchange.reply(
      HelloReply(
        version: programVersion, commit: programCommit, capabilities: RequestDeclaration.all.flatMap(\.capabilities),
        epoch: hub.epochs.process, generation: Int(hub.runtime.generation),
        user: (credentials.userID, credentials.groupID), limits: control.limits,
        paths: exchange.client.isPrivileged ? control.paths() : nil))
  }
}
