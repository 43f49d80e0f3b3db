import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from 'virtual:route-table';
import { callWithSession, SESSION_CALLS } from './api.ts';
import { type OnSent, sendForm } from './send-form.ts';

/** API calls for forms with a large file: `onSent` reports the upload progress. */
export function uploadingApi(onSent: OnSent) {
  return createClient(routes, {
    ...SESSION_CALLS,
    fetch: (input, init) => callWithSession(input, init, () => sendForm(input, init, onSent)),
  });
}
