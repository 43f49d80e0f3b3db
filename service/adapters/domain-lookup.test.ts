import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from '@partner-portal/tests/harness/dns-server.ts';
import { createDomainLookup, type DomainLookup } from './domain-lookup.ts';

let server: DnsServer;
let lookup: DomainLookup;
/** Gives up soon. */
let hurried: DomainLookup;
before(async () => {
  server = await startDnsServer();
  lookup = createDomainLookup({ servers: [server.address], timeoutMs: 60_000 });
  hurried = createDomainLookup({ servers: [server.address], timeoutMs: 500 });
});
after(() => server.close());

describe('the texts of a name', () => {
  it('are those of all its records, each put together from its parts', async () => {
    server.set('one.example', ['first', ` ${'x'.repeat(200)}${'y'.repeat(40)} `]);
    assert.deepEqual(await lookup.texts('one.example'), { kind: 'found', values: ['first', 'x'.repeat(200) + 'y'.repeat(40)] });
  });
  it('are cut where they are longer or more than anyone needs', async () => {
    server.set('long.example', ['z'.repeat(900)]);
    assert.deepEqual(await lookup.texts('long.example'), { kind: 'found', values: ['z'.repeat(255)] });
  });
  it('are none for a name without records', async () => {
    assert.deepEqual(await lookup.texts('none.example'), { kind: 'none' });
  });
  it('are unknown while no server answers', async () => {
    server.set('silent.example', null);
    assert.deepEqual(await hurried.texts('silent.example'), { kind: 'unanswered' });
  });
});

describe('the address of a name', () => {
  it('is found as IPv4 or as IPv6', async () => {
    server.setAddress('four.example', '192.0.2.7');
    server.setAddress('six.example', '2001:db8::7');
    assert.deepEqual([await lookup.address('four.example'), await lookup.address('six.example')], ['found', 'found']);
  });
  it('is none for a name without one, also where it has texts', async () => {
    server.set('texts.example', ['text']);
    assert.deepEqual([await lookup.address('texts.example'), await lookup.address('none.example')], ['none', 'none']);
  });
  it('is unknown while no server answers', async () => {
    server.set('silent.example', null);
    assert.equal(await hurried.address('silent.example'), 'unanswered');
  });
});
