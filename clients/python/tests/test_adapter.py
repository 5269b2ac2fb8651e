import threading
import unittest

from signalbox import SignalboxError
from signalbox.adapter import Adapter, Cancelled, Declared, Sent, Task

from test_clients import Server, ask, say


def declaration(signal, position=None):
    fields = {"signal": signal, "role": "source", "kind": "plc", "connection": "hall", "settings": {"register": 7}}
    return {**fields, "position": position} if position else fields


def attach(stream, *declarations):
    request = ask(stream)
    say(
        stream, reply="attach", id=request["id"], connections=[{"connection": "hall", "kind": "plc", "settings": {"a": 1}}],
        declarations=list(declarations))
    return request


class AdapterTest(unittest.TestCase):
    def serve(self, *handlers):
        server = Server(*handlers)
        self.addCleanup(server.close)
        return server

    def test_it_is_told_what_is_declared_and_what_changes(self):
        requests = []

        def handler(stream):
            requests.append(attach(stream, declaration("g.a", position="9")))
            say(stream, event="declared", connections=[], added=[declaration("g.b")], removed=["g.a"])
            stream.readline()

        server = self.serve(handler)
        with Adapter(["plc"], window=2, path=server.path) as adapter:
            first = adapter.next(timeout=10)
            self.assertTrue(first.is_new)
            self.assertEqual((first.added[0].position, first.added[0].settings), ("9", {"register": 7}))
            self.assertEqual(adapter.connections, {"hall": {"a": 1}})
            second = adapter.next(timeout=10)
            self.assertEqual(([one.signal for one in second.added], second.removed), (["g.b"], ["g.a"]))
            self.assertEqual((list(adapter.declarations), adapter.connections), (["g.b"], {}))
        self.assertEqual(requests, [{"op": "attach", "id": 0, "kinds": ["plc"], "window": 2}])

    def test_it_acknowledges_tasks(self):
        answers = []

        def handler(stream):
            attach(stream)
            for number in (1, 2, 3):
                say(
                    stream, event="task", task=number, signal="g.s", role="action", connection="hall", value=number,
                    request={"register": 1}, attempt=1, key="k", deadline=5)
            say(stream, event="cancel", task=3)
            answers.extend(ask(stream) for _ in range(3))

        server = self.serve(handler)
        with Adapter(["plc"], path=server.path) as adapter:
            events = [adapter.next(timeout=10) for _ in range(5)]
            self.assertIsInstance(events[0], Declared)
            self.assertEqual([type(event) for event in events[1:]], [Task, Task, Task, Cancelled])
            adapter.progress(events[1], 1)
            adapter.done(events[1], payload=b"\xff")
            adapter.failed(events[2], "timeout", "late", retry=True, after=2.5)
            server.thread.join()
        self.assertEqual(answers, [
            {"op": "acknowledge", "task": 1, "result": "progress", "value": 1},
            {"op": "acknowledge", "task": 1, "result": "done", "payload_base64": "/w=="},
            {"op": "acknowledge", "task": 2, "result": "failed", "error": {"code": "timeout", "message": "late"},
             "retry": True, "after": 2.5},
        ])

    def test_it_learns_when_a_value_is_committed_or_refused(self):
        def handler(stream):
            attach(stream, declaration("g.a"))
            for number in (1, 2):
                request = ask(stream)
                self.assertEqual((request["signal"], request["value"], request["position"]), ("g.a", number, str(number)))
                refusal = {"error": {"code": "busy", "message": "later"}} if number == 2 else {}
                say(stream, reply="error" if refusal else "send", id=request["id"], **refusal)
            stream.readline()

        server = self.serve(handler)
        with Adapter(["plc"], path=server.path) as adapter:
            adapter.next(timeout=10)
            adapter.send("g.a", 1, position="1")
            self.assertEqual(adapter.next(timeout=10), Sent("g.a", "1"))
            adapter.send("g.a", 2, position="2")
            refused = adapter.next(timeout=10)
            self.assertEqual((refused.position, refused.error.code), ("2", "busy"))

    def test_it_comes_back_after_a_loss_and_a_busy_daemon(self):
        def busy(stream):
            say(stream, reply="error", id=ask(stream)["id"], op="attach", error={"code": "busy", "message": "another"})

        def stay(stream):
            attach(stream)
            stream.readline()

        server = self.serve(attach, busy, stay)
        with Adapter(["plc"], path=server.path, backoff=(0.001, 0.01)) as adapter:
            self.assertTrue(adapter.next(timeout=10).is_new)
            self.assertTrue(adapter.next(timeout=10).is_new)

    def test_it_ends_where_it_is_not_allowed(self):
        def deny(stream):
            say(stream, reply="error", id=ask(stream)["id"], op="attach", error={"code": "denied", "message": "no"})

        server = self.serve(deny)
        with Adapter(["plc"], path=server.path) as adapter, self.assertRaises(SignalboxError) as caught:
            adapter.next(timeout=10)
        self.assertEqual(caught.exception.code, "denied")

    def test_a_time_limit_and_another_threads_close_end_the_wait(self):
        def handler(stream):
            attach(stream)
            stream.readline()

        server = self.serve(handler)
        adapter = Adapter(["plc"], path=server.path)
        adapter.next(timeout=10)
        self.assertIsNone(adapter.next(timeout=0.01))
        closer = threading.Timer(0.05, adapter.close)
        closer.start()
        self.assertEqual(list(adapter), [])
        closer.join()


if __name__ == "__main__":
    unittest.main()
