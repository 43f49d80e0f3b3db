import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { answer, type Answer } from '#platform/http/answer.ts';

/** Parameters of the portal's callback page. The e-mail and the provider's words are in the fragment, which is not sent to servers. */
export type Arrival =
  | { code: string; returnTo: string | null }
  | { problem: SsoProblem; email?: string | null | undefined; providerSaid?: string | null | undefined; isTest?: boolean }
  | { tested: true };

const WORDS_MAX = 300;

/** Redirects to the portal. */
export function toPortal(baseUrl: string, arrival: Arrival): Answer<undefined> {
  const url = new URL('/login/callback', baseUrl);
  if ('code' in arrival) {
    url.searchParams.set('code', arrival.code);
    if (arrival.returnTo) url.searchParams.set('returnTo', arrival.returnTo);
  } else if ('problem' in arrival) {
    url.searchParams.set('problem', arrival.problem);
    if (arrival.isTest) url.searchParams.set('test', 'failed');
    const words = { email: arrival.email, said: arrival.providerSaid?.slice(0, WORDS_MAX) };
    const known = Object.entries(words).filter((word): word is [string, string] => Boolean(word[1]));
    if (known.length > 0) url.hash = new URLSearchParams(known).toString();
  } else url.searchParams.set('test', 'ok');
  return answer(302, undefined, { location: url.href });
}
