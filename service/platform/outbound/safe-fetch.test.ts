import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createInternalFetch } from './internal-fetch.ts';
import { OutboundError, type OutboundReason } from './outbound-error.ts';
import { createSafeFetch, type Lookup, type SafeFetch } from './safe-fetch.ts';

let server: Server;
let port: number;
let hits = 0;
const opened: SafeFetch[] = [];

const serve: RequestListener = (request, response) => {
  hits += 1;
  if (request.url === '/redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  else if (request.url === '/drip') {
    // One byte after another for ever: headers and body timeouts never notice.
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  } else if (request.url === '/silent') return;
  else response.end('y'.repeat(50_000));
};

before(async () => {
  server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port; // listening on TCP
});

after(async () => {
  await Promise.all(opened.map((fetcher) => fetcher.close()));
  server.closeAllConnections();
  server.close();
});

function open(options: { allowed?: string[]; lookup?: Lookup } = {}): SafeFetch {
  const fetcher = createSafeFetch({ allowedHosts: options.allowed ?? [], ...(options.lookup ? { lookup: options.lookup } : {}) });
  opened.push(fetcher);
  return fetcher;
}

function names(...answers: string[][]): Lookup {
  let call = 0;
  return async () =>
    (answers[Math.min(call++, answers.length - 1)] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** Spellings of this machine and of private places, as the host of a URL. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  'localhost',
  'LocalHost.',
  'api.localhost',
  'intranet',
  'metadata.google.internal',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '169.254.169.254',
  '168.63.129.16',
  '127\u30020\u30020\u30021',
  '127\uff0e0\uff0e0\uff0e1',
  '\uff11\uff12\uff17.0.0.1',
  '%31%32%37.0.0.1',
  'loc%61lhost',
];

/** Answers of a hostile resolver. */
const PRIVATE_ADDRESSES = [
  '127.0.0.1',
  '10.1.2.3',
  '172.20.0.5',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '2001::a00:1',
  'fd12::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
];

const post = (url: string) => ({ method: 'POST', url, body: '{}', timeoutMs: 60_000, answerBytesMax: 16_384 });
const because = (reason: OutboundReason, sent: boolean) => (error: unknown) => {
  assert.ok(error instanceof OutboundError, String(error));
  assert.deepEqual({ reason: error.reason, sent: error.sent }, { reason, sent });
  return true;
};

describe('a call to an address from outside', () => {
  it('reaches an allowed host and reads its answer up to the limit', async () => {
    const answer = await open({ allowed: [`127.0.0.1:${port}`] }).call(post(`http://127.0.0.1:${port}/`));
    assert.deepEqual(
      { status: answer.status, size: answer.body.length, truncated: answer.truncated },
      { status: 200, size: 16_384, truncated: true },
    );
  });

  for (const host of PRIVATE_HOSTS) {
    it(`never connects to ${host}`, async () => {
      const before = hits;
      await assert.rejects(open().call(post(`http://${host}:${port}/`)), because('private_address', false));
      await assert.rejects(open().check(`http://${host}:${port}/`), because('private_address', false));
      assert.equal(hits, before);
    });
  }

  for (const address of PRIVATE_ADDRESSES) {
    it(`never connects to a name that leads to ${address}, alone or among public ones`, async () => {
      const before = hits;
      for (const answers of [[address], ['93.184.216.34', address], [address, '2606:4700:4700::1111']]) {
        const fetcher = open({ lookup: names(answers) });
        for (const name of ['hooks.example.com', 'hooks.example.com.', '127.0.0.1.nip.example'])
          await assert.rejects(fetcher.call(post(`http://${name}:${port}/`)), because('private_address', false));
        await assert.rejects(fetcher.check(`https://hooks.example.com/`), because('private_address', false));
      }
      assert.equal(hits, before);
    });
  }

  it('takes a name all of whose addresses are public', async () => {
    await open({ lookup: names(['93.184.216.34', '2606:4700:4700::1111']) }).check('https://hooks.example.com/in');
  });

  it('reaches what is exempt by its name as well, on the port that is named and on no other', async () => {
    const fetcher = open({ allowed: [`receiver.example:${port}`], lookup: names(['127.0.0.1']) });
    assert.equal((await fetcher.call(post(`http://receiver.example:${port}/`))).status, 200);
    await assert.rejects(fetcher.call(post(`http://receiver.example:${port + 1}/`)), because('private_address', false));
    await assert.rejects(fetcher.call(post(`http://other.example:${port}/`)), because('private_address', false));
  });

  it('is refused when a name has one private address among public ones', async () => {
    const mixed = open({ lookup: names(['93.184.216.34', '127.0.0.1']) });
    await assert.rejects(mixed.call(post(`http://mixed.example.com:${port}/`)), because('private_address', false));
  });

  it('goes by the check at connection time: a name that turned private after registration gains nothing', async () => {
    const rebinding = open({ lookup: names(['93.184.216.34'], ['127.0.0.1']) });
    await rebinding.check(`http://rebind.example.com:${port}/`);
    const before = hits;
    await assert.rejects(rebinding.call(post(`http://rebind.example.com:${port}/`)), because('private_address', false));
    assert.equal(hits, before);
  });

  it('and back again: each connection is checked by itself, whatever an earlier one was told', async () => {
    const before = hits;
    const fetcher = open({ lookup: names(['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']) });
    for (let turn = 0; turn < 4; turn += 1)
      await assert.rejects(fetcher.call(post(`http://rebind.example.com:${port}/`)), because('private_address', false));
    assert.equal(hits, before);
  });

  it('does not follow redirects, to a private address or anywhere else', async () => {
    const before = hits;
    const answer = await open({ allowed: [`127.0.0.1:${port}`] }).call(post(`http://127.0.0.1:${port}/redirect`));
    assert.deepEqual([answer.status, answer.headers['location'], hits - before], [302, 'http://127.0.0.1:1/', 1]);
  });

  it('goes to ports for the web only, exempt hosts aside', async () => {
    const fetcher = open({ lookup: names(['93.184.216.34']) });
    for (const odd of [0, 22, 25, 110, 143, 2375, 3306, 5432, 6379, 9200, 11_211, 27_017]) {
      await assert.rejects(fetcher.call(post(`http://hooks.example.com:${odd}/`)), because('bad_address', false), String(odd));
      await assert.rejects(fetcher.check(`http://93.184.216.34:${odd}/`), because('bad_address', false), String(odd));
    }
    for (const good of [80, 443, 8080, 8443]) await fetcher.check(`http://hooks.example.com:${good}/`);
    await open({ allowed: ['127.0.0.1:6379'] }).check('http://127.0.0.1:6379/');
  });

  it('ends at its deadline, also when the other side drips or stays silent', async () => {
    for (const path of ['drip', 'silent']) {
      const call = open({ allowed: ['127.0.0.1'] }).call({ ...post(`http://127.0.0.1:${port}/${path}`), timeoutMs: 150 });
      await assert.rejects(call, because('timeout', true));
    }
  });

  it('says that nothing was sent when nobody listens or the name is unknown', async () => {
    await assert.rejects(open({ allowed: ['127.0.0.1'] }).call(post('http://127.0.0.1:1/')), because('connection_refused', false));
    const unknown: Lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    await assert.rejects(open({ lookup: unknown }).call(post('http://nowhere.example.com/')), because('name_not_found', false));
  });

  it('takes http and https without user and password only', async () => {
    for (const url of ['ftp://example.com/', 'http://a:b@example.com/', 'nonsense'])
      await assert.rejects(open().check(url), because('bad_address', false));
  });
});

describe('an internal call', () => {
  it('goes to our own origins and to nobody else', async () => {
    const internal = createInternalFetch((origin) => origin === `http://127.0.0.1:${port}`);
    const answer = await internal.send({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 60_000 });
    assert.equal(answer.status, 200);
    await assert.rejects(internal.send({ method: 'GET', url: 'http://example.com/', timeoutMs: 60_000 }), because('bad_address', false));
    await internal.close();
  });
});
