package signalbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// peer is the daemon's side of a connection.
type peer struct {
	t *testing.T
	net.Conn
	*bufio.Scanner
}

func (p peer) ask() map[string]any {
	fields := map[string]any{}
	if p.Scan() {
		if err := json.Unmarshal(p.Bytes(), &fields); err != nil {
			p.t.Error(err)
		}
	}
	return fields
}

func (p peer) say(format string, arguments ...any) { fmt.Fprintf(p, format+"\n", arguments...) }

func (p peer) begin() map[string]any {
	p.ask()
	request := p.ask()
	p.say(`{"reply":"hello","id":0,"epoch":"e"}`)
	p.say(`{"reply":"subscribe","id":1,"signals":[{"signal":"g.s","seq":0}],"epoch":"e"}`)
	return request
}

// serve makes a client of a daemon whose connections are handled by one function after the other.
func serve(t *testing.T, handlers ...func(peer)) *Client {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, handler := range handlers {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			handler(peer{t, connection, bufio.NewScanner(connection)})
			connection.Close()
		}
	}()
	client := New(&Options{Path: path, Backoff: time.Millisecond, MaxBackoff: 5 * time.Millisecond})
	t.Cleanup(func() {
		client.Close()
		listener.Close()
		<-done
	})
	return client
}

func lose(p peer) { p.ask() }

func answerSend(p peer) { p.say(`{"reply":"send","id":%v,"seq":7,"duplicate":true}`, p.ask()["id"]) }

func TestAMessageWithAnIDIsSentAgain(t *testing.T) {
	sent, err := serve(t, lose, answerSend).Send(context.Background(), "g.s", 1, "m")
	if err != nil || sent != (Sent{Seq: 7, Duplicate: true}) {
		t.Error(sent, err)
	}
}

func TestADaemonThatEndsHasNotAnsweredIt(t *testing.T) {
	shutDown := func(p peer) {
		p.say(`{"reply":"error","id":%v,"op":"send","error":{"code":"shutting_down","message":""}}`, p.ask()["id"])
	}
	if sent, err := serve(t, shutDown, answerSend).Send(context.Background(), "g.s", 1, "m"); err != nil || sent.Seq != 7 {
		t.Error(sent, err)
	}
}

func TestASubscriptionToANameIsOverWithItsSignal(t *testing.T) {
	client := serve(t, func(p peer) {
		p.begin()
		p.say(`{"event":"failed","signal":"g.s","error":{"code":"broken","message":""}}`)
		p.ask()
	})
	subscription, err := client.Subscribe(context.Background(), "g.s", nil)
	if err != nil {
		t.Fatal(err)
	}
	event := <-subscription.Events()
	if _, isOpen := <-subscription.Events(); isOpen || event.Kind != Failed || event.Err.Code != "broken" || subscription.Err() != nil {
		t.Error(isOpen, event, subscription.Err())
	}
}

func TestOneWithoutIsNot(t *testing.T) {
	if _, err := serve(t, lose).Send(context.Background(), "g.s", 1, ""); !errors.Is(err, ErrConnectionLost) {
		t.Error(err)
	}
}

func TestARequestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	client := New(&Options{Path: filepath.Join(t.TempDir(), "nobody")})
	defer client.Close()
	if err := client.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := client.Subscribe(ctx, "g.s", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestASubscriptionGoesOnBehindTheLastValueAndTellsWhatIsLost(t *testing.T) {
	var requests []map[string]any
	client := serve(t, func(p peer) {
		requests = append(requests, p.begin())
		p.say(`{"event":"next","signal":"g.s","seq":1,"value":"<a>"}`)
		p.ask()
	}, func(p peer) {
		p.ask()
		requests = append(requests, p.ask())
		p.say(`{"reply":"hello","id":0,"epoch":"e"}`)
		p.say(`{"reply":"error","id":1,"op":"subscribe","error":{"code":"expired","message":"","oldest":4}}`)
		p.ask()
		p.say(`{"reply":"subscribe","id":1,"signals":[{"signal":"g.s","seq":4}],"epoch":"e"}`)
		p.say(`{"event":"next","signal":"g.s","seq":4,"value":4}`)
		p.ask()
	})
	subscription, err := client.Subscribe(context.Background(), "g.s", &SubscribeOptions{Take: 2})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []EventKind
	for event := range subscription.Events() {
		kinds = append(kinds, event.Kind)
		if event.Kind == Expired && (event.Last != 1 || event.Oldest != 4) {
			t.Error(event)
		}
	}
	if !reflect.DeepEqual(kinds, []EventKind{Next, Expired, Next, Ended}) || subscription.Err() != nil {
		t.Error(kinds, subscription.Err())
	}
	if requests[1]["from"] != 1.0 || requests[1]["take"] != 1.0 {
		t.Error(requests)
	}
}

func TestClosingEndsASubscriptionThatWaits(t *testing.T) {
	client := serve(t, func(p peer) {
		p.begin()
		p.ask()
		p.ask()
	})
	subscription, err := client.Subscribe(context.Background(), "g.s", nil)
	if err != nil {
		t.Fatal(err)
	}
	subscription.Close()
	if _, isOpen := <-subscription.Events(); isOpen {
		t.Error("an event came")
	}
}

func TestARefusalHasItsCode(t *testing.T) {
	client := serve(t, func(p peer) {
		p.ask()
		p.ask()
		p.say(`{"reply":"error","id":1,"op":"subscribe","error":{"code":"unknown_signal","message":"none"}}`)
		p.ask()
	})
	_, err := client.Subscribe(context.Background(), "g.s", nil)
	if !errors.Is(err, &Error{Code: CodeUnknownSignal}) {
		t.Error(err)
	}
}
