// SignalGraph
