import ClusterSupport
import TestSupport
import Testing

@Suite struct Simulations {
  @Test(arguments: RandomSeeds.first(150, further: "CLUSTER_ROUNDS", from: "CLUSTER_FROM"))
  func `three nodes tell what the log says, whatever fails`(seed: Int) {
    #expect(SimulatedCluster(seed: seed).run() == nil)
  }

  @Test(arguments: Mutation.allCases)
  func `each wrong variant of the design is found`(mutation: Mutation) {
    #expect((1...400).contains { SimulatedCluster(seed: $0, mutation: mutation).run() != nil })
  }

  @Test(arguments: RandomSeeds.first(20, further: "CLUSTER_LOSSES", from: "CLUSTER_FROM"))
  func `acknowledged records that the servers lose are found, or were told by none`(seed: Int) {
    #expect(SimulatedCluster(seed: seed, losesRecords: true).run() == nil)
  }

  @Test func `the rounds contain what they are meant to test`() {
    var seen: Set<SimulatedCluster.Incident> = []
    for seed in 1...150 {
      let cluster = SimulatedCluster(seed: seed)
      _ = cluster.run()
      seen.formUnion(cluster.incidents)
    }
    #expect(SimulatedCluster.Incident.allCases.filter { !seen.contains($0) } == [])
  }
}
