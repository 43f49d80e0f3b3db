import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from '@partner-portal/tests/harness/dns-server.ts';
import { createTxtLookup, type TxtLookup } from './txt-lookup.ts';

let server: DnsServer;
let lookup: TxtLookup;
/** Gives up soon. */
let hurried: TxtLookup;
before(async () => {
  server = await startDnsServer();
  lookup = createTxtLookup({ servers: [server.address], timeoutMs: 60_000 });
  hurried = createTxtLookup({ servers: [server.address], timeoutMs: 500 });
});
after(() => server.close());

describe('the texts of a name', () => {
  it('are those of all its records, each put together from its parts', async () => {
    server.set('one.example', ['first', ` ${'x'.repeat(200)}${'y'.repeat(40)} `]);
    assert.deepEqual(await lookup('one.example'), { kind: 'found', values: ['first', 'x'.repeat(200) + 'y'.repeat(40)] });
  });
  it('are cut where they are longer or more than anyone needs', async () => {
    server.set('long.example', ['z'.repeat(900)]);
    assert.deepEqual(await lookup('long.example'), { kind: 'found', values: ['z'.repeat(255)] });
  });
  it('are none for a name without records', async () => {
    assert.deepEqual(await lookup('none.example'), { kind: 'none' });
  });
  it('are unknown while no server answers', async () => {
    server.set('silent.example', null);
    assert.deepEqual(await hurried('silent.example'), { kind: 'unanswered' });
  });
});
