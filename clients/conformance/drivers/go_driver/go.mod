module driver

go 1.19

require github.com/signalbox/signalbox/clients/go v0.0.0

replace github.com/signalbox/signalbox/clients/go => ../../../go
