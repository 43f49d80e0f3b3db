import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { isRefusal } from '../refuse.ts';
import { Secret } from '../secret.ts';
import { createCursors } from './cursor.ts';
import { createSessions, type SessionClaims, type Sessions, type SigningKey } from './session.ts';

const clock = { now: () => new Date('2026-11-01T12:00:00Z') };
const key = (id: string | null): SigningKey => ({ id, secret: new Secret(randomBytes(32).toString('hex')) });
const ringOf = ([newest, ...older]: [SigningKey, ...SigningKey[]]): Promise<Sessions> =>
  createSessions(Fastify(), { secret: newest.secret, keyId: newest.id, older, expiresInSeconds: 3_600, clock });
const headerOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

const userId = randomUUID();
const claims: SessionClaims = { userId, email: 'maya@acme.test', role: 'PARTNER', partnerId: randomUUID(), authMethod: 'password' };

/** Every kind of token that sessions sign, and whether a process takes it. */
function issueAll(by: Sessions): { session: string; challenge: string; device: string } {
  return {
    session: by.issue(claims).accessToken,
    challenge: by.issueChallenge({ id: randomUUID(), userId }).tempToken,
    device: by.issueDevice({ userId, deviceId: randomUUID(), secondStep: true, validFrom: new Date(0) }),
  };
}
function takes(by: Sessions, tokens: ReturnType<typeof issueAll>): boolean[] {
  const passes = (read: () => unknown): boolean => {
    try {
      return read() !== null;
    } catch (error) {
      assert.ok(isRefusal(error, 'unauthenticated'), String(error));
      return false;
    }
  };
  return [
    passes(() => by.read(`Bearer ${tokens.session}`)),
    passes(() => by.readChallenge(tokens.challenge)),
    passes(() => by.readDevice(tokens.device)),
  ];
}
const ALL = [true, true, true];
const NONE = [false, false, false];

it('a token is taken as what it was issued for, and as nothing else', async () => {
  const sessions = await ringOf([key('k1')]);
  const { session, challenge, device } = issueAll(sessions);
  const work = sessions.issueWork({ subject: userId, bits: 4 });
  const readers: Record<string, (token: string) => unknown> = {
    session: (token) => sessions.read(`Bearer ${token}`),
    challenge: sessions.readChallenge,
    device: sessions.readDevice,
    work: sessions.readWork,
  };
  const isTaken = (read: (token: string) => unknown, token: string): boolean => {
    try {
      return read(token) !== null;
    } catch (error) {
      assert.ok(isRefusal(error, 'unauthenticated'), String(error));
      return false;
    }
  };
  for (const [kind, token] of Object.entries({ session, challenge, device, work }))
    for (const [wanted, read] of Object.entries(readers)) assert.equal(isTaken(read, token), kind === wanted, `a ${kind} as a ${wanted}`);
});

describe('a rotation of the key that signs sessions', () => {
  it('leaves sessions, started logins and known devices valid until the old key is removed', async () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const before = issueAll(await ringOf([k1]));
    const during = await ringOf([k2, k1]);
    assert.deepEqual(takes(during, before), ALL);
    const fresh = issueAll(during);
    assert.deepEqual(Object.values(fresh).map(headerOf), Array(3).fill({ alg: 'HS256', typ: 'JWT', kid: 'k2' }));
    const after = await ringOf([k2]);
    assert.deepEqual(takes(after, fresh), ALL);
    assert.deepEqual(takes(after, before), NONE);
  });

  it('starts from a secret without an id, whose tokens name no key', async () => {
    const plain = key(null);
    const before = issueAll(await ringOf([plain]));
    assert.deepEqual(Object.values(before).map(headerOf), Array(3).fill({ alg: 'HS256', typ: 'JWT' }));
    const k2 = key('k2');
    assert.deepEqual(takes(await ringOf([k2, { ...plain, id: 'k1' }]), before), ALL, 'the secret moved into the ring under a new id');
    assert.deepEqual(takes(await ringOf([plain]), before), ALL);
    assert.deepEqual(takes(await ringOf([k2]), before), NONE);
  });

  it('is prepared on several processes by a ring whose old key still signs', async () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const prepared = await ringOf([k1, k2]);
    assert.deepEqual(takes(prepared, issueAll(await ringOf([k2, k1]))), ALL);
    assert.deepEqual(takes(await ringOf([k2, k1]), issueAll(prepared)), ALL);
  });
});

describe('the key that a token names', () => {
  const forged = (header: object, secret: string): string => {
    const iat = Math.floor(clock.now().getTime() / 1000);
    const { userId: sub, ...rest } = claims;
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part(header)}.${part({ sub, ...rest, iat, exp: iat + 60, jti: randomUUID() })}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it('is the only one it is verified with', async () => {
    const [k1, k2] = [key('k1'), key('k2')];
    const sessions = await ringOf([k2, k1]);
    const read = (header: object, by: SigningKey) => () => sessions.read(`Bearer ${forged(header, by.secret.reveal())}`);
    assert.equal(read({ alg: 'HS256', kid: 'k1' }, k1)().userId, userId);
    assert.equal(read({ alg: 'HS256' }, k1)().userId, userId);
    const refused = (error: unknown): boolean => isRefusal(error, 'unauthenticated');
    for (const header of [
      { alg: 'HS256', kid: 'k2' },
      { alg: 'HS256', kid: 'k3' },
      { alg: 'HS256', kid: '' },
      { alg: 'none', kid: 'k1' },
      { alg: 'HS512', kid: 'k1' },
    ])
      assert.throws(read(header, k1), refused, JSON.stringify(header));
    for (const token of ['not.a.token', 'e30.e30.e30', 'x', `${'a'.repeat(50)}..`])
      assert.throws(() => sessions.read(`Bearer ${token}`), refused, token);
  });
});

it('cursors of the older keys open until these are removed', () => {
  const [older, newest] = [key('k1').secret, key('k2').secret];
  const filters = { partnerId: 'p' };
  const before = createCursors(older).seal(filters, ['2026-01-01', 'id']);
  const during = createCursors(newest, [older]);
  assert.deepEqual(during.open(filters, before), ['2026-01-01', 'id']);
  const fresh = during.seal(filters, ['2026-01-02', 'id']);
  assert.deepEqual(createCursors(newest).open(filters, fresh), ['2026-01-02', 'id']);
  assert.throws(
    () => createCursors(newest).open(filters, before),
    (error: unknown) => isRefusal(error, 'invalid_cursor'),
  );
});
