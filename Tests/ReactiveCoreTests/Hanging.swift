import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs.
  ///
  /// The time counts from a test's start, and one that awaits something goes on only when a thread of the pool is free:
  /// under a sanitizer that can be as late as the end of all other tests. So the limit is far above what any run takes.
  static var endsIfItHangs: Self { .timeLimit(.minutes(20)) }
}
