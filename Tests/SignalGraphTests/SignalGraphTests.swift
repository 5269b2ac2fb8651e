// Tests of SignalGraph
