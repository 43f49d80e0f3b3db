import { SSO_PROBLEMS, type SsoProblem } from '@partner-portal/contract/vocabulary.ts';

/** What the service says at the end of a login through a provider (product.md §7.1, /login/callback). */
export type Arrival =
  | { kind: 'code'; code: string; returnTo: string | undefined }
  | { kind: 'problem'; problem: SsoProblem; email: string | undefined; isTest: boolean }
  | { kind: 'tested' }
  | { kind: 'nothing' };

const EMAIL_MAX = 254;

/** Reads an arrival. The address of a person stands behind the `#`. */
export function readArrival(search: string, hash: string): Arrival {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  if (code) return { kind: 'code', code, returnTo: query.get('returnTo') ?? undefined };
  const isTest = query.has('test');
  if (query.get('test') === 'ok') return { kind: 'tested' };
  const told = query.get('problem');
  if (!told && !isTest) return { kind: 'nothing' };
  const email = new URLSearchParams(hash.slice(1)).get('email')?.slice(0, EMAIL_MAX);
  return { kind: 'problem', problem: SSO_PROBLEMS.find((one) => one === told) ?? 'answer_not_valid', email, isTest };
}
