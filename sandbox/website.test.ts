import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { type Sandbox, startSandbox } from './index.ts';

const PORTAL = 'http://localhost:3999';

let database: TestDatabase;
let sandbox: Sandbox;

before(async () => {
  database = await createTestDatabase();
  sandbox = await start();
});
after(async () => {
  await sandbox.close();
  await database.drop();
});

const start = (portalUrl?: string) =>
  startSandbox({ pg: database.configFor('portal_sandbox'), host: '127.0.0.1', port: 0, ...(portalUrl === undefined ? {} : { portalUrl }) });
const open = async (at: Sandbox, query = '') => fetch(`http://127.0.0.1:${at.port}/sandbox/website${query}`);
const scriptsOf = (html: string) => html.match(/<script[^]*?<\/script>/g) ?? [];
const put = (at: Sandbox, body: object, token = at.token) =>
  fetch(`http://127.0.0.1:${at.port}/sandbox/website`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

it('the website carries the script tag of its chatbot and nothing else, also after another start', async () => {
  const chatbotId = randomUUID();
  assert.equal((await put(sandbox, { chatbotId }, 'other')).status, 401);
  assert.equal((await put(sandbox, { chatbotId: 'x' })).status, 400);
  assert.equal((await put(sandbox, { chatbotId: randomUUID() })).status, 204);
  assert.equal((await put(sandbox, { chatbotId })).status, 204);
  const next = await start(PORTAL);
  try {
    const tag = (id: string) => [`<script async src="${PORTAL}/widget.js" data-chatbot="${id}"></script>`];
    const page = await open(next);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    const html = await page.text();
    assert.deepEqual(scriptsOf(html), tag(chatbotId));
    assert.doesNotMatch(html, /<style|style=|<!--|\son\w+=/);
    const csp = page.headers.get('content-security-policy') ?? '';
    assert.match(csp, /default-src 'none'/);
    assert.match(csp, new RegExp(`script-src ${PORTAL};`));
    const other = randomUUID();
    assert.deepEqual(scriptsOf(await (await open(next, `?chatbot=${other}`)).text()), tag(other));
    assert.deepEqual(scriptsOf(await (await open(next, '?chatbot=%22%3E%3Cscript%3E')).text()), tag(chatbotId));
  } finally {
    await next.close();
  }
});

it('without a portal the website has no script, and says how it gets a chatbot', async () => {
  const page = await open(sandbox, `?chatbot=${randomUUID()}`);
  const html = await page.text();
  assert.deepEqual(scriptsOf(html), []);
  assert.match(html, /no chatbot yet/);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'none'/);
});

it('every file that the website names is there', async () => {
  const html = await (await open(sandbox)).text();
  const files = new Set([...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path));
  assert.ok(files.size >= 2);
  for (const path of files) assert.equal((await fetch(`http://127.0.0.1:${sandbox.port}${path}`)).status, 200, path);
});
