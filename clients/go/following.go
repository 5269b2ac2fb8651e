package signalbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// errReconnect says that another connection may do better.
var errReconnect = errors.New("the connection is of no use")

// place is how far the values of a signal have come.
type place struct {
	// The number is the last one that came, if hasSeq; else it is 0, and all that is retained may still come.
	Place
	hasSeq bool
	// floor is, without a value so far, the number above which none may be missing.
	floor uint64
	ended bool
}

func newPlace(epoch string, seq uint64) *place {
	return &place{Place: Place{Seq: seq, Epoch: epoch}, hasSeq: true}
}

// newFloor is a place without a value so far.
func newFloor(epoch string, floor uint64) *place {
	return &place{Place: Place{Epoch: epoch}, floor: floor}
}

func (p *place) base() uint64 {
	if p.Seq > p.floor {
		return p.Seq
	}
	return p.floor
}

func (p *place) reach(seq uint64) {
	p.hasSeq = true
	if seq > p.Seq {
		p.Seq = seq
	}
}

// misses says whether values before a number cannot come any more.
func (p *place) misses(seq uint64) bool { return (p.hasSeq || p.floor > 0) && seq > p.base()+1 }

// following is a subscription over all connections, without input or output. clients/README.md explains the state
// machine, which all libraries have.
type following struct {
	signal    string
	options   SubscribeOptions
	isName    bool
	isThinned bool
	epoch     string
	places    map[string]*place
	// reached has the numbers in the answer until all up to them have come: until it settles.
	reached map[string]uint64
	// oldest is the first number that is left, as the refusal of from said.
	oldest     uint64
	hasFrom    bool
	isResumed  bool
	isAnswered bool
	isOver     bool
}

func newFollowing(signal string, options SubscribeOptions) *following {
	f := &following{signal: signal, options: options, places: map[string]*place{}}
	f.isName = !strings.Contains(signal, "*")
	f.isThinned = options.Where != "" || options.Every > 0
	for name, one := range options.Position {
		f.places[name] = newPlace(one.Epoch, one.Seq)
	}
	return f
}

// greeting is what a connection begins with.
func (f *following) greeting() []any {
	return []any{object{"op": "hello", "id": 0, "protocol": 1}, f.request(true)}
}

type subscribe struct {
	Op     string `json:"op"`
	ID     int    `json:"id"`
	Signal string `json:"signal"`
	SubscribeOptions
	Every     string `json:"every,omitempty"`
	Heartbeat string `json:"heartbeat,omitempty"`
	From      any    `json:"from,omitempty"`
	Epoch     string `json:"epoch,omitempty"`
}

func (f *following) request(withPlaces bool) subscribe {
	s := subscribe{Op: "subscribe", ID: 1, Signal: f.signal, SubscribeOptions: f.options}
	s.Every, s.Heartbeat = durationText(f.options.Every), durationText(f.options.Heartbeat)
	f.hasFrom = false
	if !f.hasBegun() {
		return s
	}
	s.Replay = nil
	known := map[string]Place{}
	for name, p := range f.places {
		if p.hasSeq {
			known[name] = p.Place
		}
	}
	if f.hasFrom = withPlaces && len(known) > 0; !f.hasFrom {
		return s
	}
	s.From = known
	if f.isName {
		s.From, s.Epoch = known[f.signal].Seq, known[f.signal].Epoch
	}
	return s
}

// hasBegun says whether there is something to go on from.
func (f *following) hasBegun() bool { return f.isAnswered || len(f.options.Position) > 0 }

func durationText(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%dus", d.Microseconds())
}

// receive takes a line, and says what of it the program must be told, and what the daemon.
func (f *following) receive(l *line) ([]Event, []any, error) {
	switch {
	case l.Kind == Interrupted && l.Reason == "restarted":
		// The signal has not ended; but this connection may stay open, and would tell no more of it.
		return nil, nil, errReconnect
	case l.Kind != "":
		return f.takeEvent(l.Event), nil, nil
	case l.Err != nil && l.Op == "hello":
		return nil, nil, l.Err
	case l.Err != nil:
		return f.refuse(l.Err)
	case l.Reply == "hello":
		f.epoch = l.Epoch
	case l.Reply == "subscribe":
		return f.begin(l), []any{object{"op": "ping", "id": 2}}, nil
	case l.Reply == "ping":
		return f.settle(), nil, nil
	}
	return nil, nil, nil
}

