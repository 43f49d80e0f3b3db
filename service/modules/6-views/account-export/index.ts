import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { AccountExportDeps } from './deps.ts';
import { createExportMaker } from './make-exports.ts';
import { makeExportsJob } from './make-exports-job.ts';
import { sweepExports } from './sweep-exports.ts';
import { accountExportHandlers } from './routes.ts';

/** Everything of an agency or one client as a zip file, made from one snapshot. */
export function accountExport(deps: AccountExportDeps) {
  const maker = createExportMaker(deps);
  return {
    routes: accountExportHandlers(deps),
    jobs: [handleJob(makeExportsJob, (_payload, { signal }) => maker.makeDue(signal))],
    crons: [defineCron('account-export.sweep', '* * * * *', ({ signal }) => sweepExports(deps, signal))],
    makeDue: maker.makeDue,
    sweep: () => sweepExports(deps),
    /** Ends the attempt under way: another process, or the next start, makes the export again. */
    stop: maker.stop,
  };
}
