"""What is sent: the very bytes, the headers, and the budget for them."""

from __future__ import annotations

import json

import pytest

from knapper.models.providers import anthropic
from knapper.models.providers.address import read_address
from knapper.models.providers.budget import Budget, estimate
from knapper.models.providers.choice import Choice, generator_of, host_of
from knapper.models.providers.ports import Passage, Prompt, ProviderError, Turn
from tests.models.providers.asking import KEY, PROMPT, ask, generator
from tests.models.providers.streams import block, chat, messages
from tests.models.providers.wire import stream, wire

TALK = Prompt(
    PROMPT.system,
    PROMPT.question,
    (*PROMPT.passages, Passage(4, " ", "One\nline."), Passage(5, "Empty", " \n")),
    (Turn("What is bread?", "Flour [1]."), Turn("And then?", "")),
    PROMPT.boundary,
)


def test_anthropic_is_sent_search_results_with_a_block_for_each_paragraph() -> None:
    with wire(stream(messages(block(0, "So")))) as server:
        one = generator(server, "anthropic")
        ask(one, TALK)
        (request,) = server.received

    assert request.line == "POST /v1/messages HTTP/1.1"
    assert request.body == one.body(TALK)
    assert {
        name: request.headers.get(name) for name in ("x-api-key", "anthropic-version", "content-type")
    } == {
        "x-api-key": KEY,
        "anthropic-version": "2023-06-01",
        "content-type": "application/json",
    }
    assert request.json == {
        "model": "model-1",
        "max_tokens": 4096,
        "stream": True,
        "system": "Answer from the notes.",
        "messages": [
            {"role": "user", "content": "What is bread?"},
            {"role": "assistant", "content": "Flour [1]."},
            {
                "role": "user",
                "content": [
                    {
                        "type": "search_result",
                        "source": "note 1",
                        "title": "Bread > Dough",
                        "content": [
                            {"type": "text", "text": "Fold the dough at dawn."},
                            {"type": "text", "text": "Bake it hot,\nand wait."},
                        ],
                        "citations": {"enabled": True},
                    },
                    {
                        "type": "search_result",
                        "source": "note 4",
                        "title": "Note 4",
                        "content": [{"type": "text", "text": "One\nline."}],
                        "citations": {"enabled": True},
                    },
                    {"type": "text", "text": "When is it folded?"},
                ],
            },
        ],
    }


QUOTED = (
    "<data-5f3a>\n[1] Bread > Dough\nFold the dough at dawn.\n\nBake it hot,\nand wait.\n</data-5f3a>\n\n"
    "When is it folded?"
)


@pytest.mark.parametrize(
    ("provider", "own"),
    [
        (
            "openai",
            {"max_completion_tokens": 4096, "store": False, "stream_options": {"include_usage": True}},
        ),
        ("openrouter", {"max_tokens": 4096}),
        ("compatible", {"max_tokens": 1024}),
    ],
)
def test_chat_completions_are_sent_quoted_passages(provider: str, own: dict[str, object]) -> None:
    with wire(stream(chat("So"))) as server:
        one = generator(server, provider)
        ask(one)
        (request,) = server.received

    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == one.body(PROMPT)
    assert request.json == {
        "model": "model-1",
        "stream": True,
        "messages": [
            {"role": "system", "content": "Answer from the notes."},
            {"role": "user", "content": QUOTED},
        ],
        **own,
    }


def test_turns_without_an_answer_are_left_out() -> None:
    sent = json.loads(generator("http://localhost").body(TALK))["messages"]

    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]


def test_a_question_alone_is_sent_as_it_is() -> None:
    alone = Prompt("", "Hello?")

    assert json.loads(generator("http://localhost").body(alone))["messages"] == [
        {"role": "user", "content": "Hello?"}
    ]
    assert json.loads(generator("", "anthropic").body(alone))["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Hello?"}]}
    ]


