/**
 * Questions to the notes: a read-only document that an answer is written into as it comes, with citations to
 * click on. What stands in the document is in answer.ts; all about notes and who writes answers is in the server.
 */

import * as vscode from "vscode";
import { type LanguageClient, ProgressType, type Range } from "vscode-languageclient/node";

import { type Answer, type Page, pageOf, type Piece, type Place, take, type Turn } from "./answer";

const SCHEME = "knapper-answer";
const OPEN = "knapper.view.openPassage";
const LENSES_AGAIN_MS = 1000;

/** What the server is asked: a typed question, or what stands at a range of a note. */
export interface Asked {
  question?: string;
  uri?: string;
  range?: Range;
  origin?: { uri: string; range: Range };
  conversation?: string;
  vault?: string;
}

interface Conversation {
  document: vscode.Uri;
  turns: Turn[];
  page: Page;
  id?: string;
  running?: vscode.CancellationTokenSource;
}

type Running = () => LanguageClient | undefined;

const conversations = new Map<string, Conversation>();
const changed = new vscode.EventEmitter<vscode.Uri>();
const lensesChanged = new vscode.EventEmitter<void>();
let latest: Conversation | undefined;
let count = 0;

/** The commands for asking, and the documents that answers stand in. */
export function registerAsking(context: vscode.ExtensionContext, running: Running): void {
  const selector = { scheme: SCHEME };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => conversations.get(uri.toString())?.page.text ?? "This answer is gone.\n",
    }),
    vscode.languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: (document) => linksOf(conversations.get(document.uri.toString())),
    }),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: (document) => lensesOf(conversations.get(document.uri.toString())),
    }),
    vscode.workspace.onDidCloseTextDocument((document) => forget(document.uri)),
    vscode.commands.registerCommand("knapper.view.ask", withClient(running, askTyped)),
    vscode.commands.registerCommand("knapper.view.askMore", withClient(running, askMore)),
    vscode.commands.registerCommand("knapper.view.saveAnswer", withClient(running, save)),
    vscode.commands.registerCommand("knapper.view.stopAnswer", () => current()?.running?.cancel()),
    vscode.commands.registerCommand(OPEN, openPassage),
  );
}

/** Ask in a new document; it is there when the question has been sent. */
export async function ask(client: LanguageClient, asked: Asked): Promise<void> {
  count += 1;
  const document = vscode.Uri.from({ scheme: SCHEME, path: `/${count}/Answer ${count}.md` });
  const conversation: Conversation = { document, turns: [], page: pageOf([]) };
  if (asked.conversation !== undefined) {
    conversation.id = asked.conversation;
  }
  conversations.set(document.toString(), conversation);
  await send(client, conversation, asked);
}

function withClient(running: Running, use: (client: LanguageClient) => Promise<void>): () => Promise<void> {
  return async () => {
    const client = running();
    if (client === undefined) {
      void vscode.window.showWarningMessage("Knapper's server is not running.");
      return;
    }
    try {
      await use(client);
    } catch (problem) {
      void vscode.window.showErrorMessage(messageOf(problem));
    }
  };
}

/** Ask what the person types; what is selected is there to begin with. */
async function askTyped(client: LanguageClient): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const note = editor?.document.uri.scheme === "file" && editor.document.languageId === "markdown" ? editor : undefined;
  const selection = note?.selection;
  const selected = note?.document.getText(selection).replace(/\s+/g, " ").trim() ?? "";
  const question = await vscode.window.showInputBox({
    prompt: "Ask your notes",
    placeHolder: "When did we last prune the apple trees?",
    value: selected,
  });
  if (question === undefined || question.trim() === "") {
    return;
  }
  const asked: Asked = { question: question.trim() };
  if (note !== undefined) {
    asked.vault = note.document.uri.toString();
    if (selection !== undefined && selected !== "") {
      const range = client.code2ProtocolConverter.asRange(selection);
      asked.origin = { uri: note.document.uri.toString(), range };
    }
  }
  await ask(client, asked);
}

async function askMore(client: LanguageClient): Promise<void> {
  const conversation = current();
  if (conversation === undefined) {
    return askTyped(client);
  }
  if (conversation.running !== undefined) {
    void vscode.window.showInformationMessage("The answer is still being written.");
    return;
  }
  const question = await vscode.window.showInputBox({ prompt: "Ask on" });
  if (question !== undefined && question.trim() !== "") {
    await send(client, conversation, { question: question.trim() });
  }
}

/** The server writes the note and opens it. */
async function save(client: LanguageClient): Promise<void> {
  const conversation = current();
  if (conversation?.id === undefined) {
    void vscode.window.showWarningMessage("There is no answer to save.");
    return;
  }
  const title = await vscode.window.showInputBox({
    prompt: "Title of the note",
    value: conversation.turns.at(-1)?.result?.question ?? "",
  });
  if (title !== undefined) {
    const params = { conversation: conversation.id, ...(title.trim() === "" ? {} : { title: title.trim() }) };
    await client.sendRequest("workspace/executeCommand", { command: "knapper.saveAnswer", arguments: [params] });
  }
}

