package signalbox

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Event is what a subscription tells. Members that its kind does not have are empty.
type Event struct {
	Kind   EventKind `json:"event"`
	Signal string
	// Seq is the number of a value; keep it with Epoch beside what you do with the value, and a later run can go on there.
	Seq   uint64
	Epoch string
	// Value is the JSON of a value, as its sender wrote it.
	Value json.RawMessage
	// At is when a value came, if that was asked for.
	At string
	// Err says why a signal has failed.
	Err *Error `json:"error"`
	// Reason says why a signal was interrupted or a subscription has ended.
	Reason string
	// Dropped is how many values are missing here.
	Dropped uint64
	// Last and Oldest belong to Expired: the last number that came, and the first that is left, 0 if that is not known.
	Last   uint64 `json:"-"`
	Oldest uint64 `json:"-"`
}

// Decode reads the value of an event.
func (e Event) Decode(into any) error { return json.Unmarshal(e.Value, into) }

// Place is how far the values of a signal have come.
type Place struct {
	Seq   uint64 `json:"seq"`
	Epoch string `json:"epoch"`
}

// SubscribeOptions says which values are wanted. Its zero value means all that are retained, and then all that come.
type SubscribeOptions struct {
	// Replay is how many retained values come first; nil for all. See Count.
	Replay *uint64 `json:"replay,omitempty"`
	// Take ends the subscription after so many values, if it is not 0.
	Take uint64 `json:"take,omitempty"`
	// Where is an expression: only values for which it is true.
	Where string `json:"where,omitempty"`
	// Every lets at most one value in that time come, the newest.
	Every time.Duration `json:"-"`
	// Heartbeat has a signal that was quiet for so long say Alive.
	Heartbeat time.Duration `json:"-"`
	Overflow  Overflow      `json:"overflow,omitempty"`
	// Timestamps says whether values tell when they came.
	Timestamps bool `json:"timestamps,omitempty"`
	// Position is where to go on, from events of an earlier run, by the names of signals.
	Position map[string]Place `json:"-"`
}

// Count is for SubscribeOptions.Replay.
func Count(count uint64) *uint64 { return &count }

// Subscription is the events of one subscription.
//
// It has a connection of its own, which is read only as far as events are received: a program that is slow holds up
// nothing but itself.
type Subscription struct {
	events chan Event
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Events gives the events; it is closed when there are no more.
func (s *Subscription) Events() <-chan Event { return s.events }

// Err says, once Events is closed, why: nil if the signal or the subscription has ended, the context's error, or the
// refusal of the daemon.
func (s *Subscription) Err() error {
	<-s.done
	return s.err
}

// Close unsubscribes: Events is closed when it returns.
func (s *Subscription) Close() {
	s.cancel()
	<-s.done
}

// Subscribe subscribes to a signal or a pattern, and returns when the daemon has answered. The subscription lives until
// the context ends, it is closed, or there are no more events.
func (c *Client) Subscribe(ctx context.Context, signal string, options *SubscribeOptions) (*Subscription, error) {
	if options == nil {
		options = &SubscribeOptions{}
	}
	ctx, cancel := c.during(ctx)
	s := &Subscription{events: make(chan Event), cancel: cancel, done: make(chan struct{})}
	f, answered := newFollowing(signal, *options), make(chan struct{})
	go func() {
		defer cancel()
		defer close(s.done)
		defer close(s.events)
		s.err = s.run(ctx, c, f, answered)
	}()
	select {
	case <-answered:
	case <-s.done:
		if !f.isAnswered {
			return nil, s.err
		}
	}
	return s, nil
}

// run makes one connection after the other, until the subscription is over.
func (s *Subscription) run(ctx context.Context, c *Client, f *following, answered chan struct{}) error {
	backoff := c.newBackoff()
	for {
		err := s.runOnce(ctx, c, f, answered, backoff)
		var refusal *Error
		if err == nil || errors.As(err, &refusal) {
			return err
		}
		if ctx.Err() != nil || backoff.pause(ctx) != nil {
			return c.endOf(ctx, err)
		}
	}
}

// runOnce follows the signal on one connection; an error that is no refusal asks for another one.
func (s *Subscription) runOnce(ctx context.Context, c *Client, f *following, answered chan struct{}, backoff *backoff) error {
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.close()
	requests := f.greeting()
	for !f.isOver {
		if err := conn.write(requests...); err != nil {
			return err
		}
		l, err := conn.read()
		if err != nil {
			return err
		}
		var events []Event
		wasAnswered := f.isAnswered
		if events, requests, err = f.receive(l); err != nil {
			return err
		}
		backoff.reset()
		if f.isAnswered && !wasAnswered {
			close(answered)
		}
		for _, event := range events {
			select {
			case s.events <- event:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}
