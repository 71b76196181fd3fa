"""`knapper provider`: who writes answers. Chooses one, keeps its key, tries it, and shows all but the key."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from knapper.base.cancel import CancelToken
from knapper.base.settings import BY_NAME, Settings, read_settings
from knapper.cli.config_file import config_file, write_settings
from knapper.cli.opened import find_root, settings_of
from knapper.cli.options import Trouble, vault_command
from knapper.cli.output import counted, faint, print_json, remark, remarks, say
from knapper.cli.providing import NOBODY, provided
from knapper.index.vaults import user_layer
from knapper.memory.writer import choice_of
from knapper.models.providers.choice import PROVIDERS, Choice, generator_of, host_of
from knapper.models.providers.keys import FoundKey, KeyTrouble, find_key, forget_key, keep_key
from knapper.models.providers.ports import End, Ending, Prompt, ProviderError, Text

_NAMES = ("none", *PROVIDERS)
_LONGEST_KEY = 10_000
_TRIAL = Prompt("You are being tried out. Answer with one word and nothing else.", "Say the word: ready")
_SHOWN = 60
T = TypeVar("T")


@click.group()
def provider() -> None:
    """Who writes the answers of `knapper ask`: choosing, trying out, showing.

    Without a provider, questions are answered with quotes from the notes and nothing leaves this machine.
    """


@provider.command("set")
@click.argument("name", required=False, type=click.Choice(_NAMES))
@click.option("--model", metavar="NAME", help="The model, as the provider calls it.")
@click.option("--base-url", metavar="URL", help="The address, for Ollama http://localhost:11434/v1.")
@click.option("--context", type=click.IntRange(0), metavar="TOKENS", help="How much the model holds.")
@click.option(
    "--key-file", "--file", "in_file", is_flag=True, help="Keep the key in a file that only you can read."
)
def set_provider(name: str | None, in_file: bool, **given: Any) -> None:
    """Choose who writes answers, in your own settings: anthropic, openai, openrouter, compatible, or none.

    The key is asked for, or read from standard input; it is kept in the keychain. What is not given stays
    as it is if the provider is the same.
    """
    changes = _changes(name, given)
    if in_file:
        changes["ask.keyFile"] = True
    choice = choice_of(Settings({**_own_settings().values, **changes}))
    if choice is None:
        write_settings(changes)
        say(NOBODY)
        return
    chosen = _Chosen(choice, _told(lambda: host_of(choice)))
    allowed = in_file or bool(_own_settings()["ask.keyFile"])
    found = find_key(choice.provider, chosen.host, file_allowed=allowed)
    key = _typed_key(chosen, found)
    if key:
        _told(lambda: generator_of(choice, key))
    write_settings(changes)
    where = _keep(chosen, key, in_file=in_file, file_allowed=allowed) if key else found.where
    say(f"{chosen.label} writes answers now: {choice.model} at {chosen.host}{_with_key(where)}.")
    _remark_on_key(choice, found, has_key=bool(where))


@provider.command()
@vault_command
@click.pass_context
def test(ctx: click.Context, vault: Path | None, as_json: bool) -> None:
    """Ask the provider for one word, and say what came back. Nothing of your notes is sent.

    Exit code 1 if it does not answer.
    """
    choice = choice_of(settings := settings_of(find_root(vault)))
    if choice is None:
        raise Trouble(f"{NOBODY} `knapper provider set` chooses a provider.")
    trial = _tried(choice, file_allowed=settings["ask.keyFile"])
    if as_json:
        print_json(trial)
    elif trial["problem"]:
        say(f"{click.style('fails', fg='red')}  {trial['problem']}")
    else:
        say(f"{trial['host']} answers after {trial['seconds']} s: {trial['answer']}{_used(trial)}")
    if trial["problem"]:
        ctx.exit(1)


@provider.command()
@vault_command
def show(vault: Path | None, as_json: bool) -> None:
    """Show who writes answers and where its key is; the key itself is never shown."""
    found = asdict(provided(settings_of(find_root(vault))))
    if as_json:
        print_json(found)
        return
    if found["provider"] == "none":
        say(NOBODY)
    else:
        for name in ("provider", "model", "host", "context", "key"):
            say(f"{name:9} {found[name] or '-'}")
        remarks([*found["remarks"], *([found["problem"]] if found["problem"] else [])])
    say(faint(f"settings are in {config_file()}"))


@provider.command()
@click.argument("name", required=False, type=click.Choice(tuple(PROVIDERS)))
@click.pass_context
def forget(ctx: click.Context, name: str | None) -> None:
    """Remove the key of NAME, or of the provider that is set. Exit code 1 if none is kept."""
    settings = _own_settings()
    if name and name != settings["ask.provider"]:
        settings = Settings({**settings.values, "ask.provider": name, "ask.baseUrl": ""})
    choice = choice_of(settings)
    if choice is None:
        raise Trouble(f"Say whose key: {', '.join(PROVIDERS)}.")
    host = _told(lambda: host_of(choice))
    try:
        gone = forget_key(choice.provider, host)
    except KeyTrouble as trouble:
        raise Trouble(str(trouble)) from None
    say(f"The key was removed from {' and '.join(gone)}." if gone else "No key is kept.")
    variable = choice.known.key_name
    if find_key(choice.provider, host, file_allowed=False).where.endswith(variable):
        remark(f"The environment variable {variable} still holds one.")
    if not gone:
        ctx.exit(1)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A choice with the host that it goes to."""

    choice: Choice
    host: str

    @property
    def label(self) -> str:
        """What the provider is called."""
        return self.choice.known.label or "A server of your own"


