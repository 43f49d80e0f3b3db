import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { StoredFile } from '#modules/1-ledger/files/index.ts';
import { newId } from '#platform/ids.ts';
import { announce } from '#platform/notify.ts';
import { classifyFailure } from './classify-failure.ts';
import type { AccountExportDeps } from './deps.ts';
import { holdExport, LEASE_MS } from './hold-export.ts';
import { makeExport } from './make/make-export.ts';
import { queueExports } from './make-exports-job.ts';
import { notifyReady } from './notify-ready.ts';
import { type ClaimedExport, claimExport, completeExport, failExport, isResult, returnExport, TRIES_MAX } from './store-work.ts';
import { exportsChanged } from './topic.ts';

const RETRY_MS = [30_000, 120_000];
const DAY_MS = 86_400_000;

type MakerDeps = Pick<AccountExportDeps, 'db' | 'files' | 'clock' | 'log' | 'notify'>;

export type ExportMaker = {
  /** Makes every export that is due, one after the other; does nothing while this process makes one already. */
  makeDue(signal?: AbortSignal): Promise<void>;
  /** Ends the attempt under way, which does not count, and begins none. */
  stop(): Promise<void>;
};

/** Makes exports, one at a time in this process. */
export function createExportMaker(deps: MakerDeps): ExportMaker {
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  const makeAll = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const now = deps.clock.now();
      const claimed = await deps.db.asSystem('export', (tx) => claimExport(tx, newId(), now, new Date(now.getTime() + LEASE_MS)));
      if (!claimed) return;
      await attempt(deps, claimed, signal);
    }
  };
  return {
    async makeDue(signal) {
      if (current) return;
      current = makeAll(signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal).finally(() => (current = undefined));
      await current;
    },
    async stop() {
      stopping.abort();
      await current?.catch(() => undefined);
    },
  };
}

async function attempt(deps: MakerDeps, claimed: ClaimedExport, stop: AbortSignal): Promise<void> {
  const held = holdExport(deps, claimed);
  const signal = AbortSignal.any([stop, held.lost]);
  const startedAt = performance.now();
  let file: StoredFile | undefined;
  try {
    file = await makeExport(deps, claimed, { report: held.report, signal });
    await held.release();
    await settleReady(deps, claimed, file);
    deps.log.info({ exportId: claimed.id, bytes: file.sizeBytes, ms: Math.round(performance.now() - startedAt) }, 'export made');
  } catch (error) {
    await held.release();
    if (file) await removeFile(deps, file);
    if (held.lost.aborted) return deps.log.warn({ err: error, exportId: claimed.id }, 'export no longer held, attempt ended');
    if (stop.aborted) return interrupt(deps, claimed);
    await settleFailed(deps, claimed, error);
  }
}

/** The file becomes the result in the transaction that notifies the requester. */
async function settleReady(deps: MakerDeps, claimed: ClaimedExport, file: StoredFile): Promise<void> {
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + LIMITS.exportDays * DAY_MS);
  await deps.db.asSystem('export', async (tx) => {
    const ready = await completeExport(tx, claimed, file, now, expiresAt);
    if (!ready) return deps.files.remove(tx, [file.id]);
    const { partnerId, clientId } = claimed;
    await notifyReady(deps, tx, { ...ready, exportId: claimed.id, partnerId, clientId, sizeBytes: file.sizeBytes, expiresAt });
    await announce(tx, exportsChanged, { partnerId: claimed.partnerId, id: claimed.id });
  });
}

async function settleFailed(deps: MakerDeps, claimed: ClaimedExport, error: unknown): Promise<void> {
  const { cause, message } = classifyFailure(error);
  const isLast = claimed.tries >= TRIES_MAX || cause === 'too_large';
  const line = { err: error, cause, exportId: claimed.id, partnerId: claimed.partnerId, try: claimed.tries };
  if (cause === 'bug') deps.log.error(line, 'export failed because of a bug');
  else deps.log.error(line, `export failed: ${cause === 'disk_full' ? 'no room to store the file' : cause}`);
  const now = deps.clock.now();
  const dueAt = new Date(now.getTime() + (RETRY_MS[claimed.tries - 1] ?? 0));
  await deps.db.asSystem('export', async (tx) => {
    const isHeld = isLast
      ? await failExport(tx, claimed, message, now)
      : await returnExport(tx, claimed, { now, dueAt, interrupted: false });
    if (!isHeld) return;
    if (!isLast) await queueExports(tx, dueAt);
    await announce(tx, exportsChanged, { partnerId: claimed.partnerId, id: claimed.id });
  });
}

/** This process stops: another one may begin at once. */
async function interrupt(deps: MakerDeps, claimed: ClaimedExport): Promise<void> {
  const now = deps.clock.now();
  await deps.db.asSystem('export', async (tx) => {
    if (await returnExport(tx, claimed, { now, dueAt: now, interrupted: true })) await queueExports(tx);
  });
}

/**
 * Removes the file of a failed attempt. The file is the result all the same when its commit succeeded and only the answer was lost. The sweep of
 * files removes the rest.
 */
async function removeFile(deps: MakerDeps, file: StoredFile): Promise<void> {
  await deps.db
    .asSystem('export', async (tx) => {
      if (!(await isResult(tx, file.id))) await deps.files.remove(tx, [file.id]);
    })
    .catch((error: unknown) => deps.log.warn({ err: error, fileId: file.id }, 'file of a failed export not removed'));
}
