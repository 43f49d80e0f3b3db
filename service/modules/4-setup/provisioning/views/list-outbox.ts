import { z } from 'zod';
import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import type { Secret } from '#platform/secret.ts';
import { refuse } from '#platform/refuse.ts';
import type { ProvisioningDeps } from '../deps.ts';

const TIMEOUT_MS = 5_000;

const callsShape = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      provider: z.string(),
      method: z.string(),
      path: z.string(),
      body: z.string().nullable(),
      status: z.number(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** The sandbox's page limit. */
export const OUTBOX_PAGE = 100;

/** Columns of the CSV export. */
export const OUTBOX_COLUMNS: CsvColumns<z.output<typeof callsShape>['data'][number]> = [
  ['Call', (row) => row.id],
  ['At', (row) => row.at],
  ['Service', (row) => row.provider],
  ['Method', (row) => row.method],
  ['Path', (row) => row.path],
  ['Answer', (row) => row.status],
  ['Body', (row) => row.body],
];

export type OutboxQuery = { limit: number; cursor?: string | undefined; provider?: string | undefined; q?: string | undefined };

/** Calls the provider sandbox received. Empty unless PROVIDER_SANDBOX is `true`. */
export async function listOutbox(
  deps: Pick<ProvisioningDeps, 'db' | 'settings' | 'internal' | 'cursors'>,
  actor: Actor,
  query: OutboxQuery,
) {
  // Asserts the session although no table is read: the calls contain customers' texts.
  await deps.db.asStaff(actor, async () => undefined);
  const sandbox = deps.settings.sandbox();
  if (sandbox === null) return refuse('not_found', { detail: 'The provider sandbox is not on (PROVIDER_SANDBOX).' });
  const filters = { list: 'outbox', provider: query.provider, q: query.q };
  const [after = null] = deps.cursors.open(filters, query.cursor) ?? [];
  const search = new URLSearchParams({
    limit: String(query.limit),
    ...(after === null ? {} : { cursor: after }),
    ...(query.provider === undefined ? {} : { provider: query.provider }),
    ...(query.q === undefined ? {} : { q: query.q }),
  });
  const page = await ask(deps, `${sandbox.url}/calls?${search}`, sandbox.token);
  return { data: page.data, nextCursor: page.nextCursor === null ? null : deps.cursors.seal(filters, [page.nextCursor]) };
}

async function ask(deps: Pick<ProvisioningDeps, 'internal'>, url: string, token: Secret): Promise<z.output<typeof callsShape>> {
  try {
    const answer = await deps.internal.send({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${token.reveal()}` },
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.status === 200) return callsShape.parse(JSON.parse(answer.text));
    throw new Error(`The sandbox responded with ${answer.status}.`);
  } catch (error) {
    return refuse('service_unavailable', { detail: 'The provider sandbox did not answer. Try again in a moment.', cause: error });
  }
}
