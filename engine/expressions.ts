import { evaluate, EvaluationError } from './expression/evaluate.ts';
import { parseExpression } from './expression/parse.ts';
import type { Node } from './expression/parse.ts';
import { StepError } from './steps/step.ts';

/** The names that `{{…}}` may use: steps by name, each as `{output, error}`. */
export type Scope = ReadonlyMap<string, unknown>;
/** Connection values by external id, as far as the caller fetched them. */
export type Connections = ReadonlyMap<string, unknown>;

export const REDACTED = '**REDACTED**';
const TOKEN = /\{\{(.*?)\}\}/gs;
const WHOLE_CONNECTION = /^\s*connections\[\s*(['"])((?:(?!\1).)*)\1\s*\]\s*$/s;
const CACHE_MAX = 5_000;
/** Limit for all texts that the tokens of one value fill. */
const TEXT_MAX = 2 * 1024 * 1024;

type Compiled = { node: Node | undefined; connections: string[]; wholeConnection: string | undefined };
const cache = new Map<string, Compiled>();

/** External ids a tree reads through `connections.…`; the bracket form counts too. */
function collectConnections(node: Node, into: Set<string>): void {
  switch (node.kind) {
    case 'member':
      if (node.object.kind === 'name' && node.object.name === 'connections' && node.key.kind === 'literal') {
        into.add(String(node.key.value));
      }
      collectConnections(node.object, into);
      collectConnections(node.key, into);
      return;
    case 'name':
      if (node.name === 'connections') into.add('');
      return;
    case 'call':
      collectConnections(node.object, into);
      node.args.forEach((arg) => collectConnections(arg, into));
      return;
    case 'list':
      node.items.forEach((item) => collectConnections(item, into));
      return;
    case 'unary':
      collectConnections(node.value, into);
      return;
    case 'binary':
    case 'logical':
      collectConnections(node.left, into);
      collectConnections(node.right, into);
      return;
    case 'ternary':
      [node.test, node.yes, node.no].forEach((part) => collectConnections(part, into));
      return;
    case 'literal':
      return;
  }
}

function compile(source: string): Compiled {
  const known = cache.get(source);
  if (known !== undefined) return known;
  const wholeConnection = WHOLE_CONNECTION.exec(source)?.[2];
  const node = wholeConnection === undefined ? parseExpression(source) : undefined;
  const named = new Set<string>();
  if (node !== undefined) collectConnections(node, named);
  if (wholeConnection !== undefined) named.add(wholeConnection);
  // A text that cannot be parsed may still name a connection, so it stays covered in the log.
  else if (node === undefined && /\bconnections\b/.test(source)) named.add('');
  const compiled = { node, connections: [...named], wholeConnection };
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(source, compiled);
  return compiled;
}

/** `connections['id'].field` is empty in the engine, although `connections.id.field` is not; flows rely on both. */
function readsConnectionByBracket(node: Node): boolean {
  if (node.kind === 'member') {
    const rootsHere = node.object.kind === 'name' && node.object.name === 'connections';
    return rootsHere ? node.bracket : readsConnectionByBracket(node.object);
  }
  return false;
}

function resolveToken(source: string, scope: Scope, connections: Connections): unknown {
  const { node, wholeConnection } = compile(source);
  if (wholeConnection !== undefined) return connections.get(wholeConnection) ?? '';
  if (node === undefined || readsConnectionByBracket(node)) return '';
  try {
    const byId = (name: string): unknown => (name === 'connections' ? Object.fromEntries(connections) : scope.get(name));
    return evaluate(node, byId) ?? '';
  } catch (thrown) {
    if (thrown instanceof EvaluationError) return '';
    throw thrown;
  }
}

function inText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function wholeToken(text: string): string | undefined {
  if (!text.startsWith('{{') || !text.endsWith('}}')) return undefined;
  const inner = text.slice(2, -2);
  return inner.includes('{{') || inner.includes('}}') ? undefined : inner;
}

/**
 * Replaces every `{{…}}` in a value, at any depth. A text that is exactly one token keeps the type of its value;
 * inside a longer text objects become JSON. Undefined, null and errors become "". Source: recorded runs of 0.85.2.
 */
export function resolveValue(value: unknown, scope: Scope, connections: Connections): unknown {
  const room = { left: TEXT_MAX };
  return mapTexts(value, (text) => {
    const whole = wholeToken(text);
    if (whole !== undefined) return resolveToken(whole, scope, connections);
    return fillText(text, (source) => resolveToken(source, scope, connections), room);
  });
}

/** Replaces the tokens of a text. Throws StepError when the texts of one value grow beyond `TEXT_MAX`. */
function fillText(text: string, resolve: (source: string) => unknown, room: { left: number }): string {
  return text.replaceAll(TOKEN, (_match, source: string) => {
    const filled = inText(resolve(source));
    room.left -= filled.length;
    if (room.left < 0) throw new StepError('The texts of this step are larger than 2 MiB');
    return filled;
  });
}

/** Resolves a value for the run log: every value that names a connection is shown as `**REDACTED**`. */
export function resolveForLog(value: unknown, scope: Scope): unknown {
  const none: Connections = new Map();
  const room = { left: TEXT_MAX };
  const shown = (source: string): unknown => (compile(source).connections.length > 0 ? REDACTED : resolveToken(source, scope, none));
  return mapTexts(value, (text) => {
    const whole = wholeToken(text);
    if (whole !== undefined) return shown(whole);
    return fillText(text, shown, room);
  });
}

/** External ids of all connections that a value names. */
export function connectionsIn(value: unknown): string[] {
  const found = new Set<string>();
  mapTexts(value, (text) => {
    if (text.includes('connections')) {
      for (const match of text.matchAll(TOKEN)) {
        for (const id of compile(match[1] ?? '').connections) if (id !== '') found.add(id);
      }
    }
    return text;
  });
  return [...found];
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return value.includes('{{') ? change(value) : value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (value !== null && typeof value === 'object') {
    // fromEntries defines members, so a key named "__proto__" stays data.
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
  }
  return value;
}
