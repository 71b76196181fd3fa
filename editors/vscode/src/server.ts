/** Where the server's program is. Must not know the protocol. */

import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import * as vscode from "vscode";

export interface ServerCommand {
  command: string;
  args: string[];
}

/** The command that is set, else `knapper` from the PATH or from where pipx and uv put it, else nothing. */
export async function findServer(): Promise<ServerCommand | undefined> {
  const set = vscode.workspace.getConfiguration("knapper").get<string[]>("server.command") ?? [];
  const [command, ...args] = set;
  if (command !== undefined) {
    return { command, args };
  }
  const names = process.platform === "win32" ? ["knapper.exe", "knapper.cmd"] : ["knapper"];
  // An editor that was not started from a shell has a shorter PATH than its user.
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), ".local", "bin")];
  for (const folder of folders.filter((folder) => folder !== "")) {
    for (const name of names) {
      if (await isProgram(join(folder, name))) {
        return { command: join(folder, name), args: [] };
      }
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
