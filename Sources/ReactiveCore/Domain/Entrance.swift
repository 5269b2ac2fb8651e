extension Observer {
  /// This observer for use from outside its domain: each call takes `domain` first.
  @inlinable @inline(__always) func entering(_ domain: Domain) -> Observer {
    let link = Entrance(self, domain)
    return Observer(link: link, value: { $0.receive($1) }, ending: { $0.end($1) })
  }
}

/// The way into a domain for the events of one source.
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
  /// Takes the domain to deliver an ending; if that is urgent, only if the domain is free.
  @inlinable @inline(__always) final func enter<Failure>(for ending: Ending<Failure>) -> Bool {
    ending.isUrgent ? tryEnter() : enter()
  }

  /// Leaves the delivery of an ending to the holder, which does it before it leaves: so an urgent one comes before the
  /// values of those who wait already.
  @usableFromInline final func queue<Failure>(_ ending: Ending<Failure>, _ work: @escaping () -> Void) {
    queue(work)
    // Once the domain can be had, the ending has been delivered.
    if ending.isUrgent, enter() { leave() }
  }

  /// Carries `work` out inside the domain, waiting for it if need be and allowed, else leaving it to the holder.
  @usableFromInline final func perform(_ work: @escaping () -> Void) {
    if enter() {
      work()
      leave()
    } else {
      queue(work)
    }
  }
}
