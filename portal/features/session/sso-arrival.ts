import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { isSsoProblem } from '../../shared/sso.ts';

/** Result of an SSO login, from the URL of /login/callback. */
export type Arrival =
  | { kind: 'code'; code: string; returnTo: string | undefined }
  | { kind: 'problem'; problem: SsoProblem; email: string | undefined; said: string | undefined; isTest: boolean }
  | { kind: 'tested' }
  | { kind: 'nothing' };

/** Codes of refusals that came before the login was looked at. */
const REFUSALS: Readonly<Record<string, SsoProblem>> = {
  internal_error: 'service_unavailable',
  took_too_long: 'service_unavailable',
  too_large: 'answer_not_readable',
  unsupported_media_type: 'answer_not_readable',
  not_found: 'not_available',
};

function problemIn(text: string | null): SsoProblem {
  if (isSsoProblem(text)) return text;
  return (text !== null && Object.hasOwn(REFUSALS, text) ? REFUSALS[text] : undefined) ?? 'answer_not_valid';
}

const EMAIL_MAX = 254;
const WORDS_MAX = 300;

/** Parses the callback URL. The e-mail address and the words of the provider are in the fragment. */
export function readArrival(search: string, hash: string): Arrival {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  if (code) return { kind: 'code', code, returnTo: query.get('returnTo') ?? undefined };
  const isTest = query.has('test');
  if (query.get('test') === 'ok') return { kind: 'tested' };
  const problem = query.get('problem');
  if (!problem && !isTest) return { kind: 'nothing' };
  const words = new URLSearchParams(hash.slice(1));
  const email = words.get('email')?.slice(0, EMAIL_MAX);
  const said = words.get('said')?.slice(0, WORDS_MAX);
  return { kind: 'problem', problem: problemIn(problem), email, said, isTest };
}
