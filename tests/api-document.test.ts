import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { lintApiDocument, readApiDocument } from '../scripts/lint-api.ts';

const SIGN_IN = '/auth/login';
type Operation = { operationId: string; tags: string[]; security?: Record<string, string[]>[] };
type Document = { tags?: { name: string; description: string }[]; paths: Record<string, Record<string, Operation>> };
const document = JSON.parse(readApiDocument()) as Document; // our own file
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

describe('the API document', () => {
  // `npm run check` lints the whole document; this one operation is enough to see that the linter looks.
  it('is checked by a public linter, which finds an operation that says nothing about its proof', async () => {
    const { [SIGN_IN]: path = {} } = document.paths;
    const only = (operation: Partial<Operation> | undefined) => JSON.stringify({ ...document, paths: { [SIGN_IN]: { post: operation } } });
    const { security: _unsaid, ...silent } = path['post'] ?? {};
    assert.deepEqual(await lintApiDocument(only(path['post'])), []);
    assert.deepEqual(
      (await lintApiDocument(only(silent))).map((line) => line.split(': ').slice(0, 2)),
      [['#/paths/~1auth~1login/post', 'security-defined']],
    );
  });

  it('says of each operation which proof it needs, and of public ones that they need none', () => {
    const proofs = { session: [{ bearer: [] }], public: [], ingest: [{ ingestToken: [] }], callback: [{ callbackToken: [] }] };
    const expected = Object.fromEntries(Object.entries(routes).map(([name, { access }]) => [name, proofs[access.kind]]));
    assert.deepEqual(Object.fromEntries(operations.map(({ operationId, security }) => [operationId, security])), expected);
    assert.ok(operations.filter(({ security }) => security?.length === 0).length >= 15);
  });

  it('describes every tag that an operation has, once, and no other', () => {
    const listed = document.tags ?? [];
    assert.deepEqual(listed.map(({ name }) => name).toSorted(), [...new Set(operations.flatMap(({ tags }) => tags))].toSorted());
    for (const { name, description } of listed) assert.match(description, /^[A-Z].{15,}\.$/, name);
  });
});
