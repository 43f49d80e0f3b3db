import type { FieldError } from '@partner-portal/contract/errors.ts';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const TYPES: { readonly [expected: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const FORMATS: { readonly [format: string]: string } = {
  uuid: 'This is no id.',
  email: 'Write an e-mail address.',
  url: 'Write a web address such as https://example.com.',
  datetime: 'Write a time such as 2026-01-05T09:12:44.102Z.',
};

/** The schema's complaints as members of the problem body: each with a sentence a person can act on, shown beside the field. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.slice(0, 50).map((issue) => {
    const missing = isMissing(issue);
    return {
      field: issue.path.map(String).join('.'),
      code: missing ? 'required' : (issue.code ?? 'invalid'),
      message: missing ? 'This is needed.' : wordsOf(issue),
    };
  });
}

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && /received undefined/.test(issue.message);
}

function wordsOf(issue: Issue): string {
  // A rule of ours brings its own words; only the library's own are replaced.
  if (!/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `This should be ${TYPES[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'too_small') return tooSmall(issue.origin, Number(issue.minimum));
  if (issue.code === 'too_big') return tooBig(issue.origin, Number(issue.maximum));
  if (issue.code === 'invalid_value') return `Choose ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? 'This is not written as it should be.';
  return 'This was not accepted.';
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'string') return least === 1 ? 'This is needed.' : `Use at least ${least} characters.`;
  return origin === 'array' ? `Give at least ${least}.` : `The least is ${least}.`;
}

function tooBig(origin: string, most: number): string {
  if (origin === 'string') return `Use at most ${most} characters.`;
  return origin === 'array' ? `Give at most ${most}.` : `The most is ${most}.`;
}
