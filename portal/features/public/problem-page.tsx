import { ERRORS, type ErrorCode } from '@partner-portal/contract/errors.ts';
import { PROBLEM_FIXES } from './problem-fixes.ts';
import { SimplePage } from './simple-page.tsx';

/** The page behind the `type` URL of a problem: meaning, fix and example. */
export function ProblemPage({ code }: { code: string }) {
  const known = isCode(code) ? code : undefined;
  if (!known)
    return (
      <SimplePage title="Unknown problem">
        <h1 className="text-2xl tracking-figure">There is no problem with this name</h1>
        <p className="mt-2 text-ink-2">
          <code>{code}</code> is not one of our codes. The link may be incomplete.
        </p>
        <Others />
      </SimplePage>
    );
  const { status, title } = ERRORS[known];
  return (
    <SimplePage title={title}>
      <p className="tabular-nums text-ink-3">
        <code>{known}</code>, status {status}
      </p>
      <h1 className="mt-1 text-2xl tracking-figure text-balance md:text-3xl">{title}</h1>
      <p className="mt-3 max-w-[58ch] text-lg text-ink-2 text-pretty">{PROBLEM_FIXES[known]}</p>
      <section className="mt-10">
        <h2 className="text-sm text-ink-3">Example response</h2>
        <pre tabIndex={0} aria-label="Example response" className="mt-2 overflow-x-auto rounded-md border border-line-soft bg-sunken p-4">
          <code>{exampleOf(known, status, title)}</code>
        </pre>
        <p className="mt-2 text-sm text-ink-3">Every response has a request ID. Include it when you contact us.</p>
      </section>
      <Others but={known} status={status} />
    </SimplePage>
  );
}

function Others({ but, status }: { but?: ErrorCode; status?: number }) {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(
    (code) => code !== but && (status === undefined || ERRORS[code].status === status),
  ); // keys of a const record
  if (codes.length === 0) return null;
  return (
    <section className="mt-10">
      <h2 className="text-sm text-ink-3">{status === undefined ? 'All problems' : `Other problems with status ${status}`}</h2>
      <ul className="mt-1 md:columns-2">
        {codes.map((code) => (
          <li key={code}>
            <a href={`/problems/${code}`} className="inline-flex min-h-8 items-center text-sm hover:underline">
              {ERRORS[code].title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function exampleOf(code: string, status: number, title: string): string {
  const body = {
    type: `${location.origin}/problems/${code}`,
    title,
    status,
    detail: 'What happened in this case',
    instance: '/the/address/called',
    code,
    requestId: 'the ID of the request',
  };
  return JSON.stringify(body, null, 2);
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
