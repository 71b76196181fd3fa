/** The commands of the palette, and what a click on a lens shows. Knows VS Code's pickers, not how notes work. */

import * as vscode from "vscode";
import type { ExecuteCommandSignature, LanguageClient, Position, Range } from "vscode-languageclient/node";

import { ask, type Asked } from "./ask";
import * as requests from "./requests";

const SEARCH_AFTER_MS = 120;
const SEARCH_LIMIT = 30;

interface Place extends vscode.QuickPickItem {
  uri?: string;
  range?: Range;
}

type View = (client: LanguageClient) => Promise<void>;

/** Put the views into the palette; each says so if no server runs. */
export function registerViews(context: vscode.ExtensionContext, running: () => LanguageClient | undefined): void {
  const views: Record<string, View> = {
    "knapper.view.search": showSearch,
    "knapper.view.backlinks": showBacklinks,
    "knapper.view.related": showRelated,
    "knapper.view.graph": showNeighbours,
    "knapper.view.status": showStatus,
    "knapper.view.rebuild": rebuildIndex,
  };
  for (const [name, view] of Object.entries(views)) {
    context.subscriptions.push(
      vscode.commands.registerCommand(name, async () => {
        const client = running();
        if (client === undefined) {
          void vscode.window.showWarningMessage("Knapper's server is not running.");
          return;
        }
        try {
          await view(client);
        } catch (problem) {
          void vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem));
        }
      }),
    );
  }
}

/** Middleware for the server's commands: a lens opens VS Code's peek view or a list, a question a document. */
export async function runServerCommand(
  client: LanguageClient,
  command: string,
  args: unknown[],
  next: ExecuteCommandSignature,
): Promise<unknown> {
  const [params] = args as [{ uri?: string; position?: Position; show?: boolean } | undefined];
  if (command === "knapper.related" && params?.uri !== undefined && params.show === true) {
    const { show: _, ...asked } = params;
    return pickRelated(client, await requests.related(client, { ...asked, uri: params.uri }));
  }
  if (command === "knapper.ask" && params?.show === true) {
    const { show: _, ...asked } = params;
    return ask(client, asked as Asked);
  }
  if (command !== "knapper.showReferences" || params?.uri === undefined) {
    return next(command, args);
  }
  // Without `show` the server answers with the places and leaves the showing to us.
  const { show: _, ...asked } = params;
  const { items } = (await next(command, [asked])) as { items: requests.Backlink[] };
  const locations = items.map(
    (item) => new vscode.Location(vscode.Uri.parse(item.uri), client.protocol2CodeConverter.asRange(item.range)),
  );
  const here = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(params.uri),
    here,
    locations,
  );
}

async function showSearch(client: LanguageClient): Promise<void> {
  const picker = vscode.window.createQuickPick<Place>();
  let current = new vscode.CancellationTokenSource();
  let timer: NodeJS.Timeout | undefined;
  picker.placeholder = "Words, \"a phrase\", -without, tag:bread, path:Kitchen";
  picker.matchOnDescription = picker.matchOnDetail = true;
  const search = async (query: string): Promise<void> => {
    current.cancel();
    current = new vscode.CancellationTokenSource();
    const { token } = current;
    if (query.trim() === "") {
      picker.items = [];
      return;
    }
    picker.busy = true;
    try {
      const found = await requests.search(client, { query, limit: SEARCH_LIMIT }, token);
      if (!token.isCancellationRequested) {
        picker.items = [...found.items.map(hitItem), ...found.remarks.map(remarkItem)];
      }
    } catch (problem) {
      if (!token.isCancellationRequested) {
        picker.items = [remarkItem(problem instanceof Error ? problem.message : String(problem))];
      }
    } finally {
      picker.busy = current.token !== token;
    }
  };
  picker.onDidChangeValue((query) => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(query), SEARCH_AFTER_MS);
  });
  picker.onDidAccept(async () => {
    const [chosen] = picker.selectedItems;
    picker.hide();
    await open(client, chosen);
  });
  picker.onDidHide(() => {
    clearTimeout(timer);
    current.cancel();
    picker.dispose();
  });
  picker.show();
}

