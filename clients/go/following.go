package signalbox

import (
	"encoding/json"
	"errors"
	"strings"
)

// errReconnect says that another connection may do better.
var errReconnect = errors.New("the connection is of no use")

// place is how far the values of a signal have come.
type place struct {
	epoch string
	// seq is the last number that came, if hasSeq; else all that is retained may still come.
	seq    uint64
	hasSeq bool
	// floor is, without a value so far, the number above which none may be missing.
	floor uint64
	ended bool
}

func (p *place) base() uint64 {
	if p.hasSeq && p.seq > p.floor {
		return p.seq
	}
	return p.floor
}

func (p *place) isKnown() bool { return p.hasSeq || p.floor > 0 }

func (p *place) reach(seq uint64) {
	if !p.hasSeq || seq > p.seq {
		p.seq, p.hasSeq = seq, true
	}
}

// following is a subscription over all connections, without input or output. clients/README.md explains the state
// machine, which all libraries have.
type following struct {
	signal     string
	options    SubscribeOptions
	isName     bool
	isThinned  bool
	left       uint64
	epoch      string
	places     map[string]*place
	reached    map[string]uint64
	oldest     uint64
	hasBegun   bool
	hasFrom    bool
	isResumed  bool
	isSettled  bool
	isOver     bool
	isAnswered bool
	isGreeted  bool
	output     []object
}

type object map[string]any

func newFollowing(signal string, options SubscribeOptions) *following {
	f := &following{signal: signal, options: options, left: options.Take, places: map[string]*place{}}
	f.isName = !strings.Contains(signal, "*")
	f.isThinned = options.Where != "" || options.Every > 0
	for name, one := range options.Position {
		f.places[name] = &place{epoch: one.Epoch, seq: one.Seq, hasSeq: true}
		f.hasBegun = true
	}
	return f
}

// greeting is what a connection begins with.
func (f *following) greeting() []object {
	f.isGreeted, f.output = false, nil
	return []object{{"op": "hello", "id": 0, "protocol": 1}, f.request(true)}
}

func (f *following) request(withPlaces bool) object {
	fields := object{"op": "subscribe", "id": 1, "signal": f.signal}
	f.options.addTo(fields)
	f.hasFrom = false
	if f.options.Take > 0 {
		fields["take"] = f.left
	}
	if !f.hasBegun {
		return fields
	}
	delete(fields, "replay")
	known := map[string]Place{}
	for name, p := range f.places {
		if p.hasSeq {
			known[name] = Place{Seq: p.seq, Epoch: p.epoch}
		}
	}
	if !withPlaces || len(known) == 0 {
		return fields
	}
	f.hasFrom = true
	if f.isName {
		fields["from"], fields["epoch"] = known[f.signal].Seq, known[f.signal].Epoch
	} else {
		fields["from"] = known
	}
	return fields
}

// line is what the daemon says, with the members of all its lines.
type line struct {
	Reply   string
	Event   string
	ID      *int64
	Op      string
	Error   json.RawMessage
	Signal  string
	Signals []struct {
		Signal string
		Seq    uint64
		Epoch  string
	}
	Epoch     string
	Seq       *uint64
	Value     json.RawMessage
	At        string
	Reason    string
	Dropped   uint64
	Duplicate bool
}

// receive takes a line, and says what of it the program must be told.
func (f *following) receive(l *line) ([]Event, error) {
	switch {
	case f.isOver:
		return nil, nil
	case l.Event != "":
		return f.takeEvent(l), nil
	case l.Error != nil && l.Op == "hello":
		return nil, newError(l.Error)
	case l.Error != nil:
		return f.refuse(newError(l.Error))
	case l.Reply == "hello":
		f.epoch, f.isGreeted = l.Epoch, true
	case l.Reply == "subscribe":
		f.output = append(f.output, object{"op": "ping", "id": 2})
		return f.begin(l), nil
	case l.Reply == "ping":
		return f.settle(), nil
	}
	return nil, nil
}

func (f *following) begin(l *line) (events []Event) {
	f.isResumed, f.hasBegun, f.isSettled, f.isAnswered = f.hasBegun, true, false, true
	f.reached = map[string]uint64{}
	for _, told := range l.Signals {
		name, seq, epoch := told.Signal, told.Seq, told.Epoch
		if epoch == "" {
			epoch = l.Epoch
		}
		if epoch == "" {
			epoch = f.epoch
		}
		f.reached[name] = seq
		p := f.places[name]
		switch {
		case p == nil:
			f.places[name] = f.firstPlace(seq, epoch)
			if f.isResumed && !f.isName {
				events = append(events, Event{Kind: Subscribed, Signal: name, Seq: seq, Epoch: epoch})
			}
		case !f.hasFrom && (p.epoch != epoch || seq < p.base()):
			f.places[name] = &place{epoch: epoch, floor: seq}
			events = append(events, Event{Kind: Restarted, Signal: name, Epoch: epoch})
		case f.isResumed && !f.hasFrom && f.isThinned && seq > p.base():
			events = append(events, Event{Kind: Expired, Signal: name, Last: p.base(), Oldest: f.oldest})
			// Another break must not tell it again.
			p.reach(p.base())
			if f.oldest > 0 {
				p.reach(f.oldest - 1)
			}
		}
	}
	for name, p := range f.places {
		if _, isThere := f.reached[name]; isThere {
			continue
		}
		delete(f.places, name)
		if !p.ended {
			events = append(events, Event{Kind: Interrupted, Signal: name, Reason: "removed"})
		}
	}
	return events
}

