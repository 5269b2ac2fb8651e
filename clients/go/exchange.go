package signalbox

import (
	"context"
	"encoding/json"
	"sync"
)

// request is one that is not answered yet.
type request struct {
	ctx     context.Context
	id      int64
	text    []byte
	repeats bool
	answer  chan *line
}

// Request sends a request as docs/protocol.md has it, and waits for its answer, the whole line. If it repeats, it is sent
// again when a connection ended before its answer, else that is ErrConnectionLost.
func (c *Client) Request(ctx context.Context, op string, fields map[string]any, repeats bool) (json.RawMessage, error) {
	r := &request{ctx: ctx, id: c.count.Add(1), repeats: repeats, answer: make(chan *line, 1)}
	all := object{"op": op, "id": r.id}
	for name, value := range fields {
		all[name] = value
	}
	var err error
	if r.text, err = encode(all); err != nil {
		return nil, err
	}
	queue := c.queue
	for {
		select {
		case queue <- r:
			queue = nil
		case l := <-r.answer:
			if l.Err != nil {
				return nil, l.Err
			}
			return l.text, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.ctx.Done():
			return nil, ErrClosed
		}
	}
}

// serve makes a connection whenever there is something to ask.
func (c *Client) serve() {
	backoff := c.newBackoff()
	for {
		if len(c.open) == 0 {
			select {
			case r := <-c.queue:
				c.open = append(c.open, r)
			case <-c.ctx.Done():
				return
			}
		}
		isConnected := c.exchange(backoff)
		var left []*request
		for _, r := range c.open {
			switch {
			case r.ctx.Err() != nil: // Nobody waits for it any more.
			case r.repeats || !isConnected:
				left = append(left, r)
			default:
				r.answer <- &line{Event: Event{Err: ErrConnectionLost}}
			}
		}
		c.open = left
		if len(left) > 0 && backoff.pause(c.ctx) != nil {
			return
		}
	}
}

// exchange makes a connection, if it can, and sends and answers requests until that ends.
func (c *Client) exchange(backoff *backoff) (isConnected bool) {
	conn, err := c.dial(c.ctx)
	if err != nil {
		return false
	}
	var writer sync.WaitGroup
	writer.Add(1)
	again := append([]*request(nil), c.open...)
	go func() {
		defer writer.Done()
		defer conn.close()
		c.sendRequests(conn, again)
	}()
	for {
		l, err := conn.read()
		if err != nil || l.ID == nil && l.Err.isOfConnection() {
			break
		}
		backoff.reset()
		c.takeAnswer(l)
	}
	conn.close()
	writer.Wait()
	return true
}

func (c *Client) sendRequests(conn *connection, again []*request) {
	for _, r := range again {
		if _, err := conn.Write(r.text); err != nil {
			return
		}
	}
	for {
		select {
		case r := <-c.queue:
			c.mutex.Lock()
			c.open = append(c.open, r)
			c.mutex.Unlock()
			if _, err := conn.Write(r.text); err != nil {
				return
			}
		case <-conn.ctx.Done():
			return
		}
	}
}

func (c *Client) takeAnswer(l *line) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i, r := range c.open {
		// Answers come in order, so one without an id is that of the oldest request.
		if l.ID != nil && *l.ID != r.id {
			continue
		}
		// A daemon that ends has not answered a request that is sent again.
		if !r.repeats || l.Err == nil || l.Err.Code != CodeShuttingDown {
			c.open = append(c.open[:i], c.open[i+1:]...)
			r.answer <- l
		}
		return
	}
}
