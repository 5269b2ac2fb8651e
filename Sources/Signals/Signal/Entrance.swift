extension Observer {
  /// Returns this observer for use from outside its domain: each call takes `domain` first.
  @inlinable @inline(__always) package func entering(_ domain: Domain) -> Observer {
    let link = Entrance(self, domain)
    return Observer(link: link, value: { $0.receive($1) }, ending: { $0.end($1) })
  }
}

/// The entry into a domain for the events of one source.
@usableFromInline final class Entrance<Value, Failure: Error> {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let domain: Domain

  @inlinable init(_ observer: Observer<Value, Failure>, _ domain: Domain) {
    self.observer = observer
    self.domain = domain
  }

  @inlinable @inline(__always) func receive(_ value: Value) {
    if domain.enter() {
      observer.receive(value)
      domain.leave()
    } else {
      domain.queue { [observer] in observer.receive(value) }
    }
  }

  @inlinable func end(_ ending: Ending<Failure>) {
    if domain.enter() {
      observer.end(ending)
      domain.leave()
    } else {
      domain.queue { [observer] in observer.end(ending) }
    }
  }
}

extension Domain {
  /// Takes the domain to deliver an ending; an urgent one only takes a free domain.
  @inlinable @inline(__always) final func enter<Failure>(for ending: Ending<Failure>) -> Bool {
    ending.isUrgent ? tryEnter() : enter()
  }

  /// Queues the delivery of an ending for the holder, which runs it before it leaves: an urgent one precedes the values
  /// of waiting threads.
  @usableFromInline final func queue<Failure>(_ ending: Ending<Failure>, _ work: @escaping () -> Void) {
    queue(work)
    // Once the domain is available, the ending has been delivered.
    if ending.isUrgent, enter() { leave() }
  }

  /// Runs `work` inside the domain, waiting if necessary and allowed, else leaving it to the holder.
  @usableFromInline package final func perform(_ work: @escaping () -> Void) {
    if enter() {
      work()
      leave()
    } else {
      queue(work)
    }
  }
}
