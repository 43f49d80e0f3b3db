import { PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { isCurrency } from '@partner-portal/core/billing/currency.ts';
import { formatMoney } from '@partner-portal/core/billing/money.ts';
import type { ResultValues } from '@partner-portal/core/report/result-value.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { templateTexts } from '../report-texts.ts';
import { findPlanCurrency, listResultValues, lockResultValues, replaceResultValues, type ResultValueRow } from './store.ts';

type Put = { currency: string; values: readonly { templateName: string; valueMinor: number }[] };

/** Returns what the agency thinks results are worth, for its reports; null while it states no amounts. One statement. */
export async function readWorth(tx: Tx, partnerId: string): Promise<ResultValues | null> {
  const rows = await listResultValues(tx, partnerId);
  const [first] = rows;
  return first ? { currency: first.currency, perResult: new Map(rows.map((row) => [row.templateName, row.valueMinor])) } : null;
}

export async function readResultValues(deps: ReportsDeps, { actor }: RequestContext) {
  return deps.db.asTenant(actor, async (tx) => toRecord(deps, tx, actor.partnerId, await listResultValues(tx, actor.partnerId)));
}

/** Sets the amounts of all templates at once, so that they are always in one currency; none of them turns the estimate off. */
export async function putResultValues(deps: ReportsDeps, caller: RequestContext, { currency, values }: Put) {
  if (!isCurrency(currency))
    return refuseField('currency', 'unknown_currency', `"${currency}" is not a currency of ISO 4217. Use a code such as USD.`);
  const names = values.map(({ templateName }) => templateName);
  const unknown = names.find((name) => !deps.catalog.some((template) => template.name === name));
  if (unknown !== undefined) return refuseField('values', 'unknown_template', `The catalog has no agent named ${unknown}.`);
  if (new Set(names).size < names.length) return refuseField('values', 'repeated_template', 'Each agent may have one amount.');
  const { actor, now } = caller;
  const { partnerId } = actor;
  return deps.db.asTenant(actor, async (tx) => {
    const before = await lockResultValues(tx, partnerId);
    const after = values.map((one) => ({ ...one, currency }));
    const [was, is] = [amounts(deps, before), amounts(deps, after)];
    if (was !== is) {
      await replaceResultValues(tx, { partnerId, currency, values, now });
      await recordAudit(tx, {
        partnerId,
        actor,
        action: 'report.values_changed',
        target: { type: 'partner', id: partnerId },
        changes: { values: [was, is] },
        origin: originOf(caller),
      });
    }
    return toRecord(deps, tx, partnerId, after);
  });
}

/** The amounts as the audit log has them, in the order of the catalog; null without any. */
function amounts({ catalog }: Pick<ReportsDeps, 'catalog'>, rows: readonly ResultValueRow[]): string | null {
  const words = catalog.flatMap(({ name, title }) => {
    const row = rows.find(({ templateName }) => templateName === name);
    return row ? [`${title} ${formatMoney(row.valueMinor, row.currency)}`] : [];
  });
  return words.length === 0 ? null : words.join(', ');
}

async function toRecord({ catalog }: ReportsDeps, tx: Tx, partnerId: string, rows: readonly ResultValueRow[]) {
  const currency = rows[0]?.currency ?? (await findPlanCurrency(tx, partnerId)) ?? PRESET_CURRENCY;
  return {
    currency,
    values: catalog.map((template) => ({
      templateName: template.name,
      title: template.title,
      icon: template.icon,
      phrase: templateTexts(template, 'en').phraseOf(1, true),
      valueMinor: rows.find(({ templateName }) => templateName === template.name)?.valueMinor ?? null,
    })),
  };
}
