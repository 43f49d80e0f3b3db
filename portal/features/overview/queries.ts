import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { keys } from '../../queries/keys.ts';
import { refreshAfter } from '../../queries/refresh.ts';

export type Onboarding = Reply<'getOnboarding'>;
export type SampleRun = NonNullable<Onboarding['sample']>;
export type TextingAgent = NonNullable<Onboarding['textingAgent']>;

export const onboardingQuery = queryOptions({
  queryKey: keys.onboarding,
  queryFn: ({ signal }) => api.getOnboarding({ signal }),
});

type Step = Parameters<typeof api.dismissOnboarding>[0]['params']['step'];

/** Hides a first step, or all of them, for the agency; or shows it again. */
export async function setDismissed(step: Step, isDismissed: boolean): Promise<void> {
  const call = isDismissed ? api.dismissOnboarding : api.restoreOnboarding;
  queryClient.setQueryData(onboardingQuery.queryKey, await call({ params: { step } }));
  await refreshAfter('summaryOutdated');
}
