import { type HoursPerRun, hoursPerRun } from '@partner-portal/core/report/hours-saved.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { deleteEstimate, listEstimates, lockEstimate, saveEstimate } from './store.ts';

/** Returns what one run of each template saves, for an agency: the one source of hours saved, on every screen. One statement. */
export async function readHoursPerRun(tx: Tx, partnerId: string, catalog: readonly Template[]): Promise<HoursPerRun> {
  return hoursPerRun(catalog, await listEstimates(tx, partnerId));
}

export async function readEstimates({ db, catalog }: ReportsDeps, { actor }: RequestContext) {
  const own = await db.asTenant(actor, (tx) => listEstimates(tx, actor.partnerId));
  const hours = new Map(own.map((one) => [one.templateName, one.hours]));
  return catalog.map((template) => toRecord(template, hours.get(template.name) ?? null));
}

/** Sets or removes the agency's own estimate. */
export async function putEstimate({ db, catalog }: ReportsDeps, caller: RequestContext, templateName: string, hours: number | null) {
  const template = catalog.find(({ name }) => name === templateName);
  if (!template) return refuse('not_found');
  const { actor, now } = caller;
  const { partnerId } = actor;
  await db.asTenant(actor, async (tx) => {
    const before = await lockEstimate(tx, partnerId, templateName);
    if (before === hours) return;
    if (hours === null) await deleteEstimate(tx, partnerId, templateName);
    else await saveEstimate(tx, { partnerId, templateName, hours, now });
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'report.hours_changed',
      target: { type: 'template', id: templateName, label: template.title },
      changes: { hours: [before, hours] },
      origin: originOf(caller),
    });
  });
  return toRecord(template, hours);
}

function toRecord({ name, title, icon, hoursSavedPerRun }: Template, hours: number | null) {
  return { templateName: name, title, icon, catalogHours: hoursSavedPerRun, hours };
}
