import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { fieldsOf, textOf } from './provider.ts';
import { listReceiverSecrets, saveCall, saveReceiverSecret } from './store.ts';

/** How old a signature may be: the window that receivers are advised to keep. */
const TOLERANCE_SECONDS = 300;
const NAME = /^[\w-]{1,60}$/;
const PROVIDER = 'receiver';

/**
 * A receiver of signed webhooks, as a customer would write one. `PUT /receiver/<name>/secret` with `{ secret }` tells it a secret (again, for a
 * second one); `POST /receiver/<name>` takes a delivery: 200 when the signature over the raw body holds, 401 when it does not. Both kinds are
 * kept among the calls.
 */
export function addReceiver(app: FastifyInstance, pool: pg.Pool): void {
  void app.register(async (scope) => {
    // What is signed are the bytes, so nothing may parse them first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.put<{ Params: { name: string } }>('/receiver/:name/secret', async (request, reply) => {
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
