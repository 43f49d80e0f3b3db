import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let origin: string;
let workflowId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
  origin = await service.listen();
});
after(() => service.close());

type Reply = { status: number; body: Record<string, unknown>; accepts: string | null };
async function post(body: Buffer, encoding: string, headers: Record<string, string> = {}, token?: string): Promise<Reply> {
  const proof = token ?? ingestToken(service.callbackSecret.reveal(), workflowId);
  const response = await fetch(`${origin}/webhooks/agents/${workflowId}?token=${proof}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding, ...headers },
    body: new Uint8Array(body),
  });
  const problem = (await response.json()) as Record<string, unknown>; // a problem or the reply
  return { status: response.status, body: problem, accepts: response.headers.get('accept-encoding') };
}
const event = Buffer.from(JSON.stringify(CALL));

describe('an event compressed with gzip', () => {
  it('starts an execution with its members, from JSON and from a form', async () => {
    const sent = await post(gzipSync(event), 'gzip');
    assert.equal(sent.status, 202);
    const rows = await service.query<{ input: object }>('select input from execution_payload where id = $1', [sent.body['executionId']]);
    assert.deepEqual(rows[0]?.input, CALL);
    const form = gzipSync(`From=${encodeURIComponent(CALL.callerNumber)}&To=${encodeURIComponent(CALL.businessNumber)}`);
    assert.equal((await post(form, 'GZIP', { 'content-type': 'application/x-www-form-urlencoded' })).status, 202);
  });

  it('is as large as it is decompressed: a few kilobytes that become 64 MiB are refused like a large body', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    assert.ok(bomb.length < 100_000, `${bomb.length} bytes`);
    const refused = await post(bomb, 'gzip');
    assert.deepEqual([refused.status, refused.body['code']], [413, 'too_large']);
    const padded = Buffer.concat([event, Buffer.alloc(200_000, ' ')]);
    assert.equal((await post(gzipSync(padded), 'gzip')).status, 202);
  });

  it('that cannot be decompressed is malformed, and one without its token is not decompressed', async () => {
    for (const broken of [event, gzipSync(event).subarray(0, -9)]) {
      const refused = await post(broken, 'gzip');
      assert.deepEqual([refused.status, refused.body['code']], [400, 'malformed_json']);
    }
    assert.equal((await post(event, 'gzip', {}, 'wrong')).body['code'], 'invalid_ingest_token');
  });
});

describe('an event in another encoding', () => {
  it('is refused with the one that is read', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
      const refused = await post(brotliCompressSync(event), encoding);
      assert.deepEqual([refused.status, refused.body['code']], [415, 'unsupported_media_type'], encoding);
      assert.match(String(refused.body['detail']), /gzip/);
    }
    assert.equal((await post(event, 'identity')).status, 202);
  });
});
