import { PROFILE_KEYS } from '@partner-portal/contract/vocabulary.ts';
import { defaultTextsOf } from '@partner-portal/catalog/index.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { CALL_GOES_ON, stateUnderWay } from '@partner-portal/core/execution/under-way.ts';
import { KEYWORD_ENDS } from '@partner-portal/core/contact/opt-out.ts';
import type { NoText } from '@partner-portal/core/contact/texting.ts';
import { contactOf, inputOf, leftOut } from '@partner-portal/core/template/input.ts';
import { customerLocale } from '@partner-portal/core/template/customer-locale.ts';
import { plansFollowUps } from '@partner-portal/core/template/follow-ups.ts';
import { readingClient } from '@partner-portal/core/template/reading-client.ts';
import { endsWithoutMail, noMailFor } from '@partner-portal/core/template/mailed.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import {
  endsWithoutText,
  isByWhatsApp,
  isNumberListed,
  noTextFor,
  repeatsAfterHours,
  textedInputs,
  withoutCostlyRecipients,
  withoutListedRecipients,
} from '@partner-portal/core/template/texted.ts';
import {
  type DirectPayload,
  type DispatchPayload,
  type EventPayload,
  type JsonObject,
  type NoMail,
  type Template,
} from '@partner-portal/core/template/types.ts';
import { mailName, withoutEncodedWords } from '#platform/mail-name.ts';
import type { Secret } from '#platform/secret.ts';
import type { EarlyEnd } from '../report/finish.ts';
import type { ClaimedDispatch } from './store-dispatch.ts';

/** The body of an event as its flow receives it, from the row of a claim. */
export type EventFacts = Pick<
  ClaimedDispatch,
  | 'workflowId'
  | 'clientId'
  | 'input'
  | 'understood'
  | 'config'
  | 'clientName'
  | 'timezone'
  | 'locale'
  | 'businessProfile'
  | 'textCountries'
  | 'businessPhone'
  | 'lastContactAt'
  | 'aboutAt'
  | 'lastMailAt'
  | 'optedOut'
  | 'numberOptedOut'
  | 'listedAddresses'
  | 'isPlanned'
  | 'keyword'
  | 'createdAt'
>;

/** Returns why a run ends before its flow: its text asks for no answer, its person may not be texted, or its call has not ended; null when the flow runs. */
export function stopOf(facts: EventFacts & Pick<ClaimedDispatch, 'templateVersion'>, template: Template | undefined): EarlyEnd | null {
  if (facts.keyword !== null) return KEYWORD_ENDS[facts.keyword];
  if (template === undefined) return null;
  const version = facts.templateVersion ?? template.templateVersion;
  const noText = noTextOf(facts, template);
  if (noText !== null && endsWithoutText(template, version)) return noText;
  const noMail = endsWithoutMail(template, version) ? noMailOf(facts, template) : null;
  return noMail ?? (stateUnderWay(template, facts.input ?? {}) === null ? null : CALL_GOES_ON);
}

function noMailOf(facts: EventFacts, template: Template): NoMail | null {
  return noMailFor(template, stepsInput(facts, template), facts.listedAddresses);
}

function isNumberOptedOut(facts: EventFacts, template: Template): boolean {
  const input = stepsInput(facts, template);
  return isNumberListed(template, input, contactOf(template, input), { contact: facts.optedOut, otherNumber: facts.numberOptedOut });
}

function noTextOf(facts: EventFacts, template: Template): NoText | null {
  if (textedInputs(template).length === 0) return null;
  const { textCountries } = readerOf(facts);
  return noTextFor(template, stepsInput(facts, template), textCountries, facts.input ?? {});
}

/** How settings from before they were read when they were saved are read. Their numbers have a country, and no time is among them. */
function readerOf({ businessPhone, textCountries, timezone }: EventFacts): ReturnType<typeof readingClient> {
  return readingClient({ phone: businessPhone, textCountries, timezone, locale: 'en' });
}

/** Returns the input of the steps for an event: its canonical values (core/template/input.ts). */
export function stepsInput({ input, understood }: Pick<EventFacts, 'input' | 'understood'>, template: Template | undefined): JsonObject {
  return inputOf(template, (input ?? {}) as JsonObject, understood as JsonObject | null); // both were stored as JSON when it was accepted
}

/** Returns what the flow reads at `trigger.body`: the event, the agent's settings, the client, and facts that a flow cannot look up. */
export function dispatchPayload(
  claimed: ClaimedDispatch,
  template: Template | undefined,
  options: { secret: Secret; now: Date },
): DispatchPayload {
  const { executionId } = claimed;
  return {
    executionId,
    callbackToken: callbackToken(options.secret.reveal(), executionId),
    ...eventPayload({ ...claimed, lastContactAt: lastContactAt(claimed, template) }, template, options.now, false),
  };
}

/** A run that is under way counts as a contact of the person where the agent repeats itself after a time only: it may be sending its text. */
function lastContactAt({ lastContactAt: last, otherRunAt: other }: ClaimedDispatch, template: Template | undefined): Date | null {
  if (other === null || template === undefined || !repeatsAfterHours(template)) return last;
  return last !== null && last > other ? last : other;
}

/** The same for a direct call: the turn in place of the executionId, and no proof, so that its report is refused and changes nothing. */
export function directPayload(turnId: string, facts: EventFacts, template: Template | undefined, now: Date): DirectPayload {
  return { turnId, ...eventPayload(facts, template, now, true) };
}

function eventPayload(facts: EventFacts, template: Template | undefined, now: Date, isForVisitor: boolean): EventPayload {
  const stored = facts.config ?? {};
  const config = (
    template
      ? withoutListedRecipients(
          template,
          withoutCostlyRecipients(template, fillConfig(template, stored, readerOf(facts).client)),
          facts.listedAddresses,
        )
      : stored
  ) as EventPayload['config']; // checked when it was saved
  const profile = Object.fromEntries(PROFILE_KEYS.map((key) => [key, facts.businessProfile[key] ?? '']));
  return {
    workflowId: facts.workflowId,
    input: stepsInput(facts, template),
    config,
    client: {
      id: facts.clientId,
      // Flows of earlier versions put it before the address of a mail as it is.
      name: withoutEncodedWords(facts.clientName),
      mailName: mailName(senderNameOf(config) || facts.clientName),
      timezone: facts.timezone,
      locale: template ? customerLocale(template, config, facts.locale, (one) => defaultTextsOf(template, one)) : facts.locale,
      ownerLocale: facts.locale,
      businessProfile: profile as EventPayload['client']['businessProfile'], // made of exactly those keys
    },
    facts: {
      // What it sent about another quote or visit keeps back nothing about this one.
      lastContactAt: (template && plansFollowUps(template) ? facts.aboutAt : facts.lastContactAt)?.toISOString() ?? null,
      lastMailAt: facts.lastMailAt?.toISOString() ?? null,
      onStopList: facts.optedOut || facts.numberOptedOut,
      numberOnStopList: template !== undefined && isNumberOptedOut(facts, template),
      noText: template ? noTextOf(facts, template) : null,
      noMail: template ? noMailOf(facts, template) : null,
      isPlanned: facts.isPlanned,
      isWhatsApp: template ? isByWhatsApp(template, facts.input ?? {}) : false,
      isForVisitor,
      acceptedAt: facts.createdAt.toISOString(),
      leftOut: leftOut(facts.understood),
      now: now.toISOString(),
    },
  };
}

/** The setting of agents that mail under another name than the client's. */
function senderNameOf({ senderName }: EventPayload['config']): string {
  return typeof senderName === 'string' ? senderName.trim() : '';
}
