import JSON
import SignalGraph
import WireProtocol

extension Dispatcher {
  func describe(_ request: DescribeRequest, _ exchange: Exchange) throws(WireError) {
    if let graph = request.graph {
      let channels = try channels(ofGraph: graph, for: exchange.client)
      exchange.reply(DescribeReply.graph(graph, channels.map { description(of: $0, request, for: exchange.client) }))
    } else {
      let channel = try channel(request.signal ?? "", for: exchange.client)
      exchange.reply(DescribeReply.signal(description(of: channel, request, for: exchange.client)))
    }
  }

  /// The description of a signal for a client: it names no other that the client cannot see.
  private func description(
    of channel: Channel, _ request: DescribeRequest, for client: ClientIdentity
  ) -> SignalDescription {
    let signal = channel.signal
    let isVisible: (String) -> Bool = { [hub] name in hub.channel(named: name, for: client) != nil }
    let counts = SignalDescription.Counts(
      seq: signal.sequence, subscribers: channel.subscriberCount, errors: signal.losses.errors,
      dropped: signal.losses.dropped,
      time: signal.lastTime.map(Timestamp.init(microseconds:)))
    return SignalDescription(
      signal: channel.name, kind: ListedKind(signal.kind),
      declaration: declaration(of: channel, for: client),
      upstream: signal.declaration.upstream.filter(isVisible), downstream: downstream(of: channel).filter(isVisible),
      counts: channel.access.maySubscribe(client) ? counts : nil,
      end: WireProtocol.SignalEnd(of: channel, for: client),
      place: request.place == true && seesAll(client) ? signal.declaration.place?.description : nil)
  }

  /// The declaration without what a client may not know.
  ///
  /// A signal can only be named by a scalar that is its name, so each scalar is held against all names: whatever names
  /// one, now or in times to come, is found.
  private func declaration(of channel: Channel, for client: ClientIdentity) -> JSONValue {
    var text = channel.signal.declaration.text.plain
    if case .object(var members) = text, !client.isPrivileged {
      members["access"] = nil
      text = .object(members)
    }
    return text.without { [hub] in hub.hides($0, in: channel.graph, from: client) }
  }
}

extension JSONValue {
  /// The value with `null` in the place of each string that is to be hidden.
  fileprivate func without(_ isHidden: (String) -> Bool) -> JSONValue {
    switch plain {
    case .string(let text): return isHidden(text) ? .null : self
    case .array(let elements): return .array(elements.map { $0.without(isHidden) })
    case .object(let object):
      let members = object.members.map { JSONObject.Member(key: $0.key, value: $0.value.without(isHidden)) }
      return .object(JSONObject(distinct: members))
    default: return self
    }
  }
}
