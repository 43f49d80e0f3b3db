import { setTimeout as wait } from 'node:timers/promises';
import { addMonths, dueReport, startOfMonth } from '@partner-portal/core/report/month.ts';
import type { ReportsDeps } from '../deps.ts';
import { findReportClient } from '../read/store.ts';
import { prepareMail } from './compose.ts';
import { claimReaders, type DueZone, listDue, listSubscribedZones } from './store.ts';

type Deps = Pick<ReportsDeps, 'db' | 'clock' | 'log' | 'mail' | 'catalog'>;

/** Reports of one portion. Between portions the job rests as long as it worked, so that ingest always has a free half of the database. */
const PORTION = 20;
/** Listing looks at every client that is due, so it lists many. */
const LISTED = 1_000;
const REST_MS_MAX = 2_000;
/** People of one client in one transaction. */
const READERS_MAX = 50;

/**
 * Queues the mails of reports that are due in any time zone, each once: one transaction per client claims its readers and queues their mails.
 * Returns how many mails.
 */
export async function sendDueReports(deps: Deps, signal: AbortSignal): Promise<number> {
  const zones = await dueZones(deps);
  if (zones.size === 0) return 0;
  const failed: string[] = [];
  let sent = 0;
  for (;;) {
    const due = await deps.db.asSystem('sweep', (tx) => listDue(tx, [...zones.values()], failed, LISTED));
    if (due.length === 0) return sent;
    for (let from = 0; from < due.length; from += PORTION) {
      const began = performance.now();
      for (const { clientId, timezone } of due.slice(from, from + PORTION)) {
        if (signal.aborted) return sent;
        const zone = zones.get(timezone);
        const mails = zone ? await sendReport(deps, clientId, zone) : null;
        // Its turn comes again with the next call.
        if (mails === null || mails === 0) failed.push(clientId);
        else sent += mails;
      }
      await rest(Math.min(performance.now() - began, REST_MS_MAX), signal);
    }
  }
}

/** Returns the zones in which a report is due now. */
async function dueZones({ db, clock }: Deps): Promise<Map<string, DueZone>> {
  const now = clock.now();
  const zones = new Map<string, DueZone>();
  for (const timezone of await db.asSystem('sweep', listSubscribedZones)) {
    const due = dueReport(now, timezone);
    if (due)
      zones.set(timezone, {
        timezone,
        ...due,
        start: startOfMonth(due.month, timezone),
        end: startOfMonth(addMonths(due.month, 1), timezone),
      });
  }
  return zones;
}

/** Returns how many mails were queued; null when it failed, which must not hold up the reports of others. */
async function sendReport(deps: Deps, clientId: string, { month, dueSince }: DueZone): Promise<number | null> {
  try {
    return await deps.db.asSystem('sweep', async (tx) => {
      const readers = await claimReaders(tx, { clientId, month, dueSince, now: deps.clock.now(), limit: READERS_MAX });
      if (readers.length === 0) return 0;
      const client = await findReportClient(tx, clientId, null);
      const compose = client ? await prepareMail(deps, tx, client, { month, isFinished: true }) : null;
      if (!compose) throw new Error('A report that was due has no runs.');
      for (const reader of readers) await deps.mail.queueMail(tx, compose(reader));
      return readers.length;
    });
  } catch (error) {
    deps.log.error({ err: error, clientId, month }, 'monthly report was not sent');
    return null;
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
