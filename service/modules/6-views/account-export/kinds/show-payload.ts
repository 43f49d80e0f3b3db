import { payloadParts } from '@partner-portal/core/execution/payload-parts.ts';
import type { Pace } from '../pace.ts';
import type { ExportScope } from './kind.ts';

/** Returns the JSON text of a payload as runs are shown: without secrets, and for a client with contacts masked. */
export async function showPayload(text: string | null, { audience }: Pick<ExportScope, 'audience'>, pace: Pace): Promise<string | null> {
  if (text === null) return null;
  let shown = '';
  for (const part of payloadParts(text, audience === 'client')) {
    shown += part;
    // Most payloads are short and need no wait.
    const resting = pace.rest();
    if (resting) await resting;
  }
  return shown;
}