func (f *following) begin(l *line) (events []Event) {
	f.isResumed, f.isAnswered = f.hasBegun(), true
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
		case f.hasFrom: // It goes on there.
		case p.Epoch != epoch || seq < p.base():
			f.places[name] = newFloor(epoch, seq)
			events = append(events, Event{Kind: Restarted, Signal: name, Epoch: epoch})
		case f.isResumed && f.isThinned && seq > p.base():
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
		return newPlace(epoch, seq)
	case replay == nil || f.isThinned || f.isResumed:
		return newFloor(epoch, seq)
	}
	p := newPlace(epoch, 0)
	if p.floor = seq; *replay < seq {
		p.Seq = seq - *replay
	}
	return p
}

func (f *following) refuse(err *Error) ([]Event, []any, error) {
	switch err.Code {
	case CodeExpired, CodeBadRequest, CodeTooLong:
		if f.hasFrom {
			// Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
			var details struct {
				Oldest uint64
				Epoch  string
			}
			_ = json.Unmarshal(err.Details, &details)
			f.oldest = details.Oldest
			if details.Epoch != "" {
				f.oldest = 0
			}
			return nil, []any{f.request(false)}, nil
		}
	case CodeTooMany, CodeShuttingDown, CodeUnavailable, CodeStorage:
		return nil, nil, errReconnect
	case CodeUnknownSignal, CodeDenied:
		if f.isAnswered {
			f.isOver = true
			reason := map[ErrorCode]string{CodeUnknownSignal: "removed", CodeDenied: "denied"}[err.Code]
			return []Event{{Kind: Interrupted, Signal: f.signal, Reason: reason}}, nil, nil
		}
	}
	return nil, nil, err
}

// settle takes note that all that was retained has come.
func (f *following) settle() (events []Event) {
	for name, seq := range f.reached {
		p := f.places[name]
		if p == nil {
			continue
		}
		if !f.isThinned && p.misses(seq+1) {
			events = append(events, Event{Kind: Expired, Signal: name, Last: p.base(), Oldest: seq + 1})
		}
		p.reach(seq)
		p.floor = 0
	}
	f.reached = nil
	return events
}

// isCatchingUp says whether retained values may still come after a break.
func (f *following) isCatchingUp() bool { return f.isResumed && f.reached != nil }

func (f *following) takeEvent(event Event) []Event {
	if event.Kind == Ended {
		f.isOver = true
		return []Event{event}
	}
	if event.Signal == "" {
		return nil
	}
	p := f.places[event.Signal]
	if p == nil {
		p = newFloor(f.epoch, 0)
		f.places[event.Signal] = p
	}
	switch event.Kind {
	case Next:
		return f.takeValue(event, p)
	case Completed, Failed, Interrupted:
		// A signal has not ended with the daemon: the next one goes on with it.
		if event.Reason == "shutting_down" || p.ended {
			return nil
		}
		p.ended, f.isOver = true, f.isName
		if event.Reason != "" {
			delete(f.places, event.Signal)
		}
	case Lagged:
		if !p.hasSeq {
			p.floor = 0
		} else if p.Seq += event.Dropped; f.isCatchingUp() && p.Seq <= p.floor {
			return nil
		}
	case Renewed:
		if f.isCatchingUp() {
			f.places[event.Signal] = newFloor(event.Epoch, f.reached[event.Signal])
			event.Kind = Restarted
		} else {
			p.Epoch = event.Epoch
		}
	case Subscribed:
		if event.Epoch == "" {
			event.Epoch = f.epoch
		}
		f.places[event.Signal] = newPlace(event.Epoch, event.Seq)
	case Alive:
		if f.reached == nil {
			p.reach(event.Seq)
		}
	}
	return []Event{event}
}

func (f *following) takeValue(event Event, p *place) (events []Event) {
	if p.hasSeq && event.Seq <= p.Seq {
		return nil
	}
	if !f.isThinned && p.misses(event.Seq) {
		events = append(events, Event{Kind: Expired, Signal: event.Signal, Last: p.base(), Oldest: event.Seq})
	}
	event.Epoch = p.Epoch
	*p = *newPlace(p.Epoch, event.Seq)
	events = append(events, event)
	if f.options.Take > 0 {
		if f.options.Take--; f.options.Take == 0 {
			f.isOver = true
			events = append(events, Event{Kind: Ended, Signal: f.signal, Reason: "take"})
		}
	}
	return events
}
