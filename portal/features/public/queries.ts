import { queryOptions } from '@tanstack/react-query';
import type { Reply } from '../../app/api.ts';
import { fromService } from '../../app/errors.ts';
import { keys } from '../../queries/keys.ts';

export type Readiness = Reply<'getReadiness'>;

/** The state of the service, for everyone. */
export const readinessQuery = queryOptions({
  queryKey: keys.serviceReadiness,
  queryFn: ({ signal }) => readReadiness(signal),
  refetchInterval: 15_000,
  retry: false,
});

/** Fetches readiness without the API client: a 503 carries the same body and is not an error here. */
async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fromService(fetch('/health/ready', { headers: { accept: 'application/json' }, signal }));
  if (response.status !== 200 && response.status !== 503) throw new Error('The readiness endpoint returned an unexpected status.');
  return (await fromService(response.json())) as Readiness; // both statuses carry the contract's body
}
