import type { z } from 'zod';
import type { FieldError } from './errors.ts';

type Issue = z.core.$ZodIssue;

const ERRORS_MAX = 50;
const NAME_MAX = 100;

const TYPES: { readonly [expected: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
/** Sentences that the portal also shows before it sends anything. */
export const FIELD_TEXTS = {
  required: 'This field is required.',
  email: 'Enter an e-mail address, such as name@example.com.',
  url: 'Enter a web address, such as https://example.com.',
} as const;
const FORMATS: { readonly [format: string]: string } = {
  uuid: 'This is not a valid ID.',
  email: FIELD_TEXTS.email,
  url: FIELD_TEXTS.url,
  datetime: 'Enter a time such as 2026-01-05T09:12:44.102Z.',
};

/** Returns a schema's issues as `errors` of the problem body, each with a sentence to show next to the field. The service and the portal's forms use it. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors = error.issues.slice(0, ERRORS_MAX).flatMap((issue): FieldError | FieldError[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, ERRORS_MAX).map((name) => unknownMember(issue, name));
    const missing = isMissing(issue);
    return {
      field: issue.path.map(String).join('.'),
      code: missing ? 'required' : (issue.code ?? 'invalid'),
      message: missing ? FIELD_TEXTS.required : messageOf(issue),
    };
  });
  return errors.slice(0, ERRORS_MAX);
}

/** A long name is cut: it is what the caller sent, not one of ours. */
function unknownMember({ path }: Issue, name: string): FieldError {
  const shown = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name;
  return { field: [...path.map(String), shown].join('.'), code: 'unknown_member', message: 'There is no such member. Leave it out.' };
}

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && /received undefined/.test(issue.message);
}

function messageOf(issue: Issue): string {
  // Messages of the contract stay; only the library's own are replaced.
  if (!/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `This should be ${TYPES[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'too_small') return tooSmall(issue.origin, Number(issue.minimum));
  if (issue.code === 'too_big') return tooBig(issue.origin, Number(issue.maximum));
  if (issue.code === 'invalid_value') return `Choose ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? 'This does not have the expected format.';
  return 'This was not accepted.';
}

function tooSmall(origin: string, min: number): string {
  if (origin === 'string') return min === 1 ? FIELD_TEXTS.required : `Use at least ${min} characters.`;
  return origin === 'array' ? `Enter at least ${min}.` : `The minimum is ${min}.`;
}

function tooBig(origin: string, max: number): string {
  if (origin === 'string') return `Use at most ${max} characters.`;
  return origin === 'array' ? `Enter at most ${max}.` : `The maximum is ${max}.`;
}
