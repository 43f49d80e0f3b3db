import type { Messages } from './messages.ts';

/** Conversations are named when they begin, by the first characters of their id. */
const NAMED = /^Visitor ([0-9A-F]{4})$/;

/** Returns the name of a visitor for its reader. The name is stored in English; one of another form is shown as it is. */
export function visitorLabelFor(t: Messages['t'], label: string): string {
  const code = NAMED.exec(label)?.[1];
  return code === undefined ? label : t('common.visitor', { code });
}