async function send(client: LanguageClient, conversation: Conversation, asked: Asked): Promise<void> {
  latest = conversation;
  const turn: Turn = { question: asked.question ?? "…", text: "", citations: [] };
  const stop = new vscode.CancellationTokenSource();
  conversation.turns.push(turn);
  conversation.running = stop;
  draw(conversation);
  const editor = await vscode.window.showTextDocument(conversation.document, {
    preview: false,
    viewColumn: shownIn(conversation) ?? vscode.ViewColumn.Beside,
  });
  const heading = new vscode.Position(conversation.page.last, 0);
  editor.selection = new vscode.Selection(heading, heading);
  editor.revealRange(new vscode.Range(heading, heading), vscode.TextEditorRevealType.AtTop);
  const options = { location: vscode.ProgressLocation.Notification, title: "Knapper", cancellable: true };
  await vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => stop.cancel());
    const taken = (piece: Piece): void => {
      take(turn, piece);
      progress.report({ message: turn.doing ?? "" });
      draw(conversation);
    };
    await answered(client, conversation, turn, { asked, stop, taken });
  });
}

/** Send the question, take in the pieces, and in the end the whole answer. */
async function answered(
  client: LanguageClient,
  conversation: Conversation,
  turn: Turn,
  { asked, stop, taken }: { asked: Asked; stop: vscode.CancellationTokenSource; taken: (piece: Piece) => void },
): Promise<void> {
  count += 1;
  const tokens = [`knapper.ask/${count}`, `knapper.ask/progress/${count}`] as const;
  const [partialResultToken, workDoneToken] = tokens;
  const listening = tokens.map((token) => client.onProgress(new ProgressType<Piece>(), token, taken));
  const going = conversation.id === undefined ? {} : { conversation: conversation.id };
  try {
    const params = { ...asked, ...going, partialResultToken, workDoneToken };
    const result = await client.sendRequest<Answer>("knapper/ask", params, stop.token);
    turn.result = result;
    conversation.id = result.conversation ?? conversation.id;
  } catch (problem) {
    turn.trouble = stop.token.isCancellationRequested ? "*Stopped.*" : messageOf(problem);
  } finally {
    listening.forEach((one) => one.dispose());
    stop.dispose();
    delete conversation.running;
    draw(conversation);
    // Lenses that come while VS Code draws a new text were seen to be dropped, and “Stop” stood there for good.
    setTimeout(() => lensesChanged.fire(), LENSES_AGAIN_MS);
  }
}

function draw(conversation: Conversation): void {
  conversation.page = pageOf(conversation.turns);
  changed.fire(conversation.document);
  lensesChanged.fire();
}

/** The conversation in the editor, else the last one. */
function current(): Conversation | undefined {
  return conversations.get(vscode.window.activeTextEditor?.document.uri.toString() ?? "") ?? latest;
}

function forget(document: vscode.Uri): void {
  const conversation = conversations.get(document.toString());
  conversation?.running?.cancel();
  conversations.delete(document.toString());
  latest = latest === conversation ? undefined : latest;
}

function shownIn(conversation: Conversation): vscode.ViewColumn | undefined {
  const shown = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === conversation.document.toString(),
  );
  return shown?.viewColumn;
}

function linksOf(conversation: Conversation | undefined): vscode.DocumentLink[] {
  return (conversation?.page.jumps ?? []).map(({ line, start, end, place }) => {
    const target = vscode.Uri.parse(`command:${OPEN}?${encodeURIComponent(JSON.stringify([place]))}`);
    const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), target);
    link.tooltip = place.quote ?? place.path;
    return link;
  });
}

function lensesOf(conversation: Conversation | undefined): vscode.CodeLens[] {
  if (conversation === undefined) {
    return [];
  }
  const range = new vscode.Range(conversation.page.last, 0, conversation.page.last, 0);
  const lens = (title: string, command: string): vscode.CodeLens => new vscode.CodeLens(range, { title, command });
  if (conversation.running !== undefined) {
    return [lens("Stop", "knapper.view.stopAnswer")];
  }
  return [
    lens("Ask on", "knapper.view.askMore"),
    ...(conversation.id === undefined ? [] : [lens("Save as note", "knapper.view.saveAnswer")]),
  ];
}

/** Open a passage beside the answer, not over it. */
async function openPassage(place: Place): Promise<void> {
  const { start, end } = place.range;
  const answer = vscode.window.activeTextEditor;
  const isBeside = answer?.document.uri.scheme === SCHEME && answer.viewColumn !== vscode.ViewColumn.One;
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(place.uri), {
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
    viewColumn: isBeside ? vscode.ViewColumn.One : vscode.ViewColumn.Beside,
  });
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
