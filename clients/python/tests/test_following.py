import json
import unittest

from signalbox import ErrorCode, SignalboxError
from signalbox._connection import LineSplitter, encode, pauses
from signalbox._exchange import Calling, Reconnect
from signalbox._following import Following


def told(events):
    return [(event.kind, event.signal, event.seq if event.seq is not None else event.last or event.dropped) for event in events]


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


class FollowingTests(unittest.TestCase):
    """A subscription, line by line."""

    def follow(self, signal="g.s", **options):
        self.following = Following((0, 0), signal, **options)
        return self.connect()

    def connect(self):
        hello, request = objects(self.following.connect())
        self.assertEqual(hello["op"], "hello")
        self.receive({"reply": "hello", "id": 0, "epoch": "e"})
        return request

    def receive(self, line):
        """The events that a line makes; `self.said` is what it has said to the daemon."""
        self.said = objects(self.following.receive(encode(line)))
        events = []
        while self.following.events:
            events.append(self.following.pop())
        return events

    def answer(self, **signals):
        names = [{"signal": name.replace("_", "."), "seq": seq} for name, seq in signals.items()]
        return told(self.receive({"reply": "subscribe", "id": 1, "signals": names, "epoch": "e"}))

    def value(self, seq, signal="g.s"):
        return told(self.receive({"event": "next", "signal": signal, "seq": seq, "value": 0}))

    def settle(self):
        return told(self.receive({"reply": "ping", "id": 2}))

    def refuse(self, code, **details):
        error = {"code": code, "message": "", **details}
        return told(self.receive({"reply": "error", "id": 1, "op": "subscribe", "error": error}))

    def test_goes_on_behind_the_last_value_of_a_name(self):
        self.assertNotIn("from", self.follow(replay=3))
        self.answer(g_s=5)
        self.assertEqual(self.value(3), [("next", "g.s", 3)])
        request = self.connect()
        self.assertEqual((request["from"], request["epoch"]), (3, "e"))
        self.assertNotIn("replay", request)

    def test_goes_on_behind_the_number_at_the_beginning_if_only_new_values_are_wanted(self):
        self.follow(replay=0)
        self.answer(g_s=5)
        self.assertEqual(self.connect()["from"], 5)

    def test_what_is_retained_and_has_not_come_is_asked_for_again(self):
        self.follow(replay=2)
        self.answer(g_s=5)
        self.assertEqual(self.connect()["from"], 3)
        self.refuse("expired", oldest=5)
        self.assertNotIn("from", self.said[0])
        self.answer(g_s=6)
        self.assertEqual(self.value(5), [("next", "g.s", 5)])

    def test_lost_values_are_told_with_their_numbers(self):
        self.follow()
        self.answer(g_s=0)
        self.value(1)
        self.connect()
        self.assertEqual(self.refuse("expired", oldest=4), [])
        self.assertEqual(self.answer(g_s=5), [])
        self.assertEqual(self.value(4), [("expired", "g.s", 1), ("next", "g.s", 4)])

    def test_values_that_came_and_went_are_told_when_all_that_is_retained_has_come(self):
        self.follow()
        self.answer(g_s=3)
        self.settle()
        self.connect()
        self.refuse("expired", oldest=9)
        self.answer(g_s=8)
        events = self.receive({"reply": "ping", "id": 2})
        self.assertEqual((events[0].kind, events[0].last, events[0].oldest), ("expired", 3, 9))

    def test_no_value_comes_twice(self):
        self.follow()
        self.answer(g_s=2)
        self.value(1), self.value(2)
        self.connect()
        self.refuse("too_long")
        self.answer(g_s=3)
        self.assertEqual([self.value(1), self.value(2), self.value(3)], [[], [], [("next", "g.s", 3)]])

    def test_a_pattern_goes_on_behind_each_signal(self):
        self.follow("g.*")
        self.answer(g_a=0, g_b=4)
        self.value(1, "g.a")
        self.assertEqual(self.connect()["from"], {"g.a": {"seq": 1, "epoch": "e"}})

    def test_signals_that_come_and_go_in_a_break_are_told(self):
        self.follow("g.*")
        self.answer(g_a=0, g_b=4)
        self.settle()
        self.connect()
        self.assertEqual(self.answer(g_a=0, g_c=2), [("subscribed", "g.c", 2), ("interrupted", "g.b", None)])

    def test_a_name_that_is_gone_has_been_removed(self):
        self.follow()
        self.answer(g_s=0)
        self.connect()
        self.assertEqual(self.refuse("unknown_signal"), [("interrupted", "g.s", None)])
        self.assertTrue(self.following.is_over)

    def test_a_first_refusal_is_an_error_and_a_full_daemon_is_not(self):
        self.follow()
        with self.assertRaises(Reconnect):
            self.refuse("too_many")
        with self.assertRaises(SignalboxError) as raised:
            self.refuse("unknown_signal")
        self.assertEqual(raised.exception.code, ErrorCode.UNKNOWN_SIGNAL)

    def test_an_ending_is_told_once_and_that_of_the_daemon_not_at_all(self):
        self.follow("g.*")
        self.answer(g_a=0, g_b=0)
        ending = {"event": "completed", "signal": "g.a"}
        self.assertEqual(told(self.receive(ending)), [("completed", "g.a", None)])
        shutdown = {"event": "interrupted", "signal": "g.b", "reason": "shutting_down"}
        self.assertEqual(self.receive(shutdown), [])
        self.connect()
        self.answer(g_a=0, g_b=0)
        self.assertEqual(self.receive(ending), [])

    def test_a_daemon_that_was_replaced_requires_another_connection(self):
        for signal in "g.s", "g.*":
            self.follow(signal)
            self.answer(g_s=0)
            self.value(1)
            with self.assertRaises(Reconnect):
                self.receive({"event": "interrupted", "signal": "g.s", "reason": "restarted"})
            self.assertFalse(self.following.is_over)
            self.assertIn("from", self.connect())

    def test_a_replaced_daemon_that_refuses_the_condition_says_so(self):
        self.follow(where="nonsense")
        self.answer(g_s=0)
        with self.assertRaises(Reconnect):
            self.receive({"event": "interrupted", "signal": "g.s", "reason": "restarted"})
        self.connect()
        self.refuse("bad_request")
        with self.assertRaises(SignalboxError) as raised:
            self.refuse("bad_request")
        self.assertEqual(raised.exception.code, ErrorCode.BAD_REQUEST)

    def test_a_subscription_to_a_name_is_over_with_its_signal(self):
        self.follow()
        self.answer(g_s=0)
        self.assertEqual(told(self.receive({"event": "completed", "signal": "g.s"})), [("completed", "g.s", None)])
        self.assertTrue(self.following.is_over)

    def test_take_is_counted_over_all_connections(self):
        self.assertEqual(self.follow(take=2)["take"], 2)
        self.answer(g_s=0)
        self.value(1)
        self.assertEqual(self.connect()["take"], 1)
        self.answer(g_s=1)
        self.assertEqual(self.value(2), [("next", "g.s", 2), ("ended", "g.s", None)])
        self.assertTrue(self.following.is_over)

    def test_renewed_after_a_break_is_a_restart_and_later_is_not(self):
        self.follow("g.*")
        self.answer(g_a=3)
        self.settle()
        renewed = {"event": "renewed", "signal": "g.a", "epoch": "f"}
        self.assertEqual(told(self.receive(renewed)), [("renewed", "g.a", None)])
        self.connect()
        self.answer(g_a=3)
        self.assertEqual(told(self.receive(renewed)), [("restarted", "g.a", None)])

    def test_only_wanted_values_make_no_gaps(self):
        self.follow(where=". > 1")
        self.answer(g_s=0)
        self.assertEqual(self.value(5), [("next", "g.s", 5)])
        self.connect()
        self.refuse("expired", oldest=9)
        self.assertEqual(self.answer(g_s=12), [("expired", "g.s", 5)])
        self.assertEqual(self.connect()["from"], 8)


