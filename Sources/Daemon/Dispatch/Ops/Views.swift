import GraphEngine
import GraphModel
import JSON
import WireProtocol

extension ViewsRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    dispatcher.views(exchange)
    return .next
  }
}

extension Dispatcher {
  /// Answers with the views, each with the entries that the client may see; a view without any is hidden.
  func views(_ exchange: Exchange) {
    let views = hub.runtime.configuration.views.compactMap { view in
      view.members(showing: view.entries.compactMap { members(of: $0, for: exchange.client) })
    }
    exchange.reply(ViewsReply(views: views))
  }

  private func members(of entry: ViewDeclaration.Entry, for client: ClientIdentity) -> JSONValue? {
    var entry = entry
    entry.curves.removeAll { hub.channel(named: $0.name, for: client)?.access.maySubscribe(client) != true }
    var members = entry.members
    if entry.isAction {
      guard let action = hub.runtime.actions[entry.name], isAction(entry.name, for: client) else { return nil }
      members["send"] = .bool(callers.access(to: action, hub.runtime.generation).mayCall(client))
    } else {
      guard let channel = hub.channel(named: entry.curves.first?.name ?? entry.name, for: client),
        channel.access.maySubscribe(client)
      else {
        return nil
      }
      members["send"] = .bool(channel.signal.acceptsValues && channel.access.maySend(client))
    }
    return .object(members)
  }
}
