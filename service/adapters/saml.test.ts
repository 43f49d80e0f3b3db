import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startSamlProvider, type TestSaml } from '@partner-portal/tests/harness/saml-provider.ts';
import { systemClock } from '#platform/clock.ts';
import { type SamlShapes, startSamlShapes } from '@partner-portal/tests/harness/saml-shapes.ts';
import { createComputePool } from '#platform/compute/compute-pool.ts';
import { createSafeFetch, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createSaml, type SamlClient, SamlFault, type SamlMetadata } from './saml.ts';

const ADDRESSES = { entityId: 'http://portal.test/sso/acme/metadata', acsUrl: 'http://portal.test/sso/acme/acs' };
const SERVICE = { ...ADDRESSES, keys: [], signsRequests: false, allowsSha1: false };
const PARTNER = 'acme';
const compute = createComputePool({ waitMs: 60_000, deadlineFactor: 10 });
/** Takes no work at all. */
const full = createComputePool({ bytesMax: 0 });
let provider: TestSaml;
let shapes: SamlShapes;
let fetch: SafeFetch;
let saml: SamlClient;
let metadata: SamlMetadata;

before(async () => {
  provider = await startSamlProvider(ADDRESSES);
  shapes = await startSamlShapes(ADDRESSES);
  fetch = createSafeFetch({ allowedHosts: [new URL(provider.metadataUrl).host] });
  saml = createSaml({ fetch, compute, clock: systemClock, deadlineMs: 600_000 });
  metadata = await saml.readMetadata(PARTNER, provider.metadataUrl);
});
after(async () => {
  await Promise.all([compute.close(), full.close(), fetch.close()]);
  await Promise.all([provider.close(), shapes.close()]);
});

/** The response of the provider to a new request, changed by `after`. */
async function respond(change?: (xml: string) => string) {
  const { url, requestId } = await saml.begin(metadata, SERVICE, 'state');
  const { SAMLResponse } = await provider.respond(new URL(url), 'owner@portal.test', change ? { after: change } : {});
  return { response: SAMLResponse, requestId };
}
async function faultOf(client: SamlClient, { response, requestId }: { response: string; requestId: string }): Promise<SamlFault> {
  try {
    await client.finish(PARTNER, metadata, SERVICE, response, requestId);
  } catch (error) {
    if (error instanceof SamlFault) return error;
    throw error;
  }
  return assert.fail('the response was accepted');
}
/** Puts markup of a stranger before the assertion. */
const inserted = (markup: string) => (xml: string) => xml.replace('<saml:Assertion', `${markup}<saml:Assertion`);

describe('a response', () => {
  it('is judged before any library reads it, and read nowhere but in the pool', async () => {
    const client = createSaml({ fetch, compute: full, clock: systemClock });
    assert.equal((await faultOf(client, await respond())).kind, 'busy', 'a good one is read in the pool');
    const declarations = Array.from({ length: 7_000 }, (_, at) => ` xmlns:p${at}="u"`).join('');
    const refused: [xml: (xml: string) => string, why: RegExp][] = [
      [inserted(`<x${declarations}>${'<y>'.repeat(20)}${'</y>'.repeat(20)}</x>`), /more than 131072 characters|more than 32 attributes/],
      [inserted(`<x${' a="b"'.repeat(33)}/>`), /more than 32 attributes/],
      [inserted('<x/>'.repeat(1_500)), /more than 1500 elements/],
      [(xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`, /document type/],
      [(xml) => xml + ' '.repeat(200_000), /response is too long/],
    ];
    for (const [change, why] of refused) {
      const fault = await faultOf(client, await respond(change));
      assert.deepEqual([fault.kind, why.test(fault.message)], ['invalid', true], fault.message);
    }
  });

  /** A response with as much as is accepted, signed twice by a stranger: what it digests to is right, so that every key is tried. */
  async function atEveryLimit() {
    const own = Array.from({ length: 12 }, (_, at) => ` xmlns:p${at}="urn:${at}"`).join('');
    const nested = `<n:e xmlns:n="u">`.repeat(3) + `<n:f a="b" c="d"/>`.repeat(1_350) + `</n:e>`.repeat(3);
    const { url, requestId } = await saml.begin(metadata, SERVICE, 'state');
    const before = (xml: string): string =>
      xml.replace(/<saml:Assertion /, (tag) => tag + own.trimStart() + ' ').replace('<saml:Conditions', `${nested}<saml:Conditions`);
    const posted = shapes.respond(new URL(url), 'owner@portal.test', { signs: 'both', key: 'other', before });
    const der = Buffer.from(metadata.certificates[0] ?? '', 'base64');
    const certificates = [1, 2, 3, 4, 5].map((n) => {
      der[der.length - 1] = n;
      return der.toString('base64');
    });
    return { known: { ...metadata, certificates }, response: posted.SAMLResponse, requestId };
  }

  it('at every limit leaves the main thread free', async () => {
    const { known, response, requestId } = await atEveryLimit();
    let turns = 0;
    let isOver = false;
    const verified = saml.finish(PARTNER, known, SERVICE, response, requestId).then(
      () => assert.fail('it was accepted'),
      (error: unknown) => {
        isOver = true;
        return error;
      },
    );
    while (!isOver) {
      await turn();
      turns += 1;
    }
    const fault = await verified;
    assert.ok(fault instanceof SamlFault && fault.kind === 'key_unknown', String(fault));
    assert.ok(turns > 100, `the event loop turned ${turns} times meanwhile`);
  });

  it('that takes too long to check is refused, and the next one is checked', async () => {
    const hurried = createSaml({ fetch, compute, clock: systemClock, deadlineMs: 0 });
    const slow = await atEveryLimit();
    await assert.rejects(hurried.finish(PARTNER, slow.known, SERVICE, slow.response, slow.requestId), {
      kind: 'invalid',
      message: 'The check took too long and was stopped.',
    });
    const { response, requestId } = await respond();
    assert.equal((await saml.finish(PARTNER, metadata, SERVICE, response, requestId)).nameId, 'owner@portal.test');
  });
});

describe('metadata', () => {
  it('is judged and read in the same way', async () => {
    const client = createSaml({ fetch, compute: full, clock: systemClock });
    const read = (): Promise<unknown> => client.readMetadata(PARTNER, provider.metadataUrl);
    await assert.rejects(read(), { kind: 'busy' });
    const refused: [xml: string, why: RegExp][] = [
      [`<!DOCTYPE a>${provider.metadata()}`, /document type/],
      [provider.metadata() + '<!-- -->'.repeat(1_500), /more than 1500 elements/],
      [provider.metadata() + ' '.repeat(131_072), /longer than 131072 bytes/],
    ];
    for (const [xml, message] of refused) {
      provider.publish(xml);
      await assert.rejects(read(), { kind: 'invalid', message });
    }
    provider.publish(provider.metadata() + ' '.repeat(100_000));
    assert.deepEqual(await saml.readMetadata(PARTNER, provider.metadataUrl), metadata);
    provider.publish(null);
  });
});