class LineTests(unittest.TestCase):
    def test_lines_are_cut_wherever_the_bytes_are(self):
        text = encode({"value": "ü\n", "id": None}) + encode({"a": 1})
        for size in range(1, len(text) + 1):
            splitter = LineSplitter()
            lines = [line for at in range(0, len(text), size) for line in splitter.split(text[at:at + size])]
            self.assertEqual(lines, [{"value": "ü\n"}, {"a": 1}])

    def test_pauses_double_up_to_the_longest_less_a_part(self):
        for pause, longest in zip(pauses(1, 3), (1, 2, 3, 3)):
            self.assertTrue(longest / 2 <= pause <= longest)


class CallTests(unittest.TestCase):
    """A call, by its bytes."""

    def test_outputs_come_before_the_error_that_ends_it_and_nothing_behind(self):
        calling = Calling("g.act", None)
        self.assertEqual(objects(calling.connect()), [{"op": "call", "id": 1, "action": "g.act"}])
        output = encode({"event": "next", "value": None})
        calling.receive(output + encode({"reply": "error", "error": {"code": "failed", "message": "no"}}) + output)
        self.assertTrue(calling.is_over)
        self.assertIsNone(calling.pop())
        with self.assertRaises(SignalboxError) as raised:
            calling.pop()
        self.assertEqual((raised.exception.code, len(calling.events)), ("failed", 0))


if __name__ == "__main__":
    unittest.main()
