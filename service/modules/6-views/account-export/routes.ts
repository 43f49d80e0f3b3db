import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { createExport } from './create-export.ts';
import type { AccountExportDeps } from './deps.ts';
import { downloadExport } from './download-export.ts';
import { exportAccountExports, readExport, readExports, streamExports } from './read-exports.ts';

export function accountExportHandlers(deps: AccountExportDeps) {
  return defineHandlers({
    createExport: async ({ body }, context) => answer(202, await createExport(deps, context, body)),
    listExports: ({ query }, { actor }) => readExports(deps, actor, query),
    exportAccountExports: ({ query }, { actor, now }) => exportAccountExports(deps, actor, query, now),
    streamExports: ({ query }, { actor }) => streamExports(deps, actor, query),
    getExport: ({ params }, { actor }) => readExport(deps, actor, params.id),
    downloadExport: ({ params }, context) => downloadExport(deps, context, params.id),
  });
}
