/**
 * Starts the server and stops it. What the palette shows is in views.ts and ask.ts, what the server is told of
 * the settings in settings.ts; everything about notes is in the server.
 */

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { registerAsking } from "./ask";
import { findServer, type ServerCommand } from "./server";
import { answerConfiguration, explicitSettings, sendSettings } from "./settings";
import { registerViews, runServerCommand } from "./views";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerViews(context, () => client);
  registerAsking(context, () => client);
  context.subscriptions.push(
    vscode.commands.registerCommand("knapper.view.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("knapper.server.command")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const server = await findServer();
  if (server === undefined) {
    void sayHowToInstall();
    return;
  }
  client = makeClient(server);
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    void vscode.window.showErrorMessage(`Knapper did not start: ${problem}`);
  }
}

function makeClient(server: ServerCommand): LanguageClient {
  const made: LanguageClient = new LanguageClient(
    "knapper",
    "Knapper",
    { command: server.command, args: [...server.args, "serve"] },
    {
      documentSelector: [{ scheme: "file", language: "markdown" }],
      initializationOptions: { knapper: explicitSettings() },
      middleware: {
        // VS Code's own Markdown extension draws an outline already; two of them help nobody.
        provideDocumentSymbols: (document, token, next) =>
          vscode.extensions.getExtension("vscode.markdown-language-features") ? [] : next(document, token),
        executeCommand: (command, args, next) => runServerCommand(made, command, args, next),
        workspace: {
          configuration: answerConfiguration,
          didChangeConfiguration: () => sendSettings(made),
        },
      },
    },
  );
  return made;
}

async function sayHowToInstall(): Promise<void> {
  const settings = "Open Settings";
  const retry = "Try Again";
  const chosen = await vscode.window.showErrorMessage(
    "Knapper's server is not installed. Install it with “pipx install .” or “uv tool install .” in the " +
      "project's folder, or say where it is in the setting knapper.server.command.",
    settings,
    retry,
  );
  if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "knapper.server.command");
  } else if (chosen === retry) {
    await start();
  }
}
