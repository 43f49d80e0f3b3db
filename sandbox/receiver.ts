import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type pg from 'pg';
import { fieldsOf, textOf } from './provider.ts';
import { listReceiverSecrets, saveCall, saveReceiverSecret } from './store.ts';

/** Maximum age of a signature, as recommended to receivers. */
const TOLERANCE_SECONDS = 300;
const NAME = /^[\w-]{1,60}$/;
const PROVIDER = 'receiver';

/**
 * A receiver of signed webhooks, as a customer would write one. `PUT /receiver/<name>/secret` with `{ secret }` adds a secret and passes `onRequest`;
 * `POST /receiver/<name>` accepts a delivery: 200 when the signature over the raw body is valid, else 401. Both are recorded as calls.
 */
export function addReceiver(app: FastifyInstance, pool: pg.Pool, onRequest: onRequestAsyncHookHandler): void {
  void app.register(async (scope) => {
    // The signature covers the raw bytes, so the body must not be parsed first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.put<{ Params: { name: string } }>('/receiver/:name/secret', { onRequest }, async (request, reply) => {
      const secret = secretIn(textOf(request.body));
      if (!NAME.test(request.params.name) || secret === '') return reply.status(400).send({ message: 'Send { "secret": "…" }' });
      await saveReceiverSecret(pool, request.params.name, secret);
      return reply.status(204).send();
    });
    scope.post<{ Params: { name: string } }>('/receiver/:name', async (request, reply) => {
      const body = textOf(request.body);
      const header = textOf(request.headers['x-service-signature']);
      const secrets = await listReceiverSecrets(pool, request.params.name);
      const isVerified = secrets.some((secret) => isSigned(body, header, secret));
      const status = isVerified ? 200 : 401;
      await saveCall(pool, { provider: PROVIDER, method: 'POST', path: `/${request.params.name}`, body, status });
      const type = textOf(request.headers['x-service-event']);
      return reply
        .status(status)
        .send(isVerified ? { verified: true, type } : { verified: false, message: 'The signature does not match' });
    });
  });
}

function secretIn(text: string): string {
  try {
    return textOf(fieldsOf(JSON.parse(text))['secret']);
  } catch {
    return '';
  }
}

function isSigned(body: string, header: string, secret: string): boolean {
  const [, time = '', signature = ''] = /^t=([0-9]+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === '' || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
