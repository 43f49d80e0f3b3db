import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { request } from 'undici';
import { isPublicAddress } from './guard-table.ts';
import { createGuardedAgent } from './guard.ts';

const refused = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
];
const allowed = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.255.255',
  '198.20.0.1',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
];

for (const address of refused)
  test(`${address || 'an empty text'} is no public address`, () => assert.equal(isPublicAddress(address), false));
for (const address of allowed) test(`${address} is a public address`, () => assert.equal(isPublicAddress(address), true));

async function listening(): Promise<{ port: number; connections: () => number; close: () => Promise<void> }> {
  const server = createServer((_request, response) => response.end('inside'));
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, connections: () => connections, close };
}

test('every spelling of a loopback address is refused before anybody connects; the same host passes once it is allowed', async () => {
  const inside = await listening();
  const guarded = createGuardedAgent([], 64);
  const spellings = ['127.0.0.1', 'localhost', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'];
  for (const host of spellings) {
    await assert.rejects(
      request(`http://${host}:${inside.port}/`, { dispatcher: guarded }),
      (error: Error) => 'code' in error && error.code === 'ADDRESS_REFUSED',
      host,
    );
  }
  const connectedBefore = inside.connections();
  const exempt = createGuardedAgent([`127.0.0.1:${inside.port}`], 64);
  assert.equal(await (await request(`http://127.0.0.1:${inside.port}/`, { dispatcher: exempt })).body.text(), 'inside');
  // The exemption is for that port alone.
  await assert.rejects(
    request('http://127.0.0.1:1/', { dispatcher: exempt }),
    (error: Error) => 'code' in error && error.code === 'ADDRESS_REFUSED',
  );
  await assert.rejects(
    request('http://192.0.2.1.nip.invalid:6379/', { dispatcher: guarded }),
    (error: Error) => 'code' in error && error.code === 'ADDRESS_REFUSED' && /port/.test(error.message),
  );
  const byHost = createGuardedAgent(['LOCALHOST'], 64);
  assert.equal(await (await request(`http://localhost:${inside.port}/`, { dispatcher: byHost })).body.text(), 'inside');
  await Promise.all([guarded, exempt, byHost].map((agent) => agent.destroy()));
  await inside.close();
  assert.equal(connectedBefore, 0);
});
