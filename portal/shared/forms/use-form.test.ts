import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';

const PORTAL = join(import.meta.dirname, '..', '..');
const BODIES = new Set(Object.entries<RouteShape>(routes).flatMap(([name, { body }]) => (body ? [name] : [])));

/** The argument of each `useForm(…)` in a source text. */
function formsIn(source: string): string[] {
  return [...source.matchAll(/\buseForm(?:<[^(]*>)?\(\{/g)].map(({ index, 0: head }) => {
    let depth = 1;
    let end = index + head.length;
    while (depth > 0 && end < source.length) {
      if (source[end] === '{') depth += 1;
      if (source[end] === '}') depth -= 1;
      end += 1;
    }
    return source.slice(index, end);
  });
}

/** Calls that send a body without checking it first. */
function uncheckedCalls(form: string): string[] {
  return [...form.matchAll(/(?<![\w.])api\s*\.(\w+)/g)].map(([, name = '']) => name).filter((name) => BODIES.has(name));
}

test('every form sends its input through formApi, which checks it with the schema of the route', () => {
  assert.deepEqual(uncheckedCalls('useForm({ send: (body) => api.updateMe({ body }) })'), ['updateMe']);
  assert.deepEqual(uncheckedCalls('useForm({ send: (body) => formApi.updateMe({ body }) })'), []);
  const files = globSync('{features,shared}/**/*.{ts,tsx}', { cwd: PORTAL }).filter((file) => !file.endsWith('.test.ts'));
  const sources = files.map((file) => ({
    file,
    forms: formsIn(readFileSync(join(PORTAL, file), 'utf8')),
  }));
  const forms = sources.flatMap(({ file, forms: found }) => found.map((form) => ({ file, form })));
  assert.ok(forms.length >= 25, `only ${forms.length} forms were found`);
  assert.deepEqual(
    forms.flatMap(({ file, form }) => uncheckedCalls(form).map((name) => `${file}: ${name}`)),
    [],
  );
});
