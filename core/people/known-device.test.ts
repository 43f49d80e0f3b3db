import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DeviceProof, proofFor } from './known-device.ts';

const at = (seconds: number): Date => new Date(1_800_000_000_000 + seconds * 1000);
const proof = (change: Partial<DeviceProof> = {}): DeviceProof => ({
  userId: 'ann',
  deviceId: 'laptop',
  issuedAt: at(10),
  secondStep: false,
  ...change,
});

describe('the proof of a known device', () => {
  const cases: [what: string, proofs: DeviceProof[], validFrom: Date, secondStep: boolean, deviceId: string | null][] = [
    ['none', [], at(0), false, null],
    ['of this user', [proof()], at(0), false, 'laptop'],
    ['of another user', [proof({ userId: 'bob' })], at(0), false, null],
    ['beside one of another user', [proof({ userId: 'bob', deviceId: 'shared' }), proof()], at(0), false, 'laptop'],
    ['issued before the sessions were ended', [proof()], at(11), false, null],
    ['issued in the second in which they start to be valid', [proof()], new Date(at(10).getTime() + 999), false, 'laptop'],
    ['the newest of two', [proof(), proof({ deviceId: 'phone', issuedAt: at(20) })], at(0), false, 'phone'],
    ['by password, where a second step is asked for', [proof()], at(0), true, null],
    ['with a second step', [proof({ secondStep: true })], at(0), true, 'laptop'],
    ['with a second step, where none is asked for', [proof({ secondStep: true })], at(0), false, 'laptop'],
  ];
  for (const [what, proofs, sessionsValidFrom, secondStep, expected] of cases)
    it(`${what}: ${expected ?? 'none counts'}`, () =>
      assert.equal(proofFor(proofs, { id: 'ann', sessionsValidFrom }, { secondStep })?.deviceId ?? null, expected));
});