def _own_settings() -> Settings:
    """The person's settings, without those of any vault."""
    layer, complaint = user_layer()
    settings, complaints = read_settings([layer])
    remarks(filter(None, [complaint, *complaints]))
    return settings


def _changes(name: str | None, given: dict[str, Any]) -> dict[str, object]:
    """What is to be set: what was given, else what holds if the provider stays the same."""
    own = _own_settings()
    name = name or own["ask.provider"]
    if name == "none" and any(value is not None for value in given.values()):
        raise Trouble(f"Say which provider: `knapper provider set` takes {', '.join(PROVIDERS)}.")
    changes: dict[str, object] = {"ask.provider": name}
    for option, setting in (("model", "ask.model"), ("base_url", "ask.baseUrl"), ("context", "ask.context")):
        kept = own[setting] if name == own["ask.provider"] else BY_NAME[setting].default
        changes[setting] = kept if given[option] is None else given[option]
    if name != "none" and not str(changes["ask.model"]).strip():
        changes["ask.model"] = _typed_model(name)
    return changes


def _typed_model(name: str) -> str:
    if not sys.stdin.isatty():
        raise Trouble(f"Name a model, as the provider calls it: `knapper provider set {name} --model …`.")
    model: str = click.prompt("Model, as the provider calls it", err=True)
    return model.strip()


def _typed_key(chosen: _Chosen, found: FoundKey) -> str:
    """The key that the person types or pipes in, or nothing. It is no argument: those are seen by others."""
    if found.where.endswith(chosen.choice.known.key_name):
        return ""
    if not sys.stdin.isatty():
        return sys.stdin.readline(_LONGEST_KEY).strip()
    empty = f"Enter keeps the one in {found.where}" if found.value else "Enter for none"
    typed: str = click.prompt(
        f"Key for {chosen.host}, not shown ({empty})", "", hide_input=True, show_default=False, err=True
    )
    return typed.strip()


def _keep(chosen: _Chosen, key: str, *, in_file: bool, file_allowed: bool) -> str:
    """Keep the key; gives where. Raises `Trouble`."""
    name = chosen.choice.provider
    try:
        if in_file:
            forget_key(name, chosen.host)  # One in the keychain would be found first.
        try:
            return keep_key(name, chosen.host, key, in_file=in_file)
        except KeyTrouble:
            if in_file or not file_allowed:
                raise
            return keep_key(name, chosen.host, key, in_file=True)
    except KeyTrouble as trouble:
        raise Trouble(f"The provider is set, but its key could not be kept. {trouble}") from None


def _remark_on_key(choice: Choice, found: FoundKey, *, has_key: bool) -> None:
    """What is to be done next: a key is missing, or all is there."""
    try:
        if not has_key:
            generator_of(choice)
        remark("`knapper provider test` tries it.")
    except ProviderError as error:
        remarks([*found.remarks, str(error)])


def _with_key(where: str) -> str:
    return f", with the key in {where}" if where else ""


def _told(step: Callable[[], T]) -> T:
    """What *step* gives; the provider's error becomes `Trouble`."""
    try:
        return step()
    except ProviderError as error:
        raise Trouble(str(error)) from None


def _tried(choice: Choice, *, file_allowed: bool) -> dict[str, Any]:
    """What came of asking for one word."""
    result = {"host": "", "model": choice.model, "answer": "", "seconds": 0.0, "problem": ""}
    tokens = {"tokensIn": 0, "tokensOut": 0}
    try:
        result["host"] = host = host_of(choice)
        found = find_key(choice.provider, host, file_allowed=file_allowed)
        generator = generator_of(choice, found.value)
        began, said = time.monotonic(), ""
        for piece in generator.stream(_TRIAL, CancelToken()):
            if isinstance(piece, Text):
                said += piece.text
            elif isinstance(piece, End):
                tokens = {"tokensIn": piece.tokens_in, "tokensOut": piece.tokens_out}
                result["problem"] = "" if piece.how is Ending.COMPLETE else piece.sentence
        result |= {"answer": _one_line(said), "seconds": round(time.monotonic() - began, 1)}
    except ProviderError as error:
        result["problem"] = str(error)
    return {**result, **tokens}


def _used(trial: dict[str, Any]) -> str:
    """What the provider counted, where it says so: many servers on one's own machine do not."""
    read, written = trial["tokensIn"], trial["tokensOut"]
    return f" ({counted(read, 'token')} in, {counted(written, 'token')} out)" if read or written else ""


def _one_line(text: str) -> str:
    """The start of what a provider wrote, harmless on a terminal."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    shown = plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN].rstrip()}…"
    return f"“{shown}”" if shown else "nothing"
