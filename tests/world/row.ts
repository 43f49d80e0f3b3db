import type { Json, JsonObject } from '@partner-portal/core/template/types.ts';
import type { ClientName } from './clients.ts';

/** The shape of the tables in `inputs/`: what the world sends, and what must come of it. */

export const TEMPLATES = [
  'ai-email-triage',
  'ai-faq-reply',
  'appointment-reminder',
  'daily-sql-report',
  'lead-follow-up-email',
  'lead-intake-cleaner',
  'lead-qualifier',
  'missed-call-text-back',
  'no-show-rebooking',
  'quote-follow-up',
  'review-request',
  'weekly-insight-digest',
] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** One request to an ingest URL. A body that is no text and no bytes is sent as JSON. `@now+3h` in the texts of such a body is a time. */
export type Send = {
  body: Json | Buffer;
  /** `application/json` unless given; null for none. */
  contentType?: string | null;
  headers?: { readonly [name: string]: string };
  method?: 'POST' | 'GET' | 'HEAD';
  /** Put after the path of the URL, before its query. */
  pathEnd?: string;
};

export type TextExpected = { to: string; includes?: readonly string[]; excludes?: readonly string[] };
export type MailExpected = { to: string; from?: RegExp; subject?: string; includes?: readonly string[]; excludes?: readonly string[] };

/** The outcome of a row; what is left out is not looked at. */
export type Expected = {
  /** What the steps get, by input key; null: nothing under this key. */
  value?: { readonly [key: string]: Json };
  /** What the steps get as the template's phone number, mail address and time. A time is compared as a moment, and must carry its offset. */
  phone?: string | null;
  mail?: string | null;
  time?: string | null;
  /** The answer when the event starts no run. `code`: none in an answer without a body. `field`: one of its errors. */
  refused?: { status: number; code?: string; field?: string; headers?: { readonly [name: string]: string } };
  /** The reason of a run that ended early: it succeeds, sends nothing, and is free where the business cannot help it. */
  stopped?: string;
  /** Whether its runs cost nothing, where `stopped` does not say so. */
  isFree?: boolean;
  /** The code of a run that failed. */
  failed?: string;
  /** All texts and mails of the row's runs, in any order. */
  texts?: readonly TextExpected[];
  mails?: readonly MailExpected[];
  /** Started by the row's requests together. One unless given. */
  runs?: number;
  /** Is part of a remark of the run. */
  remark?: string;
  /** The values that the run reports, by the key of its output. */
  output?: { readonly [key: string]: Json };
};

export type Row = {
  /** What sends this, or who. */
  name: string;
  /** The templates that such an event concerns. */
  templates: readonly TemplateName[];
  send: (template: TemplateName) => Send | readonly Send[];
  /** The business that it arrives at; Chicago unless given. */
  client?: ClientName;
  /** Settings besides the usual ones of its agent. */
  config?: JsonObject;
  /** Rows of one shop arrive at the agents of one business, so that what one of them causes is seen by the others. */
  shop?: string;
  /** Rows of a later round are sent once all runs of the earlier ones have ended. */
  round?: number;
  expect: Expected | ((template: TemplateName) => Expected);
  /** Why this outcome, where no rule names it. */
  decided?: string;
};
