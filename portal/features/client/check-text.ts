import type { Messages } from '@partner-portal/messages/messages.ts';

/** What came of a check of a key. The words of the service are in English: readers of another language read only whether it was accepted. */
export function checkText({ t, locale }: Messages, service: string, { ok, message }: { ok: boolean; message: string }): string {
  return locale === 'en' ? message : t(ok ? 'client.accepts' : 'client.refuses', { service });
}
