package signalbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Event is what a subscription tells. Members that its kind does not have are empty.
type Event struct {
	Kind   EventKind
	Signal string
	// Seq is the number of a value; keep it with Epoch beside what you do with the value, and a later run can go on there.
	Seq   uint64
	Epoch string
	// Value is the JSON of a value, as its sender wrote it.
	Value json.RawMessage
	// At is when a value came, if that was asked for.
	At string
	// Err says why a signal has failed.
	Err *Error
	// Reason says why a signal was interrupted or a subscription has ended.
	Reason string
	// Dropped is how many values are missing here.
	Dropped uint64
	// Last and Oldest belong to Expired: the last number that came, and the first that is left, 0 if that is not known.
	Last, Oldest uint64
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
	Replay *uint64
	// Take ends the subscription after so many values, if it is not 0.
	Take uint64
	// Where is an expression: only values for which it is true.
	Where string
	// Every lets at most one value in that time come, the newest.
	Every time.Duration
	// Heartbeat has a signal that was quiet for so long say Alive.
	Heartbeat time.Duration
	Overflow  Overflow
	// Timestamps says whether values tell when they came.
	Timestamps bool
	// Position is where to go on, from events of an earlier run, by the names of signals.
	Position map[string]Place
}

// Count is for SubscribeOptions.Replay.
func Count(count uint64) *uint64 { return &count }

func (o *SubscribeOptions) addTo(fields object) {
	if o.Replay != nil {
		fields["replay"] = *o.Replay
	}
	if o.Where != "" {
		fields["where"] = o.Where
	}
	if o.Every > 0 {
		fields["every"] = durationText(o.Every)
	}
	if o.Heartbeat > 0 {
		fields["heartbeat"] = durationText(o.Heartbeat)
	}
	if o.Overflow != "" {
		fields["overflow"] = o.Overflow
	}
	if o.Timestamps {
		fields["timestamps"] = true
	}
}

func durationText(d time.Duration) string { return fmt.Sprintf("%dus", d.Microseconds()) }

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
	answered := make(chan struct{})
	go func() {
		defer cancel()
		defer close(s.done)
		defer close(s.events)
		s.err = s.run(ctx, c, newFollowing(signal, *options), answered)
	}()
	select {
	case <-answered:
		return s, nil
	case <-s.done:
		select {
		case <-answered:
			return s, nil
		default:
			return nil, s.err
		}
	}
}

func (s *Subscription) run(ctx context.Context, c *Client, f *following, answered chan struct{}) error {
	backoff := newBackoff(c.backoff)
	isTold := false
	for {
		err := c.converse(ctx, f.greeting(), func(l *line) ([]object, error) {
			events, err := f.receive(l)
			if f.isGreeted {
				backoff.reset()
			}
			if err == nil && f.isAnswered && !isTold {
				isTold = true
				close(answered)
			}
			for _, event := range events {
				select {
				case s.events <- event:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			if err == nil && f.isOver {
				err = errOver
			}
			output := f.output
			f.output = nil
			return output, err
		})
		var refusal *Error
		switch {
		case errors.Is(err, errOver):
			return nil
		case ctx.Err() != nil:
			return c.reason(ctx)
		case errors.As(err, &refusal):
			return refusal
		}
		if err := backoff.pause(ctx); err != nil {
			return c.reason(ctx)
		}
	}
}
