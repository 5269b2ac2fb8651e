import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs.
  ///
  /// The time counts from a test's start, and a suspended test resumes only when a thread of the pool is free: under a
  /// sanitizer that can be as late as the end of all other tests. So the limit is far above the duration of any run.
  static var endsIfItHangs: Self { .timeLimit(.minutes(20)) }
}
