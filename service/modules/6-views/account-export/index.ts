import { answer } from '#platform/http/answer.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import { createExport } from './create-export.ts';
import type { AccountExportDeps } from './deps.ts';
import { downloadExport } from './download-export.ts';
import { createExportMaker } from './make-exports.ts';
import { makeExportsJob } from './make-exports-job.ts';
import { exportAccountExports, readExport, readExports, streamExports } from './read-exports.ts';
import { sweepExports } from './sweep-exports.ts';

/** Everything of an agency or one client as a zip file, made from one snapshot. */
export function accountExport(deps: AccountExportDeps) {
  const maker = createExportMaker(deps);
  return {
    routes: defineHandlers({
      createExport: async ({ body }, context) => answer(202, await createExport(deps, context, body)),
      listExports: ({ query }, { actor }) => readExports(deps, actor, query),
      exportAccountExports: ({ query }, { actor, now }) => exportAccountExports(deps, actor, query, now),
      streamExports: ({ query }, { actor }) => streamExports(deps, actor, query),
      getExport: ({ params }, { actor }) => readExport(deps, actor, params.id),
      downloadExport: ({ params }, context) => downloadExport(deps, context, params.id),
    }),
    jobs: [handleJob(makeExportsJob, (_payload, { signal }) => maker.makeDue(signal))],
    crons: [defineCron('account-export.sweep', '* * * * *', ({ signal }) => sweepExports(deps, signal))],
    makeDue: maker.makeDue,
    sweep: () => sweepExports(deps),
    /** Ends the attempt under way: another process, or the next start, makes the export again. */
    stop: maker.stop,
  };
}