async function showBacklinks(client: LanguageClient): Promise<void> {
  const uri = noteInEditor();
  if (uri === undefined) {
    return;
  }
  const { items, unlinked } = await requests.backlinks(client, { uri });
  if (items.length + unlinked.length === 0) {
    void vscode.window.showInformationMessage("No note links here or mentions this one.");
    return;
  }
  const chosen = await vscode.window.showQuickPick<Place>(
    [
      { label: "Links", kind: vscode.QuickPickItemKind.Separator },
      ...items.map(backlinkItem),
      { label: "Mentions without a link", kind: vscode.QuickPickItemKind.Separator },
      ...unlinked.map(backlinkItem),
    ],
    { placeHolder: "Backlinks", matchOnDescription: true, matchOnDetail: true },
  );
  await open(client, chosen);
}

async function showRelated(client: LanguageClient): Promise<void> {
  const uri = noteInEditor();
  if (uri !== undefined) {
    await pickRelated(client, await requests.related(client, { uri }));
  }
}

async function pickRelated(client: LanguageClient, { items }: { items: requests.Related[] }): Promise<void> {
  if (items.length === 0) {
    void vscode.window.showInformationMessage("No other note is related to this one.");
    return;
  }
  const chosen = await vscode.window.showQuickPick<Place>(items.map(relatedItem), {
    placeHolder: "Related notes",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await open(client, chosen);
}

async function showNeighbours(client: LanguageClient): Promise<void> {
  const uri = noteInEditor();
  if (uri === undefined) {
    return;
  }
  const { nodes, edges } = await requests.graph(client, { uri, depth: 1 });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  // The server and VS Code write the same address with different escapes.
  const centre = nodes.find((node) => node.uri && vscode.Uri.parse(node.uri).toString() === uri);
  const neighbours = (ids: string[]): Place[] =>
    [...new Set(ids)].flatMap((id) => {
      const node = byId.get(id);
      return node === undefined ? [] : [nodeItem(node)];
    });
  const chosen = await vscode.window.showQuickPick<Place>(
    [
      { label: "Links to", kind: vscode.QuickPickItemKind.Separator },
      ...neighbours(edges.filter((edge) => edge.source === centre?.id).map((edge) => edge.target)),
      { label: "Linked from", kind: vscode.QuickPickItemKind.Separator },
      ...neighbours(edges.filter((edge) => edge.target === centre?.id).map((edge) => edge.source)),
    ],
    { placeHolder: centre?.title ?? "Neighbours", matchOnDescription: true },
  );
  await open(client, chosen);
}

async function showStatus(client: LanguageClient): Promise<void> {
  const status = await requests.status(client);
  const problems = status.problems.map((problem) => `${problem.path}: ${problem.reason}`);
  void vscode.window.showInformationMessage(
    [
      `Knapper is ${status.state}: ${status.notes} notes, ${status.links} links, ` +
        `${status.unresolved} unresolved, ${status.pending} changes pending.`,
      ...problems,
    ].join("\n"),
  );
}

async function rebuildIndex(client: LanguageClient): Promise<void> {
  await requests.rebuild(client);
  void vscode.window.showInformationMessage("Knapper builds its index anew.");
}

function noteInEditor(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "markdown") {
    void vscode.window.showWarningMessage("Open a note first.");
    return undefined;
  }
  return document.uri.toString();
}

async function open(client: LanguageClient, place: Place | undefined): Promise<void> {
  if (place?.uri === undefined) {
    return;
  }
  const selection = place.range && client.protocol2CodeConverter.asRange(place.range);
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(place.uri), { selection });
}

// The server has done the matching: `alwaysShow` keeps the picker from doing its own.
const hitItem = (hit: requests.Hit): Place => ({
  label: hit.heading ? `${hit.title} › ${hit.heading}` : hit.title,
  description: hit.path,
  detail: hit.snippet.replace(/\s+/g, " "),
  alwaysShow: true,
  uri: hit.uri,
  range: hit.range,
});

const remarkItem = (remark: string): Place => ({ label: remark, alwaysShow: true });

const backlinkItem = (link: requests.Backlink): Place => ({
  label: link.path.replace(/^.*\//, "").replace(/\.md$/i, ""),
  description: `${link.path}:${link.range.start.line + 1}`,
  detail: link.text,
  uri: link.uri,
  range: link.range,
});

const relatedItem = (note: requests.Related): Place => ({
  label: note.title,
  description: note.path,
  detail: note.why.there.text,
  uri: note.uri,
  range: note.why.there.range,
});

const nodeItem = (node: requests.GraphNode): Place => ({
  label: node.title,
  description: node.path ?? "does not exist yet",
  ...(node.uri ? { uri: node.uri } : {}),
});
