import Cluster
import GraphEngine
import GraphModel
import Persistence
import Signals
import StateLog
import WireProtocol

// The sends of this node's clients to the owner of a log, and those of other nodes to this one.

extension ClusterHome: ClusteredHome {
  var unavailability: String? {
    if let fault { return "\(fault)" }
    return node.unavailability.map { "graph \"\(graph)\": \($0)" }
  }

  var isFollowed: Bool { hasCaughtUp }
  var isBehind: Bool { link.isBehind }

  func wait(_ sender: any Sender) { sends.append(sender) }

  func answerAfterSends(_ answer: @escaping (StorageError?) -> Void) { sends.afterSends(answer) }

  var longestSend: Int { ForwardedSend.longestRequest }

  func send(
    _ content: [UInt8], message: String?,
    reply: @escaping (Result<DurableGraphs.Outcome, ForwardedRefusal>) -> Void
  ) {
    let number = link.send(content, message: message, at: now)
    sends.sent(number)
    pending[number] = { [graph] outcome in
      switch outcome {
      case .kept(let value, let isDuplicate):
        reply(.success(DurableGraphs.Outcome(sequence: value, isDuplicate: isDuplicate)))
      case .refused(let code, let message): reply(.failure(ForwardedRefusal(code: code, message: message)))
      case .unknown:
        reply(
          .failure(
            ForwardedRefusal(
              code: ErrorCode.unavailable.rawValue,
              message: "graph \"\(graph)\" has no owner that answers; it is unknown whether the message is kept")))
      }
    }
  }

  /// Transmits the sends of this wakeup.
  func flushSends() {
    let outputs = link.flush(at: now)
    if outputs.isEmpty { return }
    perform(outputs)
    // Some may have been for this very process, which has submitted the inputs of this iteration before.
    commits?.endIteration()
  }

  func perform(_ outputs: [SendLink.Output]) {
    for output in outputs {
      switch output {
      case .transmit(let sends, let term): transmit(sends, term: term)
      case .ended(let number, let outcome):
        pending.removeValue(forKey: number)?(outcome)
        let (answers, senders) = sends.didEnd(number)
        for answer in answers { answer(nil) }
        for sender in senders { sender.proceed() }
      }
    }
  }

  private func transmit(_ sends: [ForwardedSend], term: UInt64) {
    let request = OwnerRequest(node: node.name, boot: node.boot, sends: sends)
    if term == self.term {
      return take(request) { [weak self] answers in
        guard let self else { return }
        perform(link.answered(answers, term: term, at: now))
      }
    }
    let message = OutgoingMessage(subject: form.names.ownerSubject(term: term), payload: request.bytes)
    let first = sends[0].number
    node.request(message) { [weak self] reply in
      guard let self else { return }
      // Nothing listens: the owner's process has ended, or its term.
      let answers =
        reply.status == 503
        ? AnswerList([AnswerList.Member(first, .again)]) : AnswerList(reply.payload, toFirst: first)
      if let answers { perform(link.answered(answers, term: term, at: now)) }
    }
  }

  // MARK: The owner's side

  /// Receives what other nodes send to the owner of the own term.
  func listenAsOwner() {
    guard let term, ownerSubscription == nil else { return }
    ownerSubscription = node.subscribe(form.names.ownerSubject(term: term)) { [weak self] message in
      guard let self, let reply = message.reply else { return }
      // An empty message asks for a heartbeat.
      if message.payload.isEmpty { return node.publish(OutgoingMessage(subject: reply)) }
      guard let request = OwnerRequest(message.payload) else { return }
      take(request) { [weak self] answers in
        self?.node.publish(OutgoingMessage(subject: reply, payload: answers.bytes))
      }
    }
  }

  private func take(_ request: OwnerRequest, _ answer: @escaping (AnswerList) -> Void) {
    let gathering = AnswerGathering(to: request, answer)
    for send in request.sends { take(send, of: request, gathering) }
  }

  private func take(_ send: ForwardedSend, of request: OwnerRequest, _ gathering: AnswerGathering) {
    guard isOwner, let commits, !commits.graphs.isBehind, commits.graphs.failure == nil else {
      return gathering.add(send.number, .again)
    }
    switch receivers[request.boot, default: LinkReceiver()].arrived(send) {
    case .answer(let known): return gathering.add(send.number, known)
    case .wait: return gathering.leaveOut()
    case .take: break
    }
    let settle = { [weak self] (result: SendAnswer) in
      self?.receivers[request.boot]?.answered(send.number, result)
      gathering.add(send.number, result)
    }
    guard let content = ForwardedContent(bytes: send.request),
      let mirror = node.hub.runtime.signal(named: content.signal)
    else {
      return settle(
        .refused(
          code: ErrorCode.unknownSignal.rawValue,
          message: "node \(node.name) knows no such signal: the nodes' files differ"))
    }
    do throws(DurableGraphs.Refusal) {
      try commits.graphs.send(
        content.content, to: mirror, message: send.message,
        from: EntrySender(userID: content.userID, connection: .node(request.node)),
        reply: .answer { [weak self] outcome in
          // One whose fate is unknown is sent again, to whoever owns the log then.
          guard let self, case .success(let outcome) = outcome else { return gathering.leaveOut() }
          settle(
            .kept(value: outcome.sequence, isDuplicate: outcome.isDuplicate, sequence: toldSequence ?? 0))
        })
    } catch {
      switch error {
      case .send(let reason):
        let error = WireError(reason, signal: content.signal)
        settle(.refused(code: error.code.rawValue, message: error.message))
      case .nameIsTaken:
        settle(
          .refused(
            code: ErrorCode.badRequest.rawValue,
            message: "\"message_id\" was used for another signal of graph \"\(graph)\""))
      case .storage, .over: gathering.add(send.number, .again)
      }
    }
  }
}
