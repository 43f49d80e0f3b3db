import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { hasZeroBits, workText } from '@partner-portal/core/people/proof-of-work.ts';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD } from '@partner-portal/tests/harness/world.ts';

const EMAIL = 'owner@portal.test';
const WRONG = 'a wrong guess';
type Proof = { challenge: string; solution: string };
type Work = { challenge: string; bits: number };

let service: TestService;
before(async () => {
  // Each test request names the address it comes from.
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
});
after(() => service.close());
beforeEach(async () => {
  const { limits } = service;
  for (const name of ['loginFailureOfAccount', 'loginProofOfAccount'] as const) await limits.forget(name, EMAIL);
});

const logIn = (address: string, password: string, proofOfWork?: Proof, email = EMAIL): Promise<TestReply> =>
  service.call('POST', '/auth/login', {
    body: { email, password, ...(proofOfWork ? { proofOfWork } : {}) },
    headers: { 'x-forwarded-for': address },
  });
const hashOf = (challenge: string, solution: string) => hash('sha256', workText(challenge, solution), 'buffer');
function solve({ challenge, bits }: Work, isRight = true): Proof {
  for (let n = 0; ; n += 1) if (hasZeroBits(hashOf(challenge, String(n)), bits) === isRight) return { challenge, solution: String(n) };
}
/** Logs in as the login page does: with a proof when one is asked for. */
async function logInAsPage(address: string, password: string): Promise<TestReply> {
  const first = await logIn(address, password);
  const { proofOfWork } = first.body;
  return first.status === 429 && proofOfWork ? logIn(address, password, solve(proofOfWork)) : first;
}
/** The next address of a network that was not used before. */
let used = 0;
const freshAddress = (): string => `198.51.${Math.floor((used += 1) / 250)}.${used % 250}`;
async function blockAccount(): Promise<void> {
  while (!(await service.limits.count('loginFailureOfAccount', EMAIL)).exceeded);
}

describe('guesses of strangers for one account', () => {
  it('from ten addresses, a hundred of them, leave the right password of a new device in', async () => {
    const strangers = Array.from({ length: 10 }, freshAddress);
    let verified = 0;
    for (let round = 0; round < 10; round += 1)
      for (const address of strangers) if ((await logInAsPage(address, WRONG)).status === 401) verified += 1;
    assert.equal(verified, LIMITS.loginFailuresPerAccount + strangers.length * LIMITS.loginProofsPerNetwork);
    const owner = await logInAsPage(freshAddress(), PASSWORD);
    assert.equal(owner.status, 200, owner.text);
    assert.equal((await logInAsPage(freshAddress(), WRONG)).status, 401);
  });

  it('are a hundred in the window at most, however many networks they come from', async () => {
    assert.equal(LIMITS.loginFailuresPerAccount + LIMITS.loginProofsPerAccount, 100);
    for (let n = 0; n < LIMITS.loginFailuresPerAccount; n += 1) assert.equal((await logIn(freshAddress(), WRONG)).status, 401);
    const asked = await logIn(freshAddress(), WRONG);
    assert.deepEqual([asked.status, typeof asked.body.proofOfWork?.challenge], [429, 'string']);
    const last = freshAddress();
    const solved = solve((await logIn(last, PASSWORD)).body.proofOfWork as Work);
    // Proofs of other networks use up the rest.
    while ((await service.limits.peek('loginProofOfAccount', EMAIL)).remaining > 0)
      await service.limits.count('loginProofOfAccount', EMAIL);
    assert.equal((await logIn(last, PASSWORD, solved)).status, 429);
    const spent = await logIn(freshAddress(), PASSWORD);
    assert.deepEqual([spent.status, spent.body.code, spent.body.proofOfWork], [429, 'rate_limited', undefined]);
  });

  it('cost more work the more proofs were used', async () => {
    await blockAccount();
    const bits = async (): Promise<number> => (await logIn(freshAddress(), WRONG)).body.proofOfWork.bits;
    const first = await bits();
    for (let n = 0; n < 24; n += 1) await service.limits.count('loginProofOfAccount', EMAIL);
    assert.equal(await bits(), first + 2);
  });

  it('look the same for an address without a user', async () => {
    const unknown = 'nobody@portal.test';
    while (!(await service.limits.count('loginFailureOfAccount', unknown)).exceeded);
    const asked = await logIn(freshAddress(), WRONG, undefined, unknown);
    assert.deepEqual([asked.status, typeof asked.body.proofOfWork.challenge], [429, 'string']);
  });
});

describe('a proof of work', () => {
  it('counts for its e-mail and network only, once, and only when it is solved', async () => {
    await blockAccount();
    const address = freshAddress();
    const work = (await logIn(address, PASSWORD)).body.proofOfWork as Work;
    const solved = solve(work);
    assert.equal((await logIn(address, PASSWORD, solve(work, false))).status, 429, 'not solved');
    assert.equal((await logIn(freshAddress(), PASSWORD, solved)).status, 429, 'of another network');
    assert.equal((await logIn(address, PASSWORD, { challenge: 'a.b.c', solution: '1' })).status, 429, 'no challenge of ours');
    assert.equal((await logIn(address, PASSWORD, solved)).status, 200);
    assert.equal((await logIn(address, PASSWORD, solved)).status, 429, 'used before');
  });

  it('is given back by a right password, and what asks for one costs no attempt', async () => {
    await blockAccount();
    const address = freshAddress();
    for (let n = 0; n < LIMITS.loginFailuresPerAddress + 2; n += 1) assert.equal((await logInAsPage(address, PASSWORD)).status, 200);
    assert.equal((await service.limits.peek('loginProofOfAccount', EMAIL)).remaining, LIMITS.loginProofsPerAccount);
  });

  it('opens no session and is no device', async () => {
    await blockAccount();
    const { challenge } = (await logIn(freshAddress(), WRONG)).body.proofOfWork as Work;
    const me = await service.call('GET', '/auth/me', { headers: { authorization: `Bearer ${challenge}` } });
    assert.equal(me.status, 401);
    const device = await service.call('POST', '/auth/login', {
      body: { email: EMAIL, password: PASSWORD },
      headers: { cookie: `known_device=${challenge}`, 'x-forwarded-for': freshAddress() },
    });
    assert.equal(device.status, 429);
  });
});
