import type { CallModel } from '#adapters/language-models/index.ts';
import type { ModelKeyResult, Vault } from '#modules/3-product/credentials/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { FairTurns } from '#platform/fair-turns.ts';
import type { Log } from '#platform/log.ts';
import type { CallNotes } from './calls/note-calls.ts';

export type AiProxyOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  credentials: Pick<Vault, 'openModelKey' | 'recordModelCheck' | 'resolveCredentials'>;
  callModel: CallModel;
  /** The longest a provider may take for one answer. */
  timeoutMs: number;
};

export type AiProxyDeps = AiProxyOptions & { turns: FairTurns; notes: CallNotes };

export type { ModelKeyResult };
