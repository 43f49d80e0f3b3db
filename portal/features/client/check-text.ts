import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import type { Tested } from '../../queries/credentials.ts';

/** What came of a check of a key. The words of the service are in English: readers of another language read only whether it was accepted, or not answered about. */
export function checkText({ t, locale }: Messages, service: string, { ok, message }: Tested): string {
  return locale === 'en' ? message : t(checkKey(ok), { service });
}

/** The text that says whether a service accepted a key, refused it, or gave no answer. */
export function checkKey(ok: Tested['ok']): MessageKey {
  if (ok === null) return 'client.noAnswer';
  return ok ? 'client.accepts' : 'client.refuses';
}
