import asyncio
import json
import os
import socket
import tempfile
import threading
import time
import unittest

from signalbox import Client, ConnectionLost, SignalboxError, aio


class Server:
    """A daemon for one answer after the other: each connection is handled by the next function."""

    def __init__(self, *handlers):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "s")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, args=(handlers,))
        self.thread.start()

    def serve(self, handlers):
        for handler in handlers:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as stream:
                try:
                    handler(stream)
                except (BrokenPipeError, ConnectionResetError):
                    pass

    def close(self):
        self.thread.join()
        self.listener.close()
        self.folder.cleanup()


def ask(stream):
    return json.loads(stream.readline())


def say(stream, **line):
    stream.write(json.dumps(line) + "\n")
    stream.flush()


def ask_only(stream):
    ask(stream)


def shut_down(stream):
    say(stream, reply="error", id=ask(stream)["id"], op="send", error={"code": "shutting_down", "message": "ending"})


def answer_send(stream):
    say(stream, reply="send", id=ask(stream)["id"], signal="g.s", seq=7, duplicate=True)


class PlainTests(unittest.TestCase):
    def serve(self, *handlers, **options):
        server = Server(*handlers)
        self.addCleanup(server.close)
        client = Client(server.path, backoff=(0.001, 0.01), **options)
        self.addCleanup(client.close)
        return client

    def test_a_message_with_an_id_is_sent_again(self):
        sent = self.serve(ask_only, answer_send).send("g.s", 1, message_id="m")
        self.assertEqual((sent.seq, sent.duplicate), (7, True))

    def test_a_daemon_that_ends_has_not_answered_it(self):
        self.assertEqual(self.serve(shut_down, answer_send).send("g.s", 1, message_id="m").seq, 7)

    def test_one_without_is_not(self):
        with self.assertRaises(ConnectionLost):
            self.serve(ask_only).send("g.s", 1)

    def test_a_refusal_has_its_code(self):
        def refuse(stream):
            say(stream, reply="error", id=ask(stream)["id"], error={"code": "no_value", "message": "none"})

        with self.assertRaises(SignalboxError) as raised:
            self.serve(refuse).get("g.s")
        self.assertEqual(raised.exception.code, "no_value")

    def test_a_value_that_json_does_not_have_is_an_error_at_once(self):
        client = self.serve(answer_send)
        for value in (float("nan"), object()):
            with self.assertRaises((ValueError, TypeError)):
                client.send("g.s", value, message_id="m")
        self.assertEqual(client.send("g.s", 1).seq, 7)

    def test_a_wait_for_a_daemon_that_is_not_there_lasts_as_long_as_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            client = Client(os.path.join(folder, "s"), backoff=(60, 60), timeout=0.05)
            began = time.monotonic()
            with self.assertRaises(TimeoutError):
                client.ping()
            self.assertGreaterEqual(time.monotonic() - began, 0.05)

    def test_a_client_that_is_closed_meanwhile_waits_no_longer(self):
        with tempfile.TemporaryDirectory() as folder:
            client = Client(os.path.join(folder, "s"), backoff=(60, 60), timeout=50)
            threading.Timer(0.01, client.close).start()
            with self.assertRaisesRegex(ConnectionLost, "closed"):
                client.ping()

    def test_a_call_without_a_daemon_says_why(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(ConnectionLost) as raised:
            Client(os.path.join(folder, "s")).call("g.act")
        self.assertIn("No such file", str(raised.exception))

    def test_an_answer_that_is_late_is_not_taken_for_another(self):
        def late(stream):
            ask(stream)
            stream.readline()

        client = self.serve(late, answer_send, timeout=0.05)
        with self.assertRaises(TimeoutError):
            client.ping()
        self.assertEqual(client.send("g.s", 1).seq, 7)

    def test_a_wait_with_a_bound_does_not_bound_the_next(self):
        def subscribe(stream):
            ask(stream), ask(stream)
            say(stream, reply="hello", id=0, epoch="e")
            say(stream, reply="subscribe", id=1, signals=[{"signal": "g.s", "seq": 0}], epoch="e")
            ask(stream)
            waited.wait()
            say(stream, event="next", signal="g.s", seq=1, value="there")
            stream.readlines()

        waited = threading.Event()
        with self.serve(subscribe).subscribe("g.s") as subscription:
            with self.assertRaises(TimeoutError):
                subscription.next(timeout=0.05)
            threading.Timer(0.1, waited.set).start()
            self.assertEqual(subscription.next().value, "there")

    def test_a_subscription_that_waits_is_cancelled_by_another_thread(self):
        def subscribe(stream):
            ask(stream), ask(stream)
            say(stream, reply="hello", id=0, epoch="e")
            say(stream, reply="subscribe", id=1, signals=[{"signal": "g.s", "seq": 0}], epoch="e")
            ask(stream), stream.readline()

        subscription = self.serve(subscribe).subscribe("g.s")
        threading.Timer(0.01, subscription.cancel).start()
        self.assertEqual(list(subscription), [])


class AsyncTests(unittest.TestCase):
    def test_a_wait_that_is_cancelled_loses_no_event(self):
        released = threading.Event()

        def subscribe(stream):
            ask(stream), ask(stream)
            say(stream, reply="hello", id=0, epoch="e")
            say(stream, reply="subscribe", id=1, signals=[{"signal": "g.s", "seq": 0}], epoch="e")
            released.wait()
            say(stream, event="next", signal="g.s", seq=1, value="there")
            stream.readlines()

        async def main(path):
            async with aio.Client(path) as client:
                events = await client.subscribe("g.s")
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(events.__anext__(), 0.01)
                released.set()
                self.assertEqual((await events.__anext__()).value, "there")

        server = Server(subscribe)
        self.addCleanup(server.close)
        asyncio.run(main(server.path))

    def test_a_daemon_that_ends_has_not_answered_a_message_with_an_id(self):
        async def main(path):
            async with aio.Client(path, backoff=(0.001, 0.01)) as client:
                self.assertEqual((await client.send("g.s", 1, message_id="m")).seq, 7)

        server = Server(shut_down, answer_send)
        self.addCleanup(server.close)
        asyncio.run(main(server.path))

    def test_a_value_that_json_does_not_have_is_an_error_at_once(self):
        async def main(path):
            async with aio.Client(path) as client:
                for value in (float("nan"), object()):
                    with self.assertRaises((ValueError, TypeError)):
                        await client.send("g.s", value, message_id="m")
                self.assertEqual((await client.send("g.s", 1)).seq, 7)

        server = Server(answer_send)
        self.addCleanup(server.close)
        asyncio.run(main(server.path))

    def test_a_client_that_was_closed_begins_anew(self):
        async def main(path):
            client = aio.Client(path)
            for _ in range(2):
                self.assertEqual((await client.send("g.s", 1)).seq, 7)
                await client.close()

        server = Server(answer_send, answer_send)
        self.addCleanup(server.close)
        asyncio.run(main(server.path))

    def test_requests_go_together_and_answers_find_them(self):
        def answer(stream):
            lines = [ask(stream) for _ in range(10)]
            for line in lines:
                say(stream, reply="get", id=line["id"], signal=line["signal"], seq=1, value=line["signal"])

        async def main(path):
            async with aio.Client(path) as client:
                names = [f"g.s{number}" for number in range(10)]
                held = await asyncio.gather(*(client.get(name) for name in names))
                self.assertEqual([one.value for one in held], names)

        server = Server(answer)
        self.addCleanup(server.close)
        asyncio.run(main(server.path))


if __name__ == "__main__":
    unittest.main()
