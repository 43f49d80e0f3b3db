import { DEFAULT_ALERT_RULES } from '@partner-portal/core/alert/alert.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { AlertsDeps } from './deps.ts';
import { listTeam, lockRules, type MemberRow, readRules, writeRules } from './store.ts';

export type RulesInput = { usageThresholds: number[]; failureStreak: number; silentDays: number; recipients: string[] };

export function readAlertRules({ db }: Pick<AlertsDeps, 'db'>, actor: Actor) {
  return db.asTenant(actor, async (tx) => toAnswer(await loadRules(tx, actor.partnerId), await listTeam(tx, actor.partnerId)));
}

/** Changes the partner's rules from the next evaluation on. A threshold announced in this period is not announced again. */
export async function changeAlertRules({ db }: Pick<AlertsDeps, 'db'>, caller: RequestContext, input: RulesInput) {
  const { actor } = caller;
  const { partnerId } = actor;
  return db.asTenant(actor, async (tx) => {
    await lockRules(tx, partnerId);
    const before = await loadRules(tx, partnerId);
    const team = await listTeam(tx, partnerId);
    const recipients = requireMembers(team, input.recipients);
    const after = { ...input, recipients: recipients.map(({ email }) => email).sort() };
    const changes = changesBetween(before, after);
    if (Object.keys(changes).length > 0) {
      await writeRules(tx, partnerId, { ...input, recipientIds: recipients.map(({ id }) => id) });
      await recordAudit(tx, {
        partnerId,
        actor,
        action: 'alert_rules.changed',
        target: { type: 'partner', id: partnerId },
        changes,
        origin: originOf(caller),
      });
    }
    return toAnswer(after, team);
  });
}

async function loadRules(tx: Tx, partnerId: string): Promise<RulesInput> {
  const row = (await readRules(tx, partnerId)) ?? refuse('not_found');
  return {
    usageThresholds: row.usageThresholds.toSorted((a, b) => a - b),
    failureStreak: row.failureStreak ?? DEFAULT_ALERT_RULES.failureStreak,
    silentDays: row.silentDays ?? DEFAULT_ALERT_RULES.silentDays,
    recipients: row.recipients,
  };
}

/** Recipients must be members of the partner's own team. */
function requireMembers(team: readonly MemberRow[], addresses: readonly string[]): MemberRow[] {
  const wanted = [...new Set(addresses)];
  const errors = wanted.flatMap((address, at) =>
    team.some(({ email }) => email === address)
      ? []
      : [{ field: `recipients.${at}`, code: 'unknown', message: `${address} is not a member of your team.` }],
  );
  const [first] = errors;
  if (first) throw new AppError('validation_failed', { detail: first.message, errors });
  return team.filter(({ email }) => wanted.includes(email));
}

function toAnswer(rules: RulesInput, team: readonly MemberRow[]) {
  return { ...rules, team };
}
