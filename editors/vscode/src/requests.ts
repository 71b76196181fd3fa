/** The requests beyond the protocol that the views use; server/PROTOCOL.md describes them. */

import type { CancellationToken } from "vscode";
import type { LanguageClient, Position, Range } from "vscode-languageclient/node";

export interface Status {
  state: string;
  pending: number;
  notes: number;
  links: number;
  unresolved: number;
  problems: { path: string; reason: string }[];
}

export interface Hit {
  path: string;
  uri: string;
  title: string;
  heading: string | null;
  range: Range;
  snippet: string;
}

export interface Backlink {
  path: string;
  uri: string;
  range: Range;
  text: string;
}

export interface Related {
  path: string;
  uri: string;
  title: string;
  why: { there: { range: Range; text: string } };
}

export interface GraphNode {
  id: string;
  path: string | null;
  uri?: string | null;
  title: string;
}

export interface Graph {
  nodes: GraphNode[];
  edges: { source: string; target: string }[];
}

export const status = (client: LanguageClient): Promise<Status> => client.sendRequest("knapper/status", {});

export const rebuild = (client: LanguageClient): Promise<unknown> => client.sendRequest("knapper/rebuild", {});

export const search = (
  client: LanguageClient,
  params: { query: string; limit: number },
  token: CancellationToken,
): Promise<{ items: Hit[]; remarks: string[] }> => client.sendRequest("knapper/search", params, token);

export const backlinks = (
  client: LanguageClient,
  params: { uri: string },
): Promise<{ items: Backlink[]; unlinked: Backlink[] }> => client.sendRequest("knapper/backlinks", params);

export const related = (
  client: LanguageClient,
  params: { uri: string; position?: Position },
): Promise<{ items: Related[] }> => client.sendRequest("knapper/related", params);

export const graph = (client: LanguageClient, params: { uri: string; depth: number }): Promise<Graph> =>
  client.sendRequest("knapper/graph", params);
