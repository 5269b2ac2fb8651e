// Tests of ReactiveCore
