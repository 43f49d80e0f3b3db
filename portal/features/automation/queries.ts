import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import type { StreamEvent } from '../../app/event-stream.ts';
import { keys } from '../../queries/keys.ts';

export const instanceQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.automation.instance(partnerId),
    queryFn: ({ signal }) => api.getAutomation({ params: { id: partnerId }, signal }),
  });

export const attemptsQuery = (partnerId: string) =>
  queryOptions({
    queryKey: keys.automation.attempts(partnerId),
    queryFn: ({ signal }) => api.listAttempts({ params: { id: partnerId }, signal }),
  });

export const stepsQuery = (partnerId: string, attemptId: string | undefined) =>
  queryOptions({
    queryKey: keys.automation.steps(partnerId, attemptId),
    queryFn: ({ signal }) => api.listSteps({ params: { id: partnerId }, query: attemptId ? { attemptId } : {}, signal }),
    placeholderData: (before) => before,
  });

/** `templateNames` widens the check from the agents that are there to agents that could be added. */
export const preflightQuery = (partnerId: string, clientId?: string, templateNames?: string[]) =>
  queryOptions({
    queryKey: keys.automation.preflight(partnerId, clientId, templateNames ?? []),
    queryFn: ({ signal }) =>
      api.preflight({ body: { partnerId, ...(clientId ? { clientId } : {}), ...(templateNames ? { templateNames } : {}) }, signal }),
    staleTime: 30_000,
  });

type Steps = Reply<'listSteps'>;
/** What the stream sends when an attempt has ended. */
type Ended = { attempt: NonNullable<Steps['attempt']>; instance: Pick<Reply<'getAutomation'>, 'status'> };

/** Whether every part shown reflects the end of the attempt: each part is a separate request, so one may be older than another. */
function isEndShown(partnerId: string, { attempt, instance }: Ended): boolean {
  const shown = queryClient.getQueryData(instanceQuery(partnerId).queryKey);
  const listed = queryClient.getQueryData(attemptsQuery(partnerId).queryKey)?.find(({ id }) => id === attempt.id);
  const badge = queryClient.getQueryData<Reply<'getPartner'>>(keys.partners.one(partnerId))?.automationStatus;
  const isShown = shown?.status === instance.status && shown.currentAttemptId === attempt.id;
  return isShown && badge === instance.status && listed?.status === attempt.status;
}

/**
 * Applies a stream event to the cached steps without a request: a setup emits about two dozen events, and requests are rate-limited.
 * Returns false when all queries must be refetched: an attempt started, claimed the instance, or ended.
 */
export function takeStep(partnerId: string, { id, event, data }: StreamEvent): boolean {
  const { queryKey } = stepsQuery(partnerId, undefined);
  const shown = queryClient.getQueryData(queryKey);
  const isShown = shown?.attempt?.number === Number(id?.split('.')[0]);
  if (!shown || !isShown) return false;
  // The contract's records, from our own stream.
  if (event !== 'step') return shown.attempt?.status !== 'running' && isEndShown(partnerId, JSON.parse(data) as Ended);
  const step = JSON.parse(data) as Steps['steps'][number]; // the contract's step, from our own stream
  queryClient.setQueryData(queryKey, { ...shown, steps: shown.steps.map((one) => (one.order === step.order ? step : one)) });
  return step.name !== 'claim_instance' || step.status !== 'succeeded' || shown.attempt?.status !== 'running';
}
