import { beginOf, shortened } from '@partner-portal/core/text/cut.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { personNameProblem, unlinked } from '@partner-portal/core/people/name.ts';

/** Characters that can break headers or change how text is displayed: line breaks, control and bidi marks, zero-width characters. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu;

/** Returns user input as one line of at most `max` characters, for subjects, sender names and sentences. */
export function plainLine(text: string, max: number): string {
  return shortened(text.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim(), max);
}

/** Returns user input with its line breaks but without other unsafe characters. */
export function plainLines(text: string, max: number): string {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => plainLine(line, max))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return beginOf(lines, max);
}

/** Returns the name of an agency or business as one line that mail programs make no link of. */
export function businessName(name: string | null): string {
  return unlinked(plainLine(name ?? '', 80));
}

/** Returns a person's name as one line; empty when it holds an address, which old records may. */
export function personName(name: string | null): string {
  return personNameProblem(name ?? '') ? '' : unlinked(plainLine(name ?? '', 80));
}

/** Salutation line; without the name when there is none. */
export function greeting(fullName: string | null, t: Messages['t']): string {
  const name = personName(fullName);
  return name === '' ? t('mail.hello') : t('mail.helloName', { name });
}
