import type { EmailPace, NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES, notificationTypesFor } from '@partner-portal/core/notification/notification.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { AppError } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { NotificationsDeps } from './deps.ts';
import { refuseViewAs } from './read-notifications.ts';
import { type Choice, listChoices, saveChoices } from './store.ts';

type Preference = { inApp: boolean; email: EmailPace; emailFixed: boolean };
export type Preferences = { [Type in NotificationType]?: Preference };
type PreferencesInput = { [Type in NotificationType]?: { inApp: boolean; email: EmailPace } | undefined };

export function readPreferences(deps: NotificationsDeps, actor: Actor): Promise<Preferences> {
  return deps.db.asTenant(actor, (tx) => preferencesOf(tx, actor));
}

/** Changes the preferences of the given types. Mail about the security of the account cannot be switched off. */
export async function choosePreferences(deps: NotificationsDeps, caller: RequestContext, input: PreferencesInput): Promise<Preferences> {
  const { actor } = caller;
  refuseViewAs(actor);
  const choices = choicesOf(input);
  refuseImpossible(actor, choices);
  return deps.db.asTenant(actor, async (tx) => {
    const before = await preferencesOf(tx, actor);
    const changed = choices.filter(({ type, inApp, email }) => before[type]?.inApp !== inApp || before[type]?.email !== email);
    if (changed.length === 0) return before;
    const { userId, partnerId, clientId } = actor;
    await saveChoices(tx, { userId, partnerId, clientId }, changed);
    await recordAudit(tx, {
      partnerId,
      clientId,
      actor,
      action: 'notification.preferences_changed',
      target: { type: 'user', id: userId, label: actor.email },
      changes: Object.fromEntries(changed.map((choice) => [choice.type, [describeChoice(before[choice.type]), describeChoice(choice)]])),
      origin: originOf(caller),
    });
    return preferencesOf(tx, actor);
  });
}

type TypedChoice = Choice & { type: NotificationType };

function choicesOf(input: PreferencesInput): TypedChoice[] {
  return (Object.entries(input) as [NotificationType, { inApp: boolean; email: EmailPace } | undefined][]) // parsed by the contract
    .flatMap(([type, choice]) => (choice ? [{ type, ...choice }] : []));
}

function refuseImpossible(actor: Actor, choices: readonly TypedChoice[]): void {
  const own = notificationTypesFor(actor.role, actor.partnerRole);
  const errors = choices.flatMap(({ type, email }) => {
    if (!own.includes(type)) return [{ field: type, code: 'unknown', message: 'Notifications of this type do not reach you.' }];
    if (NOTIFICATION_RULES[type].emailFixed && email !== NOTIFICATION_RULES[type].email)
      return [{ field: `${type}.email`, code: 'fixed', message: 'Mail about the security of your account is always sent at once.' }];
    return [];
  });
  const [first] = errors;
  if (first) throw new AppError('validation_failed', { detail: first.message, errors });
}

async function preferencesOf(tx: Tx, actor: Actor): Promise<Preferences> {
  const chosen = new Map((await listChoices(tx, actor.userId)).map((choice) => [choice.type, choice]));
  return Object.fromEntries(
    notificationTypesFor(actor.role, actor.partnerRole).map((type) => {
      const { email, emailFixed } = NOTIFICATION_RULES[type];
      const choice = chosen.get(type);
      return [type, { inApp: choice?.inApp ?? true, email: emailFixed ? email : (choice?.email ?? email), emailFixed }];
    }),
  );
}

export function describeChoice(choice: { inApp: boolean; email: EmailPace } | undefined): string {
  return choice ? `${choice.inApp ? 'in the bell' : 'not in the bell'}, mail ${choice.email}` : 'none';
}
