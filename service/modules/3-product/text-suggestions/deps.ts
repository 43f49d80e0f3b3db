import type { Template } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';

export type SuggestionDeps = { db: Database; cursors: Cursors; templateOf: (name: string) => Template | undefined };
