import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as ours from '@partner-portal/core/network/address.ts';
import * as engine from '@partner-portal/engine/guard-table.ts';

/** The engine imports nothing of ours, so its table of addresses and ports is a copy. */
describe('the guards of the service and of the embedded engine', () => {
  it('have the same ranges and ports', () => {
    assert.deepEqual(engine.SPECIAL_V4, ours.SPECIAL_V4);
    assert.deepEqual(engine.SPECIAL_V6, ours.SPECIAL_V6);
    assert.deepEqual(
      [...engine.SERVICE_PORTS].toSorted((a, b) => a - b),
      [...ours.SERVICE_PORTS].toSorted((a, b) => a - b),
    );
  });

  it('decide alike on the edges of every range, in every form, and on every port', () => {
    const v4 = ours.SPECIAL_V4.flatMap(([network, prefix]) => edgesOf(network, prefix));
    const v6 = ours.SPECIAL_V6.map(([network]) => network);
    const more = [
      '::1',
      '::',
      'fe80::1%eth0',
      '4000::1',
      '2600::',
      '64:ff9b::7f00:1',
      '100::1',
      'fc00::1',
      'ff02::1',
      '::127.0.0.1',
      '2001:200::1',
      '3fff::1',
      '5f00::1',
      'no address',
      '',
      '01.2.3.4',
    ];
    const addresses = [...v4, ...v4.map((address) => `::ffff:${address}`), ...v6, ...more];
    const differing = addresses.filter((address) => engine.isPublicAddress(address) !== ours.isPublicAddress(address));
    assert.deepEqual(differing, []);
    assert.ok(addresses.some((address) => engine.isPublicAddress(address)) && addresses.length > 100);
    const ports = Array.from({ length: 65_537 }, (_, port) => port).filter((port) => engine.isWebPort(port) !== ours.isWebPort(port));
    assert.deepEqual(ports, []);
  });

  it('refuse the metadata service of Azure, which has a public address', () => {
    for (const guard of [engine, ours])
      assert.deepEqual(['168.63.129.15', '168.63.129.16', '::ffff:168.63.129.16', '168.63.129.17'].map(guard.isPublicAddress), [
        true,
        false,
        false,
        true,
      ]);
  });
});

/** The address before a range, its first, its last and the one after. */
function edgesOf(network: string, prefix: number): string[] {
  const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - prefix);
  return [first - 1, first, first + size - 1, first + size]
    .filter((at) => at >= 0 && at < 2 ** 32)
    .map((at) => [24, 16, 8, 0].map((shift) => Math.floor(at / 2 ** shift) % 256).join('.'));
}
