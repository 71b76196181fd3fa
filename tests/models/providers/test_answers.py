"""Answers as the providers stream them, whole and not whole."""

from __future__ import annotations

import pytest

from knapper.base.cancel import CancelToken
from knapper.models.providers import exchange
from knapper.models.providers.exchange import Patience
from knapper.models.providers.ports import Citation, End, Ending, Text
from knapper.models.providers.reading import Thoughts
from knapper.text.span import Span
from tests.models.providers.asking import NOTE, PROMPT, ask, citations, end, generator, said
from tests.models.providers.streams import block, chat, chunk, cited, event, messages
from tests.models.providers.wire import Answer, Silence, stream, wire

SIZES = (1, 2, 3, 7, 61, 0)
BREAD = "Fold “the” dough 🍞 at dawn."


@pytest.mark.parametrize("size", SIZES)
def test_anthropic_answers_with_citations_however_it_is_cut(size: int) -> None:
    first, second = cited(0, 0, 1, "Fold the dough at dawn."), cited(0, 1, 2, "Bake it hot,")
    text = messages(
        block(0, "You say: "), block(1, "Fold “the”", " dough 🍞 at dawn.", citations=(first, second))
    )
    with wire(stream(text, size)) as server:
        pieces = ask(generator(server, "anthropic"))

    claim = Span(9, 9 + len(BREAD))
    assert said(pieces) == "You say: " + BREAD
    assert citations(pieces) == [
        Citation(1, claim, Span(0, 23), "Fold the dough at dawn."),
        Citation(1, claim, Span(25, len(NOTE)), "Bake it hot,"),
    ]
    assert end(pieces) == End(Ending.COMPLETE, "", 25, 15)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("provider", ["openai", "openrouter", "compatible"])
def test_chat_completions_answer_however_they_are_cut(provider: str, size: int) -> None:
    text = chat("Fold “the”", " dough 🍞", " at dawn.", comments=provider == "openrouter")
    with wire(stream(text, size)) as server:
        pieces = ask(generator(server, provider))

    assert said(pieces) == BREAD
    assert end(pieces) == End(Ending.COMPLETE, "", 11, 7)


def test_a_passage_that_is_not_there_is_not_cited() -> None:
    strange = [cited(7, 0, 1, "x"), cited(-1, 0, 1, "x"), {"type": "char_location"}, {**cited(0, 0, 1, "x")}]
    strange[3]["search_result_index"] = True
    with wire(stream(messages(block(0, "So.", citations=tuple(strange))))) as server:
        assert citations(ask(generator(server, "anthropic"))) == []


def test_a_citation_of_unknown_blocks_names_the_whole_passage() -> None:
    with wire(stream(messages(block(0, "So.", citations=(cited(0, 1, 9, "x"),))))) as server:
        pieces = ask(generator(server, "anthropic"))

    assert citations(pieces) == [Citation(1, Span(0, 3), Span(0, len(NOTE)), "x")]


@pytest.mark.parametrize(
    ("provider", "text", "how"),
    [
        ("anthropic", messages(block(0, "So"), reason="max_tokens"), Ending.CUT_OFF),
        ("anthropic", messages(block(0, "So"), reason="model_context_window_exceeded"), Ending.CUT_OFF),
        ("anthropic", messages(block(0, "So"), reason="refusal"), Ending.REFUSED),
        ("anthropic", messages(block(0, "So"), reason="stop_sequence"), Ending.COMPLETE),
        ("anthropic", messages(block(0, "So"), stop=False), Ending.INCOMPLETE),
        ("openai", chat("So", finish="length"), Ending.CUT_OFF),
        ("openai", chat("So", finish="content_filter"), Ending.REFUSED),
        ("openai", chunk({"refusal": "So"}) + chunk({}, "stop"), Ending.REFUSED),
        ("compatible", chat("So", done=False), Ending.COMPLETE),
        ("compatible", chat("So", finish=None, done=False), Ending.INCOMPLETE),
        ("compatible", chat("So", finish=None), Ending.INCOMPLETE),
    ],
)
def test_an_answer_says_how_it_ended(provider: str, text: str, how: Ending) -> None:
    with wire(stream(text)) as server:
        pieces = ask(generator(server, provider))

    assert said(pieces) == "So"
    assert end(pieces).how is how
    assert bool(end(pieces).sentence) is (how is not Ending.COMPLETE)


OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "secret words"}}


