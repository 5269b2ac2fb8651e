package signalbox

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

const attached = `{"reply":"attach","id":0,"connections":[{"connection":"hall","kind":"plc","settings":{"a":1}}],` +
	`"declarations":[{"signal":"g.a","role":"source","kind":"plc","connection":"hall","settings":{"register":7},"position":"9"}]}`

func next[E AdapterEvent](t *testing.T, a *Adapter) E {
	t.Helper()
	select {
	case event := <-a.Events():
		if expected, ok := event.(E); ok {
			return expected
		}
		t.Fatalf("%#v", event)
	case <-time.After(10 * time.Second):
		t.Fatal("no event")
	}
	panic("unreachable")
}

func TestAdapterTakesTasksAndSendsValues(t *testing.T) {
	asked := make(chan map[string]any, 10)
	client := serve(t, func(p peer) {
		asked <- p.ask()
		p.say(attached)
		p.say(`{"event":"task","task":1,"signal":"g.s","role":"action","connection":"hall","value":5,"request":{"r":1},"attempt":2,"key":"k","deadline":60}`)
		p.say(`{"event":"task","task":2,"signal":"g.s","role":"action","connection":"hall","request":{},"attempt":1,"key":"l"}`)
		p.say(`{"event":"cancel","task":3}`)
		p.say(`{"event":"declared","connections":[],"removed":["g.a"]}`)
		for i := 0; i < 4; i++ {
			asked <- p.ask()
		}
		p.say(`{"reply":"send","id":1,"signal":"g.a","seq":1}`)
		p.say(`{"reply":"error","id":2,"op":"send","error":{"code":"busy","message":"later"}}`)
		p.ask()
	})
	adapter := client.Attach(context.Background(), []string{"plc"}, 2)
	declared := next[*Declared](t, adapter)
	if !declared.IsNew || string(declared.Connections["hall"]) != `{"a":1}` || declared.Added[0].Position != "9" {
		t.Errorf("%+v", declared)
	}
	first, second := next[*Task](t, adapter), next[*Task](t, adapter)
	if first.Number != 1 || first.Attempt != 2 || string(first.Value) != "5" || first.Deadline.IsZero() || !second.Deadline.IsZero() {
		t.Errorf("%+v %+v", first, second)
	}
	if cancelled := next[*Cancelled](t, adapter); cancelled.Number != 3 {
		t.Error(cancelled)
	}
	if change := next[*Declared](t, adapter); change.IsNew || len(change.Connections) != 0 || change.Removed[0] != "g.a" {
		t.Errorf("%+v", change)
	}
	for _, err := range []error{
		adapter.Done(first, &Output{Payload: []byte{0xff}, ContentType: "x/y"}),
		adapter.Failed(second, TaskError{Code: "timeout", Message: "late", Retry: true, After: 2500 * time.Millisecond}),
		adapter.Send("g.a", &Output{Value: 1}, "10"),
		adapter.Send("g.a", &Output{Payload: []byte("2")}, ""),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, expected := range []map[string]any{
		{"op": "attach", "id": 0.0, "kinds": []any{"plc"}, "window": 2.0},
		{"op": "acknowledge", "task": 1.0, "result": "done", "payload_base64": "/w==", "content_type": "x/y"},
		{"op": "acknowledge", "task": 2.0, "result": "failed", "retry": true, "after": 2.5,
			"error": map[string]any{"code": "timeout", "message": "late"}},
		{"op": "send", "id": 1.0, "signal": "g.a", "value": 1.0, "position": "10"},
		{"op": "send", "id": 2.0, "signal": "g.a", "payload": "2"},
	} {
		if request := <-asked; !reflect.DeepEqual(request, expected) {
			t.Errorf("%v, not %v", request, expected)
		}
	}
	if delivered := next[*Delivered](t, adapter); delivered.Position != "10" || delivered.Err != nil {
		t.Error(delivered)
	}
	if delivered := next[*Delivered](t, adapter); delivered.Err == nil || delivered.Err.Code != CodeBusy {
		t.Error(delivered)
	}
	client.Close()
}

func TestAdapterAttachesAgain(t *testing.T) {
	client := serve(t,
		func(p peer) { p.ask(); p.say(attached) },
		func(p peer) {
			p.ask()
			p.say(`{"reply":"error","id":0,"op":"attach","error":{"code":"busy","message":"another"}}`)
		},
		func(p peer) { p.ask(); p.say(attached); p.ask() })
	adapter := client.Attach(context.Background(), []string{"plc"}, 1)
	for i := 0; i < 2; i++ {
		if declared := next[*Declared](t, adapter); !declared.IsNew {
			t.Error(declared)
		}
	}
	client.Close()
}

func TestAdapterEndsWhereItIsNotAllowed(t *testing.T) {
	client := serve(t, func(p peer) {
		p.ask()
		p.say(`{"reply":"error","id":0,"op":"attach","error":{"code":"denied","message":"no"}}`)
	})
	adapter := client.Attach(context.Background(), []string{"plc"}, 1)
	for range adapter.Events() {
		t.Error("an event")
	}
	if !errors.Is(adapter.Err(), &Error{Code: CodeDenied}) {
		t.Error(adapter.Err())
	}
}
