/** An answer as text with places to jump to. Knows what the server answers; must not know VS Code. */

import type { Range } from "vscode-languageclient/node";

export interface Place {
  number?: number;
  path: string;
  uri: string;
  range: Range;
  heading: string;
  quote?: string;
  changed?: boolean;
}

export interface Answer {
  question: string;
  answer: string;
  citations: Place[];
  alsoRetrieved: Place[];
  unverified: string[];
  model: string;
  sent: { host: string; notes: string[]; tokens: number } | null;
  remarks: string[];
  conversation: string | null;
}

/** A piece of an answer, or what the server does meanwhile. */
export interface Piece {
  text?: string;
  citation?: Place;
  kind?: string;
  title?: string;
  message?: string;
}

/** One question with what has come of its answer. */
export interface Turn {
  question: string;
  text: string;
  citations: Place[];
  doing?: string | undefined;
  result?: Answer;
  trouble?: string;
}

/** Where a click leads: columns `start` to `end` of a line, counted from 0. */
export interface Jump {
  line: number;
  start: number;
  end: number;
  place: Place;
}

export interface Page {
  text: string;
  jumps: Jump[];
  /** The line on which the last question stands. */
  last: number;
}

const LONGEST_QUOTE = 300;

/** Take in a piece of an answer. */
export function take(turn: Turn, piece: Piece): void {
  if (piece.text !== undefined) {
    turn.text += piece.text;
  } else if (piece.citation !== undefined) {
    turn.citations.push(piece.citation);
  } else {
    turn.doing = piece.message ?? piece.title ?? turn.doing;
  }
}

/** The whole conversation as Markdown. */
export function pageOf(turns: readonly Turn[]): Page {
  const lines: string[] = [];
  const jumps: Jump[] = [];
  let last = 0;
  for (const turn of turns) {
    if (lines.length > 0) {
      lines.push("");
    }
    last = lines.length;
    addTurn(lines, jumps, turn);
  }
  return { text: `${lines.join("\n")}\n`, jumps, last };
}

function addTurn(lines: string[], jumps: Jump[], turn: Turn): void {
  const { result } = turn;
  lines.push(`# ${oneLine(result?.question ?? turn.question)}`, "");
  const text = (result?.answer ?? turn.text).trim();
  const cited = new Map((result?.citations ?? turn.citations).map((place) => [place.number, place]));
  for (const line of text === "" ? [] : text.split(/\r?\n/)) {
    for (const marker of line.matchAll(/\[(\d+)\]/g)) {
      const place = cited.get(Number(marker[1]));
      if (place !== undefined) {
        jumps.push({ line: lines.length, start: marker.index, end: marker.index + marker[0].length, place });
      }
    }
    lines.push(line);
  }
  if (result !== undefined) {
    addAfterText(lines, jumps, result);
  } else {
    lines.push(...(text === "" ? [] : [""]), turn.trouble ?? `*${turn.doing ?? "Looking in the notes"} …*`);
  }
}

function addAfterText(lines: string[], jumps: Jump[], answer: Answer): void {
  const addPlaces = (title: string, places: Place[], lineOf: (place: Place) => string): void => {
    addTitle(lines, title, places);
    for (const place of places) {
      const line = lineOf(place);
      jumps.push({ line: lines.length, start: 0, end: line.length, place });
      // Without a provider the answer is made of the quotes already.
      lines.push(line, ...(place.quote && answer.sent !== null ? [`    ${quoted(place.quote)}`] : []));
    }
  };
  const addList = (title: string, entries: string[]): void => {
    addTitle(lines, title, entries);
    lines.push(...entries.map((entry) => `- ${oneLine(entry)}`));
  };
  addPlaces("Sources", answer.citations, (place) => `[${place.number}] ${where(place)}`);
  addPlaces("Also looked at", answer.alsoRetrieved, where);
  addList("Not borne out by the note they cite", answer.unverified);
  addList("Remarks", [...answer.remarks, ...sentTo(answer)]);
}

function addTitle(lines: string[], title: string, entries: unknown[]): void {
  if (entries.length > 0) {
    lines.push("", `## ${title}`, "");
  }
}

function sentTo({ model, sent }: Answer): string[] {
  return sent === null
    ? []
    : [
        `Written by ${model} at ${sent.host}, which was sent passages of ${sent.notes.length} notes ` +
          `(about ${sent.tokens} tokens).`,
      ];
}

function where(place: Place): string {
  const heading = place.heading === "" ? "" : ` › ${place.heading}`;
  return `${place.path}:${place.range.start.line + 1}${heading}${place.changed ? " (changed since)" : ""}`;
}

function quoted(text: string): string {
  const line = oneLine(text);
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