@pytest.mark.parametrize(
    ("provider", "text", "sentence"),
    [
        (
            "anthropic",
            messages(block(0, "So"), stop=False) + event(OVERLOADED),
            "Anthropic is overloaded just now: try again in a minute.",
        ),
        (
            "openrouter",
            chunk({"content": "So"})
            + chunk({"content": ""}, "error", error={"code": 502, "message": "secret words"}),
            "OpenRouter has trouble of its own (HTTP 502): try again later.",
        ),
        (
            "openai",
            chunk({"content": "So"})
            + 'data: {"error": {"message": "secret words", "type": "server_error", "code": null}}\n\n',
            "OpenAI has trouble of its own (HTTP 500): try again later.",
        ),
        (
            "openai",
            chunk({"content": "So"})
            + 'data: {"object": "error", "message": "secret words", "code": 429}\n\n',
            "OpenAI is overloaded just now: try again in a minute.",
        ),
        (
            "openai",
            chunk({"content": "So"}) + 'event: error\ndata: {"message": "secret words"}\n\n',
            "OpenAI has trouble of its own (HTTP 500): try again later.",
        ),
    ],
)
def test_an_error_in_the_middle_ends_the_answer_and_keeps_its_text(
    provider: str, text: str, sentence: str
) -> None:
    with wire(stream(text)) as server:
        pieces = ask(generator(server, provider))
        requests = len(server.received)

    assert said(pieces) == "So"
    assert (end(pieces).how, end(pieces).sentence, requests) == (Ending.FAILED, sentence, 1)


@pytest.mark.parametrize("line", ["data: {", "data: []", "data: " + "[" * 100_000])
def test_what_cannot_be_read_ends_the_answer(line: str) -> None:
    with wire(stream(chunk({"content": "So"}) + line + "\n\n")) as server:
        pieces = ask(generator(server))
        host = server.host

    assert pieces == [
        Text("So"),
        End(Ending.FAILED, f"The answer stops here: {host} sent what cannot be read; try again."),
    ]


def test_values_of_other_kinds_than_the_format_has_are_passed_over() -> None:
    odd = [
        '{"choices": 3}', '{"choices": [null]}', '{"choices": [{"delta": {"content": 3}}]}', "{}",
        '{"choices": [], "usage": {"prompt_tokens": "many"}}',
    ]  # fmt: skip
    with wire(stream("".join(f"data: {text}\n\n" for text in odd) + chat("So"))) as server:
        assert said(ask(generator(server))) == "So"


def test_half_characters_wait_for_their_other_half() -> None:
    text = r'data: {"choices": [{"delta": {"content": "a\ud83c"}}]}' + "\n\n"
    text += r'data: {"choices": [{"delta": {"content": "\udf5e \udf5e"}}]}' + "\n\n"
    with wire(stream(text + chat("!"))) as server:
        assert said(ask(generator(server))) == "a🍞 \ufffd!"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>Hmm. <b> </thin</think>\n\nYes.", "Yes."),
        (" \n<think></think>Yes <think>no</think>.", "Yes <think>no</think>."),
        ("<think>Hmm", ""),
        ("<think>Hmm</think>", ""),
        ("<thi", "<thi"),
        ("<thing> </think>", "<thing> </think>"),
        ("  Yes.", "  Yes."),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 5, 99])
def test_what_a_model_thinks_aloud_is_no_part_of_its_answer(text: str, answer: str, size: int) -> None:
    thoughts = Thoughts()
    pieces = [thoughts.add(text[at : at + size]) for at in range(0, len(text), size)]

    assert "".join([*pieces, thoughts.end()]) == answer


def test_thoughts_are_left_out_of_a_stream() -> None:
    with wire(stream(chat("<thi", "nk>Hmm", "</think>\n", "\nSo"))) as server:
        assert said(ask(generator(server))) == "So"


def test_a_stream_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 10_000)
    with wire(stream(chunk({"content": "So"}) * 1_000, 4_000)) as server:
        pieces = ask(generator(server))
        host = server.host

    assert end(pieces) == End(
        Ending.INCOMPLETE, f"The answer stops here: {host} sent more than any answer holds."
    )


def test_a_stream_that_is_cut_keeps_its_text_and_is_not_asked_again() -> None:
    with wire(stream(chat("So", finish=None, done=False), cut=True)) as server:
        pieces = ask(generator(server))
        host, requests = server.host, len(server.received)

    assert pieces == [
        Text("So"),
        End(Ending.INCOMPLETE, f"The answer stops here: the connection to {host} broke."),
    ]
    assert requests == 1


def test_a_stream_that_falls_silent_keeps_its_text() -> None:
    begun = stream(chat("So", finish=None, done=False))
    silent = Answer(200, begun.headers, [*begun.parts, Silence()])
    with wire(silent) as server:
        pieces = ask(generator(server, patience=Patience(silence=0.2)))
        host = server.host

    assert pieces == [
        Text("So"),
        End(Ending.INCOMPLETE, f"The answer stops here: {host} was silent for 0.2 s."),
    ]


def test_a_slow_stream_is_waited_for_as_long_as_anything_comes() -> None:
    slow = Answer(200, stream("").headers, [b": still here\n\n", 0.1] * 6 + [chat("So").encode()])
    with wire(slow) as server:
        assert said(ask(generator(server, patience=Patience(silence=0.4)))) == "So"


def test_the_text_comes_before_the_stream_ends() -> None:
    begun = Answer(200, stream("").headers, [chunk({"content": "So"}).encode(), Silence()])
    with wire(begun) as server:
        pieces = iter(generator(server).stream(PROMPT, CancelToken()))

        assert next(pieces) == Text("So")
        pieces.close()  # type: ignore[attr-defined]
        assert server.hung_up.wait(5)
