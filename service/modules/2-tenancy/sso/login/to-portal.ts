import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { answer, type Answer } from '#platform/http/answer.ts';

/** What the portal's callback page is told. The address of a person goes behind the `#`, where no log and no other host sees it. */
export type Arrival =
  | { code: string; returnTo: string | null }
  | { problem: SsoProblem; email?: string | null | undefined; isTest?: boolean }
  | { tested: true };

/** Back to the portal. */
export function toPortal(baseUrl: string, arrival: Arrival): Answer<undefined> {
  const url = new URL('/login/callback', baseUrl);
  if ('code' in arrival) {
    url.searchParams.set('code', arrival.code);
    if (arrival.returnTo) url.searchParams.set('returnTo', arrival.returnTo);
  } else if ('problem' in arrival) {
    url.searchParams.set('problem', arrival.problem);
    if (arrival.isTest) url.searchParams.set('test', 'failed');
    if (arrival.email) url.hash = new URLSearchParams({ email: arrival.email }).toString();
  } else url.searchParams.set('test', 'ok');
  return answer(302, undefined, { location: url.href });
}