func (f *following) firstPlace(seq uint64, epoch string) *place {
	replay := f.options.Replay
	switch {
	case seq == 0 || replay != nil && *replay == 0:
		return &place{epoch: epoch, seq: seq, hasSeq: true}
	case replay == nil || f.isThinned || f.isResumed:
		return &place{epoch: epoch, floor: seq}
	case *replay >= seq:
		return &place{epoch: epoch, hasSeq: true, floor: seq}
	}
	return &place{epoch: epoch, seq: seq - *replay, hasSeq: true, floor: seq}
}

func (f *following) refuse(err *Error) ([]Event, error) {
	if f.hasFrom && (err.Code == CodeExpired || err.Code == CodeBadRequest || err.Code == CodeTooLong) {
		// Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
		var details struct {
			Oldest uint64
			Epoch  string
		}
		_ = json.Unmarshal(err.Details, &details)
		f.oldest = 0
		if details.Epoch == "" {
			f.oldest = details.Oldest
		}
		f.output = append(f.output, f.request(false))
		return nil, nil
	}
	if err.Code == CodeTooMany || err.Code == CodeShuttingDown {
		return nil, errReconnect
	}
	f.isOver = true
	if !f.isAnswered || err.Code != CodeUnknownSignal && err.Code != CodeDenied {
		return nil, err
	}
	reason := "removed"
	if err.Code == CodeDenied {
		reason = "denied"
	}
	return []Event{{Kind: Interrupted, Signal: f.signal, Reason: reason}}, nil
}

// settle takes note that all that was retained has come.
func (f *following) settle() (events []Event) {
	f.isSettled = true
	for name, seq := range f.reached {
		p := f.places[name]
		if p == nil {
			continue
		}
		if p.isKnown() && seq > p.base() && !f.isThinned {
			events = append(events, Event{Kind: Expired, Signal: name, Last: p.base(), Oldest: seq + 1})
		}
		p.reach(seq)
		p.floor = 0
	}
	return events
}

func (f *following) takeEvent(l *line) []Event {
	if l.Signal == "" {
		return nil
	}
	event := Event{Kind: EventKind(l.Event), Signal: l.Signal, At: l.At, Reason: l.Reason, Dropped: l.Dropped, Epoch: l.Epoch}
	if l.Seq != nil {
		event.Seq = *l.Seq
	}
	p := f.places[l.Signal]
	if p == nil && event.Kind != Ended {
		p = &place{epoch: f.epoch}
		f.places[l.Signal] = p
	}
	switch event.Kind {
	case Ended:
		f.isOver = true
	case Next:
		event.Value = l.Value
		return f.takeValue(event, p)
	case Completed, Failed, Interrupted:
		// A signal has not ended with the daemon: the next one goes on with it.
		if l.Reason == "shutting_down" || p.ended {
			return nil
		}
		p.ended, f.isOver = true, f.isName
		if l.Reason != "" {
			delete(f.places, l.Signal)
		}
		if l.Error != nil {
			event.Err = newError(l.Error)
		}
	case Lagged:
		if !p.hasSeq {
			p.floor = 0
		} else if p.seq += l.Dropped; f.isResumed && !f.isSettled && p.seq <= p.floor {
			return nil
		}
	case Renewed:
		if f.isResumed && !f.isSettled {
			f.places[l.Signal] = &place{epoch: l.Epoch, floor: f.reached[l.Signal]}
			event.Kind = Restarted
		} else {
			p.epoch = l.Epoch
		}
	case Subscribed:
		if event.Epoch == "" {
			event.Epoch = f.epoch
		}
		f.places[l.Signal] = &place{epoch: event.Epoch, seq: event.Seq, hasSeq: true}
	case Alive:
		if f.isSettled {
			p.reach(event.Seq)
		}
	}
	return []Event{event}
}

func (f *following) takeValue(event Event, p *place) (events []Event) {
	if p.hasSeq && event.Seq <= p.seq {
		return nil
	}
	if !f.isThinned && p.isKnown() && event.Seq > p.base()+1 {
		events = append(events, Event{Kind: Expired, Signal: event.Signal, Last: p.base(), Oldest: event.Seq})
	}
	p.seq, p.hasSeq, p.floor, p.ended = event.Seq, true, 0, false
	event.Epoch = p.epoch
	events = append(events, event)
	if f.options.Take > 0 {
		if f.left--; f.left == 0 {
			f.isOver = true
			events = append(events, Event{Kind: Ended, Signal: f.signal, Reason: "take"})
		}
	}
	return events
}