def test_half_a_character_does_not_keep_a_question_from_being_sent() -> None:
    assert b'"a?b"' in generator("http://localhost").body(Prompt("", "a\ud83cb"))


def test_paragraphs_are_what_blank_lines_part() -> None:
    text = "\n\nOne.\n \nTwo\nlines. \n\n\n\nThree\r\n\r\n四"

    assert [span.of(text) for span in anthropic.paragraphs(text)] == [
        "One.",
        "Two\nlines.",
        "Three",
        "四",
    ]


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
        (" http://127.0.0.1:8080/v1/chat/completions ", "http://127.0.0.1:8080/v1/chat/completions"),
        ("http://[::1]:1234/v1", "http://[::1]:1234/v1/chat/completions"),
        ("HTTPS://models.example.org/api", "https://models.example.org/api/chat/completions"),
    ],
)
def test_an_address_is_taken_as_a_person_writes_it(base: str, url: str) -> None:
    assert read_address(base, "/chat/completions", "/v1").at("/chat/completions") == url


@pytest.mark.parametrize(
    "base",
    [
        "http://192.168.1.5:11434/v1",
        "http://models.example.org",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
        "http://0x7f000001",
        "http://0.0.0.0:11434",
        "http://[::ffff:192.168.1.5]",
        "http://127.0.0.1\\@models.example.org",
        "http://127.0.0.1@models.example.org",
        "https://key@models.example.org",
        "https://models.example.org/v1?key=1",
        "https://models.example.org/v1#x",
        "https://models.example.org:port",
        "https://models.example.org:99999",
        "https://",
        "https://a b/",
        "https://models.example.org/a b",
        "https://модели.example.org",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "localhost:11434",
        "https://[::1",
    ],
)
def test_an_address_that_is_not_safe_or_none_at_all_is_not_used(base: str) -> None:
    with pytest.raises(ProviderError, match=r"^The address in knapper\.ask\.baseUrl cannot be used: .+\.$"):
        read_address(base, "/chat/completions", "/v1")


def test_hosts_are_named_for_the_person() -> None:
    assert host_of(Choice("anthropic", "")) == "api.anthropic.com"
    assert host_of(Choice("openai", "")) == "api.openai.com"
    assert host_of(Choice("openrouter", "")) == "openrouter.ai"
    assert host_of(Choice("compatible", "", "http://localhost:11434")) == "localhost:11434"


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ProviderError) as address:
        generator_of(Choice("compatible", "model-1"))
    with pytest.raises(ProviderError) as model:
        generator_of(Choice("anthropic", " "), KEY)

    assert str(address.value) == (
        "No address is set: put that of your model server into knapper.ask.baseUrl, for Ollama"
        " http://localhost:11434/v1."
    )
    assert str(model.value) == "No model of Anthropic is chosen: set knapper.ask.model to one."


def test_tokens_are_estimated_rather_too_high() -> None:
    # Beside each text what common tokenizers count.
    texts = {
        "Hello world, this is a test of estimates.": 10,
        "日本語の本を読む": 8,
        "Привет, как дела?": 7,
        "": 0,
    }

    assert [counted <= estimate(text) <= 3 * counted for text, counted in texts.items()] == [True] * 4


def test_a_model_of_ones_own_has_little_room() -> None:
    assert generator("http://localhost").room == 4096 - 1024 - 204
    assert generator("", "anthropic").room == 128_000 - 4096 - 6400
    assert generator_of(Choice("compatible", "m", "http://localhost", 16_384)).budget == Budget(16_384, 1024)
    assert generator_of(Choice("compatible", "m", "http://localhost", 1_000)).budget == Budget(1_000, 250)


def test_a_prompt_costs_all_its_texts() -> None:
    one = generator("http://localhost")

    assert one.tokens(Prompt("", "")) == 0
    assert one.tokens(TALK) > one.tokens(PROMPT) > estimate(PROMPT.passages[0].text)
