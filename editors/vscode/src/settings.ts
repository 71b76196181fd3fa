/**
 * What the server is told of the settings: only what somebody has set. VS Code would send the defaults as
 * well, and they would hide what stands in the person's config.toml.
 */

import * as vscode from "vscode";
import {
  type ConfigurationParams,
  DidChangeConfigurationNotification,
  type LanguageClient,
  type LSPAny,
} from "vscode-languageclient/node";

type Settings = Record<string, unknown>;

interface Property {
  scope?: string;
}

/** `{"links.style": "markdown"}`: the settings below `knapper` that are set, by their dotted names. */
export function explicitSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration("knapper", scope);
  const set: Settings = {};
  for (const [name, property] of Object.entries(properties())) {
    const found = configuration.inspect(name);
    const value =
      property.scope === "machine"
        ? found?.globalValue
        : (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue);
    if (value !== undefined) {
      set[name] = value;
    }
  }
  return set;
}

/** Middleware for `workspace/configuration`: the section `knapper` is answered with what is set. */
export function answerConfiguration(params: ConfigurationParams): LSPAny[] {
  return params.items.map((item) => {
    const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
    if (item.section === "knapper") {
      return explicitSettings(scope) as LSPAny;
    }
    return (vscode.workspace.getConfiguration(undefined, scope).get(item.section ?? "") ?? null) as LSPAny;
  });
}

/** Middleware for a change of the settings. */
export async function sendSettings(client: LanguageClient): Promise<void> {
  await client.sendNotification(DidChangeConfigurationNotification.type, {
    settings: { knapper: explicitSettings() },
  });
}

/** The settings this extension declares for the server, without the `knapper.` in front. */
function properties(): Record<string, Property> {
  const declared: Record<string, Property> =
    vscode.extensions.getExtension("knapper.knapper")?.packageJSON.contributes.configuration.properties ?? {};
  const own = ["knapper.server.command", "knapper.trace.server"];
  return Object.fromEntries(
    Object.entries(declared)
      .filter(([name]) => !own.includes(name))
      .map(([name, property]) => [name.slice("knapper.".length), property]),
  );
}
