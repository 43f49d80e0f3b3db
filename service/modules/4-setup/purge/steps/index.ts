import type { PurgeStepName } from '@partner-portal/contract/vocabulary.ts';
import type { Step } from '../purge-run.ts';
import { deleteFiles } from './delete-files.ts';
import { deleteRows } from './delete-rows.ts';
import { destroyKey } from './destroy-key.ts';
import { endSessions } from './end-sessions.ts';
import { leaveTombstone } from './leave-tombstone.ts';
import { tearDownEngine } from './tear-down-engine.ts';

export const STEPS: { readonly [Name in PurgeStepName]: Step } = {
  tear_down_engine: tearDownEngine,
  destroy_key: destroyKey,
  delete_rows: deleteRows,
  delete_files: deleteFiles,
  end_sessions: endSessions,
  leave_tombstone: leaveTombstone,
};
