import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Reply } from '../app/api.ts';
import { fromService } from '../app/errors.ts';
import { keys } from './keys.ts';

export type ServiceReadiness = Reply<'getReadiness'>;

/** The state of the service, for everyone. */
export const serviceReadinessQuery = queryOptions({
  queryKey: keys.serviceReadiness,
  queryFn: ({ signal }) => readReadiness(signal),
  retry: false,
});

/** Returns whether the service has no mail server, so that no e-mail leaves it; false until that is known. */
export function useIsMailOff(): boolean {
  return useQuery(serviceReadinessQuery).data?.checks.mail === 'disabled';
}

/** Fetches readiness without the API client: a 503 carries the same body and is not an error here. */
async function readReadiness(signal: AbortSignal): Promise<ServiceReadiness> {
  const response = await fromService(fetch('/health/ready', { headers: { accept: 'application/json' }, signal }));
  if (response.status !== 200 && response.status !== 503) throw new Error('The readiness endpoint returned an unexpected status.');
  return (await fromService(response.json())) as ServiceReadiness; // both statuses carry the contract's body
}
