import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseSync } from 'oxc-parser';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';

const ROOT = join(import.meta.dirname, '..');
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'child']);

type Node = { type: string; [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Calls `visit` for a node and everything inside it. */
function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  else if (isNode(value)) {
    visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

/** Names of the members of an object as written, without what it spreads. */
function namesIn(node: unknown): string[] {
  if (!isNode(node) || node.type !== 'ObjectExpression') return [];
  return (node['properties'] as Node[]).flatMap(({ key }) => (isNode(key) ? [String(key['name'] ?? key['value'])] : []));
}

/** Names of the fields that the calls of a log in this source write; an object in a variable counts too. */
function fieldsOf(source: string): string[] {
  const { program } = parseSync('source.ts', source);
  const variables = new Map<string, string[]>();
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && isNode(node['id'])) variables.set(String(node['id']['name']), namesIn(node['init']));
  });
  const fields: string[] = [];
  walk(program, (node) => {
    const callee = node['callee'];
    if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return;
    const { object, property } = callee as { object?: unknown; property?: unknown };
    const receiver = isNode(object) ? String(object['name'] ?? (isNode(object['property']) ? object['property']['name'] : '')) : '';
    if (!/log$/i.test(receiver) || !isNode(property) || !LEVELS.has(String(property['name']))) return;
    const [first] = node['arguments'] as unknown[];
    fields.push(...namesIn(first), ...(isNode(first) && first.type === 'Identifier' ? (variables.get(String(first['name'])) ?? []) : []));
  });
  return fields;
}

describe('the table of docs/log.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'log.md'), 'utf8');
  const listed = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );

  test('has each field that the service writes, and no other', () => {
    const files = globSync('service/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' }).filter(
      (file) => !file.includes('.test.'),
    );
    const written = new Set(files.flatMap((file) => fieldsOf(readFileSync(join(ROOT, file), 'utf8'))));
    assert.ok(written.has('requestId') && written.has('executionId') && written.size > 60, String(written.size));
    for (const always of fieldsOfALine()) written.add(always);
    // Not a field: the name under which a child log is made with its own rules.
    written.delete('redact');
    assert.deepEqual(listed.toSorted(), [...written].toSorted());
  });

  test('finds a field that is written as a literal, or in a variable', () => {
    assert.deepEqual(
      fieldsOf(
        `deps.log.warn({ err: error, once }, 'x'); const line = { twice: 1 }; log.error(line, 'y'); log.info('z'); other.info({ no: 1 })`,
      ),
      ['err', 'once', 'twice'],
    );
  });
});

/** What each line has, from the log itself. */
function fieldsOfALine(): string[] {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }, { isTraced: true }).error(
    { err: new Error('x'), executionId: newId() },
    'y',
  );
  return Object.keys(JSON.parse(lines[0] ?? '{}') as object);
}
