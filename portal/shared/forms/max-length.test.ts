import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';

const PORTAL = join(import.meta.dirname, '..', '..');
const BODIES = new Map(Object.entries<RouteShape>(routes).flatMap(([name, { body }]) => (body ? [[name, body]] : [])));

/** Fields whose name in the body is in no `fieldNames`, by file and name in the form. */
const SENT_AS: { [field: string]: string } = {
  'endpoint-form.tsx': 'url',
  'mfa-form.tsx value': 'recoveryCode',
  'credit-dialog.tsx lines': 'description',
};
/** Fields that a pattern or a number limits in the body. */
const OTHERWISE_LIMITED = new Set(['currency', 'slug', 'clients']);
/** Fields that are sent in an address, and one whose two kinds of value have lengths of their own. */
const NOT_COMPARED = new Set(['sso-form.tsx agency', 'event-id-section.tsx name']);

const sentIn = (source: string): string[] =>
  [...source.matchAll(/\b(?:formApi|api)\s*\.(\w+)/g)].map(([, name = '']) => name).filter((name) => BODIES.has(name));

/** Name and length of each field in a source text, and the routes that its own element sends to. */
function lengthsIn(source: string): { field: string; max: number; sent: string[] }[] {
  return [...source.matchAll(/maxLength=\{(?:(\d+)|LIMITS\.(\w+))\}/g)].map(({ index, 1: literal, 2: limit = '' }) => {
    const start = source.slice(0, index).search(/<[A-Z]\w*(?![\s\S]*<[A-Z])/);
    const element = source.slice(start, source.indexOf('/>', index));
    const [, given] = /send=\{\((\w+)\)/.exec(element) ?? [];
    const named = given === undefined ? /\.\.\.(?:form\.)?\w+\('([\w.]+)'\)/ : new RegExp(`\\b(\\w+): ${given}\\b`);
    const found = [named, /data-field="(\w+)"/, /value=\{(?:\w+\.)*(\w+)\}/].map((pattern) => pattern.exec(element)?.[1]);
    const max = literal === undefined ? LIMITS[limit as keyof typeof LIMITS] : literal; // the compiler knows the name
    return { field: found.find((name) => name !== undefined) ?? given ?? '', max: Number(max), sent: sentIn(element) };
  });
}

/** The lengths that a body allows for texts of a name, at any depth. */
function maxesOf(body: z.ZodType, name: string): Set<number> {
  const found = new Set<number>();
  const walk = (schema: unknown, isNamed: boolean): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (isNamed && 'maxLength' in schema) found.add(Number(schema.maxLength));
    for (const [key, value] of Object.entries(schema)) {
      if (key !== 'properties') walk(value, isNamed);
      else for (const [property, inner] of Object.entries(value as object)) walk(inner, property === name); // of a JSON schema
    }
  };
  walk(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), false);
  return found;
}

test('a field takes as many characters as the body of the route that its form sends', () => {
  const one = `<A b={c} /><TextField maxLength={60} {...form.input('name')} />`;
  assert.deepEqual(lengthsIn(one), [{ field: 'name', max: 60, sent: [] }]);
  const dialog = '<NoteDialog maxLength={LIMITS.nameMax} send={(why) => formApi.voidInvoice({ params, body: { reason: why } })} />';
  assert.deepEqual(lengthsIn(dialog), [{ field: 'reason', max: LIMITS.nameMax, sent: ['voidInvoice'] }]);
  const body = z.object({ name: z.string().max(5), inner: z.object({ name: z.string().max(6).nullable(), other: z.string().max(7) }) });
  assert.deepEqual([...maxesOf(body, 'name')], [5, 6]);

  const files = globSync('{features,shared}/**/*.{ts,tsx}', { cwd: PORTAL }).filter((file) => !file.endsWith('.test.ts'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(PORTAL, file), 'utf8')]));
  const sentBy = (found: string[]): string[] => found.flatMap((file) => sentIn(sources.get(file) ?? ''));
  const compared = [...sources].flatMap(([file, source]) =>
    lengthsIn(source).flatMap(({ field, max, sent }) => {
      const key = `${basename(file)} ${field}`.trim();
      if (OTHERWISE_LIMITED.has(field) || NOT_COMPARED.has(key)) return [];
      const [, renamed] = new RegExp(`fieldNames: \\{[^}]*?(\\w+): '${field}'`).exec(source) ?? [];
      const name = SENT_AS[key] ?? renamed ?? field;
      // Fields in a file of their own belong to the forms of their folder.
      const near = [sent, sentBy([file]), sentBy(files.filter((other) => dirname(other) === dirname(file)))].find(
        (some) => some.length > 0,
      );
      const allowed = new Set((near ?? []).flatMap((route) => [...maxesOf(BODIES.get(route) ?? z.never(), name)]));
      return [{ field: `${file}: ${name} ${max}`, allowed: `${file}: ${name} ${[...allowed].join(' or ')}` }];
    }),
  );
  assert.ok(compared.length >= 65, `only ${compared.length} fields were found`);
  assert.deepEqual(
    compared.map(({ field }) => field),
    compared.map(({ allowed }) => allowed),
  );
});
