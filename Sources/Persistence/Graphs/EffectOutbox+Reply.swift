extension EffectOutbox {
  /// Adds a client that waits for its message to be committed.
  func append(_ reply: DurableGraphs.Reply, _ outcome: DurableGraphs.Outcome) {
    switch reply {
    case .answer(let answer): append(.answer { error in answer(error.map { .failure($0) } ?? .success(outcome)) })
    case .count(let client): append(unanswered: client)
    }
  }
}
