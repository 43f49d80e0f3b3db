import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createFastPath } from './fast-path.ts';

describe('the fast path', () => {
  it('responds to good requests itself, passes refused ones on with their reason, and takes none once closed', async () => {
    const logged: string[] = [];
    const fastPath = createFastPath({ trustsProxies: true, log: (line) => logged.push(`${line.method} ${line.path}`) });
    const refusal = new Error('refused');
    fastPath.add({ method: 'POST', path: '/in/:name', query: 'token', bounds: { bytesMax: 100 } }, async ({ params, query, ip }) => {
      if (query['token'] !== 'right') throw refusal;
      return { status: 202, headers: {}, text: JSON.stringify({ ...params, ip }) };
    });
    const passedOn: unknown[] = [];
    const server = fastPath.serve(
      (request, response) => {
        passedOn.push(fastPath.passedOn(request)?.error ?? null);
        response.writeHead(500).end();
      },
      { keepAliveTimeout: 1_000, requestTimeout: 1_000, stallTimeout: 60_000 },
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
    const send = async (path: string, headers: Record<string, string> = {}, method = 'POST') => {
      const reply = await fetch(`${origin}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
      return [reply.status, await reply.text()];
    };
    assert.deepEqual(await send('/in/a-1?token=right'), [202, '{"name":"a-1","ip":"127.0.0.1"}']);
    assert.deepEqual([passedOn, logged], [[], ['POST /in/a-1']]);
    for (const sent of [
      send('/in/a?token=wrong'),
      send('/in/a?token=right', { 'x-forwarded-for': '10.0.0.1' }),
      send('/in/a%2Fb?token=right'),
      send('/in/a'),
      send('/in/a?token=right', {}, 'PUT'),
    ])
      assert.equal((await sent)[0], 500);
    assert.deepEqual(passedOn.filter(Boolean), [refusal]);
    assert.equal(passedOn.length, 5);
    fastPath.close();
    assert.equal((await send('/in/a-1?token=right'))[0], 500);
    server.closeAllConnections();
    server.close();
  });
});
