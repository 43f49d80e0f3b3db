import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { createFairTurns, TurnRefusal } from '../fair-turns.ts';
import { AppError } from '../refuse.ts';
import { bindRoute } from './bind-route.ts';
import { csvOfList } from './csv-list.ts';
import { createExportTurns } from './export-turns.ts';
import type { Sessions } from './session.ts';

/** How many pages of exports are read at once, and whose. */

const HANGS_MS = 120_000;
const PAGES = 3;
const base = { method: 'GET', tag: 'health', summary: 'test', limit: 'none', errors: [] } as const;
const access = { kind: 'session', roles: ['PARTNER'], write: false } as const;
const [acme, rival] = [uuidv7(), uuidv7()];

let app: FastifyInstance;
let sessions: Sessions;
let port: number;
/** Pages that are being read, by agency, and the most that were. */
let reading: Record<string, number>;
let most: Record<string, number>;
let begun: number;
/** What each page of an agency waits for. */
let gates: Record<string, Promise<void> | undefined>;

async function readPage(partnerId: string): Promise<void> {
  begun += 1;
  const all = (reading[partnerId] = (reading[partnerId] ?? 0) + 1);
  most[partnerId] = Math.max(most[partnerId] ?? 0, all);
  most['all'] = Math.max(most['all'] ?? 0, (reading[acme] ?? 0) + (reading[rival] ?? 0));
  await gates[partnerId];
  reading[partnerId] = (reading[partnerId] ?? 1) - 1;
}

before(async () => {
  const { app: server, deps } = await createBareServer({ closeGraceMs: 0 });
  app = server;
  ({ sessions } = deps);
  const csv = defineRoute({ ...base, access, path: '/list.csv', format: 'csv', reply: { 200: z.string() } });
  bindRoute(app, deps, 'csv', csv, (_input, { actor, now }) =>
    csvOfList({ name: 'list', now }, [['n', (row: { n: number }) => row.n]], async (cursor) => {
      await readPage(actor.partnerId);
      const n = Number(cursor ?? 0) + 1;
      return { data: [{ n }], nextCursor: n < PAGES ? String(n) : null };
    }),
  );
  const lines = defineRoute({ ...base, access, path: '/list.ndjson', format: 'ndjson', reply: { 200: z.object({ n: z.number() }) } });
  bindRoute(app, deps, 'lines', lines, (_input, { actor }) => ({
    kind: 'ndjson',
    filename: 'list.ndjson',
    pages: (async function* () {
      for (let n = 1; n <= PAGES; n += 1) {
        await readPage(actor.partnerId);
        yield [{ n }];
      }
    })(),
  }));
  port = await listenLocally(app);
});
after(() => app.close());
beforeEach(() => {
  reading = {};
  most = {};
  begun = 0;
  gates = {};
});

const bearer = (partnerId: string, userId: string): { authorization: string } => {
  const claims = { userId, email: 'ann@acme.test', role: 'PARTNER', partnerId, partnerRole: 'admin', authMethod: 'password' } as const;
  return { authorization: `Bearer ${sessions.issue(claims).accessToken}` };
};
const take = async (path: string, partnerId: string, userId = uuidv7()): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: bearer(partnerId, userId) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.replace('\uFEFF', '');
};
const CSV = ['n', 1, 2, 3].map((value) => csvLine([value])).join('');

describe('the exports of one agency', { timeout: HANGS_MS }, () => {
  for (const [path, whole] of [
    ['/list.csv', CSV],
    ['/list.ndjson', '{"n":1}\n{"n":2}\n{"n":3}\n'],
  ] as const)
    it(`read two pages at once however many there are, and those of another are read meanwhile: ${path}`, async () => {
      const gate = Promise.withResolvers<void>();
      gates[acme] = gate.promise;
      const users = [uuidv7(), uuidv7(), uuidv7()];
      const all = users.flatMap((userId) => Array.from({ length: 6 }, () => take(path, acme, userId)));
      await until('two pages are read', () => reading[acme] === 2);
      // All pages of these are read while two of the others are held.
      assert.deepEqual(await Promise.all([take(path, rival), take(path, rival)]), [whole, whole]);
      gate.resolve();
      assert.deepEqual([...new Set(await Promise.all(all))], [whole]);
      assert.deepEqual([most[acme], (most['all'] ?? 0) <= 4], [2, true]);
      assert.equal(begun, 20 * PAGES);
    });

  it('of one user read one page at a time', async () => {
    const userId = uuidv7();
    await Promise.all(Array.from({ length: 5 }, () => take('/list.csv', acme, userId)));
    assert.equal(most[acme], 1);
  });
});

describe('an export', { timeout: HANGS_MS }, () => {
  it('whose receiver has gone while it waited reads no page', async () => {
    const gate = Promise.withResolvers<void>();
    gates[acme] = gate.promise;
    const userId = uuidv7();
    const first = take('/list.ndjson', acme, userId);
    await until('its first page is read', () => begun === 1);
    const closed = new Promise<void>((resolve) => app.server.once('connection', (peer) => peer.once('close', () => resolve())));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const { authorization } = bearer(acme, userId);
    socket.write(`GET /list.ndjson HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`, () => socket.destroy());
    await closed;
    gate.resolve();
    await first;
    await take('/list.ndjson', acme, userId);
    assert.equal(begun, 2 * PAGES);
  });

  it('beyond those that may wait is refused with when to try again, and one below is opened', async () => {
    const turns = createExportTurns(createFairTurns({ slots: 1, waitingMax: 0, waitMs: HANGS_MS }));
    const gate = Promise.withResolvers<string>();
    const first = turns.open({ key: 'a' }, () => gate.promise);
    await assert.rejects(
      turns.open({ key: 'b' }, async () => 'b'),
      (error) => error instanceof AppError && error.code === 'service_unavailable' && error.cause instanceof TurnRefusal,
    );
    gate.resolve('a');
    assert.equal(await first, 'a');
    assert.equal(await turns.open({ key: 'b' }, async () => 'b'), 'b');
  });
});
