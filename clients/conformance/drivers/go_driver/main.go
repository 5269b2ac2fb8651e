// The driver of the Go library; README.md describes its language.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	signalbox "github.com/signalbox/signalbox/clients/go"
)

type object map[string]any

type command struct {
	Do        string
	As        string
	Socket    string
	Backoff   []int
	Signal    string
	Pattern   string
	Action    string
	Value     json.RawMessage
	Values    []json.RawMessage
	Event     signalbox.EventKind
	Error     *signalbox.Error
	MessageID string `json:"message_id"`
	Replay    *uint64
	Take      uint64
	Where     string
	Position  map[string]signalbox.Place
	Times     bool `json:"timestamps"`
}

// thing is a subscription or a call that can be cancelled, and paused.
type thing struct {
	cancel context.CancelFunc
	gate   sync.Mutex
}

var (
	mutex  sync.Mutex
	output = bufio.NewWriter(os.Stdout)
	things = map[string]*thing{}
	client *signalbox.Client
)

// tell writes a line, unless it is of something that was cancelled.
func tell(of *thing, line object) bool {
	mutex.Lock()
	defer mutex.Unlock()
	if of != nil && things[line["as"].(string)] != of {
		return false
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	output.Write(append(text, '\n'))
	output.Flush()
	return true
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<26)
	for scanner.Scan() {
		var c command
		if err := json.Unmarshal(scanner.Bytes(), &c); err != nil {
			panic(err)
		}
		carryOut(c)
	}
}

func carryOut(c command) {
	mutex.Lock()
	one := things[c.As]
	mutex.Unlock()
	switch c.Do {
	case "connect", "close":
		if client != nil {
			client.Close()
		}
		mutex.Lock()
		things = map[string]*thing{}
		mutex.Unlock()
		if c.Do == "connect" {
			client = signalbox.New(&signalbox.Options{
				Path: c.Socket, Backoff: time.Duration(c.Backoff[0])*time.Millisecond + 1,
				MaxBackoff: time.Duration(c.Backoff[1]) * time.Millisecond})
		}
		tell(nil, object{"did": c.Do})
	case "cancel":
		mutex.Lock()
		delete(things, c.As)
		mutex.Unlock()
		one.cancel()
		tell(nil, object{"did": c.Do, "as": c.As})
	case "pause":
		one.gate.Lock()
		tell(nil, object{"did": c.Do, "as": c.As})
	case "resume":
		one.gate.Unlock()
		tell(nil, object{"did": c.Do, "as": c.As})
	default:
		ctx, cancel := context.WithCancel(context.Background())
		one := &thing{cancel: cancel}
		mutex.Lock()
		things[c.As] = one
		mutex.Unlock()
		go func(client *signalbox.Client) {
			err := work(ctx, client, one, c)
			var refusal *signalbox.Error
			if errors.As(err, &refusal) {
				tell(one, object{"failed": c.Do, "as": c.As, "code": refusal.Code})
			}
		}(client)
	}
}

func work(ctx context.Context, client *signalbox.Client, one *thing, c command) error {
	done := object{"did": c.Do, "as": c.As}
	var err error
	switch c.Do {
	case "subscribe":
		return subscribe(ctx, client, one, c)
	case "send":
		var sent signalbox.Sent
		switch {
		case c.Values != nil:
			sent, err = signalbox.SendValues(ctx, client, c.Signal, c.Values, c.MessageID)
		case c.Event != "":
			sent, err = client.End(ctx, c.Signal, c.Event, c.Error, c.MessageID)
		default:
			sent, err = client.Send(ctx, c.Signal, c.Value, c.MessageID)
		}
		done["seq"] = sent.Seq
	case "get":
		var held signalbox.Held
		held, err = client.Get(ctx, c.Signal)
		done["seq"], done["value"] = held.Seq, held.Value
	case "list":
		var signals []signalbox.ListedSignal
		signals, err = client.List(ctx, c.Pattern)
		names := []string{}
		for _, signal := range signals {
			names = append(names, signal.Signal)
		}
		done["signals"] = names
	case "describe":
		var description signalbox.Description
		description, err = client.Describe(ctx, c.Signal)
		done["kind"] = description.Kind
	case "ping":
		err = client.Ping(ctx)
	case "hello":
		var hello signalbox.Hello
		hello, err = client.Hello(ctx)
		done["server"], done["protocol"] = hello.Server, hello.Protocol
	case "call":
		var value any
		if c.Value != nil {
			value = c.Value
		}
		err = client.Call(ctx, c.Action, value, func(output json.RawMessage) error {
			tell(one, object{"as": c.As, "event": "next", "value": output})
			return nil
		})
	}
	if err == nil {
		tell(one, done)
	}
	return err
}

func subscribe(ctx context.Context, client *signalbox.Client, one *thing, c command) error {
	subscription, err := client.Subscribe(ctx, c.Signal, &signalbox.SubscribeOptions{
		Replay: c.Replay, Take: c.Take, Where: c.Where, Timestamps: c.Times, Position: c.Position})
	if err != nil {
		return err
	}
	tell(one, object{"did": c.Do, "as": c.As})
	for {
		one.gate.Lock()
		//lint:ignore SA2001 whoever pauses holds it
		one.gate.Unlock()
		event, isOpen := <-subscription.Events()
		if !isOpen {
			return subscription.Err()
		}
		line := object{"as": c.As, "event": event.Kind, "signal": event.Signal}
		switch event.Kind {
		case signalbox.Next:
			line["seq"], line["value"] = event.Seq, event.Value
		case signalbox.Failed:
			line["error"] = event.Err.Details
		case signalbox.Expired:
			line["from"], line["oldest"] = event.Last, event.Oldest
		case signalbox.Lagged:
			line["dropped"] = event.Dropped
		case signalbox.Restarted, signalbox.Renewed:
			line["epoch"] = event.Epoch
		case signalbox.Subscribed, signalbox.Alive:
			line["seq"] = event.Seq
		}
		if event.At != "" {
			line["at"] = event.At
		}
		if event.Reason != "" {
			line["reason"] = event.Reason
		}
		if !tell(one, line) {
			return nil
		}
	}
}
